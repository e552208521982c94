import { rich } from '@stagedoor/browser/rich-text';
import { uuid } from '@stagedoor/browser/uuid';
import { CreditCard } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { errorText, isPassing } from '../../lib/api.ts';
import { t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { inFours } from './card-number.ts';

interface TestCardSheetProps {
  title: string;
  cost: string;
  /** A retry after a lost response has the same client id. */
  pay: (card: { client_id: string; card_number: string }) => Promise<void>;
  onClose: () => void;
}

const GOOD_CARD = '4242 4242 4242 4242';

/** The payment form for test cards, used when no real payments are set up. */
export function TestCardSheet(props: TestCardSheetProps) {
  const { title, cost, pay, onClose } = props;
  const [number, setNumber] = useState('');
  // A retry after a lost response keeps the client id. After a refusal, the next try gets a new one.
  const [clientId, setClientId] = useState(uuid);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);

  const submit = async () => {
    setBusy(true);
    setError(null);
    try {
      await pay({ client_id: clientId, card_number: number });
      onClose();
    } catch (failure) {
      if (!isPassing(failure)) setClientId(uuid());
      setError(errorText(failure, t('The payment didn’t go through. Please try again.')));
      setBusy(false);
    }
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    if (number === '')
      setError(t('Enter a card number, for example {number}', { number: GOOD_CARD }));
    else void submit();
  };
  return (
    <Sheet title={title} onClose={onClose}>
      <form onSubmit={onSubmit} className="flex flex-col gap-4">
        <p className="rounded-control bg-warn-bg px-3 py-2.5 text-control text-warn">
          <strong className="font-semibold">{t('Test payment.')}</strong>{' '}
          {rich('No money is charged. The card {card} is accepted; all others are declined.', {
            card: (
              <button
                type="button"
                dir="ltr"
                onClick={() => setNumber(GOOD_CARD)}
                className="-my-3 min-h-11 font-semibold whitespace-nowrap underline underline-offset-2"
              >
                {GOOD_CARD}
              </button>
            ),
          })}
        </p>
        {error !== null && <Notice text={error} />}
        <label className="flex flex-col gap-1.5 text-control font-medium">
          {t('Card number')}
          <span className="flex items-center gap-2 rounded-control border border-control bg-surface px-3 focus-within:border-accent-text">
            <CreditCard size={20} strokeWidth={1.75} className="text-fg-3" />
            <input
              value={number}
              onChange={(event) => setNumber(inFours(event.currentTarget.value))}
              inputMode="numeric"
              dir="ltr"
              autoComplete="off"
              placeholder={GOOD_CARD}
              aria-invalid={error !== null || undefined}
              className="h-12 min-w-0 flex-1 bg-transparent text-message tabular-nums outline-none"
            />
          </span>
        </label>
        <Button type="submit" variant="warm" busy={isBusy} className="min-h-12 w-full text-message">
          {t('Pay {price}', { price: cost })}
        </Button>
      </form>
    </Sheet>
  );
}
