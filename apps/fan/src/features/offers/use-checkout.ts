import { type PaymentProvider, startCheckout } from '@stagedoor/contract/platform/fan-app';
import { useCallback, useEffect, useState } from 'react';
import { call, errorText } from '../../lib/api.ts';
import { isEmbedded, notifyPage, onPageCommand } from '../../lib/embed.ts';
import { t } from '../../lib/i18n.ts';
import { PAYING } from '../../lib/session.ts';
import { isFramed, storedInTab } from '../../lib/stored.ts';
import { isAlreadyOwned } from './already-owned.ts';

/** The state of a purchase. */
export type Checkout =
  | { phase: 'idle' }
  | { phase: 'starting' }
  /** The fan pays on another page. `url` is null if that page can't be opened from here. */
  | { phase: 'waiting'; url: string | null }
  | { phase: 'card' }
  /** The platform takes the payment, but this page is not embedded in the platform's page. */
  | { phase: 'elsewhere' }
  | { phase: 'failed'; error: string };

interface Started {
  provider: PaymentProvider;
  url: string | null;
  amount: number;
}

/**
 * Continues a started checkout: opens the payment page or asks the embedding page to open it or to take the payment.
 * @param paying identifies the product or tip; stored until the fan returns
 * @param request the notice that asks the embedding page to take the payment
 * @returns the new state
 */
export function lead(
  started: Started,
  paying: string,
  request: Parameters<typeof notifyPage>[0],
): Checkout {
  if (started.provider === 'test_card') return { phase: 'card' };
  if (started.url !== null) {
    if (isEmbedded) notifyPage({ type: 'navigate', url: started.url });
    else if (!isFramed) {
      storedInTab.set(PAYING, paying);
      window.location.assign(started.url);
    }
    return { phase: 'waiting', url: started.url };
  }
  if (!isEmbedded) return { phase: 'elsewhere' };
  notifyPage(request);
  return { phase: 'waiting', url: null };
}

/** Manages the purchase of a product up to the payment. @param refresh asks the server whether the fan has paid */
export function useCheckout(messageId: string, attachmentId: string, refresh: () => Promise<void>) {
  const [checkout, setCheckout] = useState<Checkout>(() =>
    storedInTab.get(PAYING) === attachmentId ? { phase: 'waiting', url: null } : { phase: 'idle' },
  );

  const start = useCallback(async () => {
    setCheckout({ phase: 'starting' });
    try {
      const body = { message_id: messageId, attachment_id: attachmentId };
      const { data } = await call(startCheckout, { body });
      const { amount } = data;
      setCheckout(lead(data, attachmentId, { type: 'purchase-requested', ...body, amount }));
    } catch (error) {
      if (isAlreadyOwned(error)) await refresh();
      setCheckout({
        phase: 'failed',
        error: errorText(error, t('That didn’t work. Check your connection and try again.')),
      });
    }
  }, [messageId, attachmentId, refresh]);

  const isWaiting = checkout.phase === 'waiting';
  useEffect(() => {
    if (!isWaiting) return;
    const ask = () => {
      if (document.visibilityState === 'visible') void refresh();
    };
    window.addEventListener('focus', ask);
    const stop = onPageCommand((command) => {
      if (command.type !== 'purchase-settled' || command.attachment_id !== attachmentId) return;
      void refresh().then(() => setCheckout({ phase: 'idle' }));
    });
    return () => {
      window.removeEventListener('focus', ask);
      stop();
    };
  }, [isWaiting, attachmentId, refresh]);

  const reset = useCallback(() => {
    if (storedInTab.get(PAYING) === attachmentId) storedInTab.remove(PAYING);
    setCheckout({ phase: 'idle' });
  }, [attachmentId]);
  return { checkout, start, reset };
}
