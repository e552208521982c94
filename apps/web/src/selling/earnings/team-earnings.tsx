import { formatMoney } from '@stagedoor/browser/money';
import type { EarningPeriod } from '@stagedoor/contract/selling/earnings';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { errorText } from '../../lib/server/api.ts';
import { lengthText } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { LoadingLine } from '../../ui/loading-line.tsx';
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx';
import { QueryError } from '../../ui/query-error.tsx';
import { AnswerContests } from './answer-contests.tsx';
import { daysOf } from './earning-words.ts';
import { MorePages } from './more-pages.tsx';
import { periodsOptions, undecidedOptions, useClosePeriod } from './queries.ts';
import { RulesCard } from './rules-card.tsx';
import { savePayslip } from './save-payslip.ts';

/** The team's earnings, for those who can manage admins. */
export function TeamEarnings() {
  const periods = useInfiniteQuery(periodsOptions);
  const { data: undecided = 0 } = useQuery(undecidedOptions);
  return (
    <div className="flex flex-col gap-4">
      <AnswerContests />
      {periods.isError && periods.data === undefined && (
        <QueryError query={periods} text={t('Couldn’t load the periods')} />
      )}
      {periods.isPending && <LoadingLine text={t('Loading periods...')} />}
      {undecided > 0 && (
        <p className="rounded-control bg-warn-bg px-4 py-2.5 text-control text-warn">
          {t(
            '{amount} of net sales is not credited yet. It will be shared once it is certain who was on the clock.',
            { amount: formatMoney(undecided) },
          )}
        </p>
      )}
      {periods.data?.map((period) => (
        <Period key={period.id} period={period} />
      ))}
      <MorePages
        query={periods}
        loaded={periods.data?.length ?? 0}
        label={t('Show Earlier Periods')}
        className="self-start"
      />
      <RulesCard periods={periods.data ?? []} />
    </div>
  );
}

function Period({ period }: { period: EarningPeriod }) {
  const [isAsked, setAsked] = useState(false);
  const close = useClosePeriod();
  const days = daysOf(period);
  return (
    <Card
      title={t('{start} to {end}', days)}
      aside={
        <>
          <Badge tone={period.closed_at === null ? 'info' : 'neutral'}>
            {period.closed_at === null ? t('Open', 'period') : t('Closed', 'period')}
          </Badge>
          <Button size="small" icon={<Download />} onClick={() => void savePayslip(period.id)}>
            {t('Download CSV')}
          </Button>
          {period.can_close && (
            <Button size="small" busy={close.isPending} onClick={() => setAsked(true)}>
              {t('Close Period')}
            </Button>
          )}
        </>
      }
    >
      <div className="px-4 pb-4">
        {close.error && <ErrorBox text={errorText(close.error, t('Couldn’t close the period'))} />}
        {period.admins.length === 0 ? (
          <p className="text-control text-fg-3">
            {t('Nobody has earned anything in this period.')}
          </p>
        ) : (
          <ul className="divide-y divide-line md:grid md:grid-cols-[minmax(0,1fr)_repeat(4,auto)] md:gap-x-6">
            {period.admins.map((admin) => (
              <li
                key={admin.admin_id}
                className="flex flex-wrap items-center gap-x-4 py-1 text-control md:col-span-full md:grid md:grid-cols-subgrid md:text-end"
              >
                <span className="min-w-0 basis-full truncate text-start font-medium">
                  {admin.admin_codename}
                </span>
                <span className="text-fg-2 tabular-nums">
                  {t('{amount} net sales', { amount: formatMoney(admin.base_amount) })}
                </span>
                <span className="text-fg-2 tabular-nums">{lengthText(admin.seconds)}</span>
                <span className="ms-auto font-semibold tabular-nums">
                  {formatMoney(admin.amount)}
                </span>
                <Button
                  variant="ghost"
                  size="small"
                  icon={<Download />}
                  aria-label={t('Download Pay Slip')}
                  onClick={() => void savePayslip(period.id, admin.admin_id)}
                />
              </li>
            ))}
            {period.admins.length > 1 && (
              <li className="flex items-center gap-x-4 pt-2 text-control md:col-span-full md:grid md:grid-cols-subgrid md:text-end">
                <span className="text-start text-fg-2">{t('Total')}</span>
                <span className="ms-auto text-base font-semibold tabular-nums md:col-start-4">
                  {formatMoney(period.admins.reduce((sum, { amount }) => sum + amount, 0))}
                </span>
                <span className="w-7" />
              </li>
            )}
          </ul>
        )}
      </div>
      {isAsked && (
        <ConfirmDialog
          title={t('Close {start} to {end}?', days)}
          text={t(
            'A closed period never changes. Later refunds and corrections are booked in the open period.',
          )}
          confirmLabel={t('Close Period')}
          onClose={() => setAsked(false)}
          onConfirm={() => {
            setAsked(false);
            close.mutate(period.id);
          }}
        />
      )}
    </Card>
  );
}
