import { formatMoney } from '@stagedoor/browser/money';
import { type DoublePayment, refundDoublePayment } from '@stagedoor/contract/selling/analytics';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { call, errorText } from '../../lib/server/api.ts';
import { useQueuedMutation } from '../../lib/server/use-queued-mutation.ts';
import { t } from '../../lib/text/i18n.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx';
import { QueryError } from '../../ui/query-error.tsx';
import { doublePaymentsOptions } from './queries.ts';
import { SaleRow } from './sale-row.tsx';

/** Payments for products that the fan already owned, each with a refund button. Renders nothing if there are none. */
export function DoublePayments({ onOpen }: { onOpen: () => void }) {
  const titleId = useId();
  const client = useQueryClient();
  const payments = useQuery(doublePaymentsOptions);
  const [asked, setAsked] = useState<DoublePayment | null>(null);
  const refund = useQueuedMutation(['refunds'], {
    mutationFn: async ({ id }: DoublePayment) =>
      (await call(refundDoublePayment, { params: { id } })).data,
    // Refetches after an error too: a teammate may have refunded the payment.
    onSettled: () => client.invalidateQueries({ queryKey: ['analytics'] }),
  });
  if (payments.error) {
    return <QueryError query={payments} text={t('Couldn’t load double payments')} />;
  }
  const rows = payments.data ?? [];
  if (rows.length === 0 && refund.isIdle) return null;
  return (
    <section aria-labelledby={titleId} className="-mx-2 mb-4 border-b border-line px-2 pb-3">
      <h3 id={titleId} className="text-base font-semibold">
        {t('Double Payments')}
      </h3>
      <p className="mb-1 text-meta text-fg-2">
        {t('These fans paid for a product that they already owned.')}
      </p>
      <ul aria-labelledby={titleId} className="-mx-2 flex flex-col">
        {rows.map((payment) => (
          <SaleRow
            key={payment.id}
            sale={payment}
            onOpen={onOpen}
            action={
              payment.refund_requested_at === null ? (
                <Button
                  size="small"
                  aria-label={t('Refund {amount} to {fan}', namesIn(payment))}
                  busy={refund.pending.some(({ id }) => id === payment.id)}
                  onClick={() => setAsked(payment)}
                >
                  {t('Refund', 'verb')}
                </Button>
              ) : (
                <Badge tone="neutral">{t('Refund requested')}</Badge>
              )
            }
          />
        ))}
      </ul>
      <p role="status" className="text-meta text-fg-2">
        {refund.data?.state === 'refunded' &&
          t('Refund recorded. The platform has to pay the money back.')}
        {refund.data?.state === 'requested' && t('Refund requested. Stripe returns the money.')}
      </p>
      {refund.error && (
        <ErrorBox text={errorText(refund.error, t('Couldn’t refund the payment'))} />
      )}
      {asked && (
        <ConfirmDialog
          title={t('Refund {amount} to {fan}?', namesIn(asked))}
          text={
            asked.pays_back === 'stripe'
              ? t('Stripe returns the money to the fan. The fan keeps the product.')
              : t(
                  'This records the refund. The platform has to pay the money back. The fan keeps the product.',
                )
          }
          confirmLabel={t('Refund', 'verb')}
          onClose={() => setAsked(null)}
          onConfirm={() => refund.mutate(asked)}
        />
      )}
    </section>
  );
}

const namesIn = ({ amount, fan_name }: DoublePayment) => ({
  amount: formatMoney(amount),
  fan: fan_name || t('Erased fan'),
});
