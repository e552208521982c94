import type { ReactNode } from 'react';
import { t } from '../../lib/i18n.ts';
import { Spinner } from '../../ui/spinner.tsx';

interface PaymentWaitProps {
  /** The payment page; null if it can't be opened from here. */
  url: string | null;
  hint?: string;
  /** The button to cancel. */
  children: ReactNode;
}

/** Shown while the fan pays on another page. */
export function PaymentWait({ url, hint, children }: PaymentWaitProps) {
  return (
    <>
      <p role="status" className="flex min-h-11 items-center gap-2.5 text-control font-medium">
        <Spinner className="text-accent-text" />
        {t('Waiting for your payment…')}
      </p>
      {hint !== undefined && <p className="text-meta text-fg-2">{hint}</p>}
      <div className="flex gap-1">
        {url !== null && (
          <a
            href={url}
            target="_blank"
            rel="noopener noreferrer"
            className="inline-flex min-h-11 flex-1 items-center justify-center rounded-control bg-surface-2 px-3 text-control font-semibold"
          >
            {t('Open the payment page')}
          </a>
        )}
        {children}
      </div>
    </>
  );
}
