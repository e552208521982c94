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
import { MorePages } from '../../ui/more-pages.tsx';
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx';
import { QueryError } from '../../ui/query-error.tsx';
import { Contests } from './answer-contests.tsx';
import { daysOf } from './earning-words.ts';
import { PrintPaySlip } from './print-pay-slip.tsx';
import { periodsOptions, undecidedOptions, useClosePeriod } from './queries.ts';
import { savePayslip } from './save-payslip.ts';

/** The team's earnings, for those who can manage admins. */
export function TeamEarnings() {
  const periods = useInfiniteQuery(periodsOptions);
  const { data: undecided = 0 } = useQuery(undecidedOptions);
  // Only the oldest open period can be closed. It would otherwise be at the end of the list.
  const shown = periods.data?.toSorted((a, b) => Number(b.can_close) - Number(a.can_close));
  return (
    <div className="flex flex-col gap-4">
      <Contests />
      {periods.isLoadingError && (
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
      {shown?.map((period) => (
        <Period key={period.id} period={period} isNewest={period === periods.data?.[0]} />
      ))}
      <MorePages
        query={periods}
        loaded={periods.data?.length ?? 0}
        label={t('Show Earlier Periods')}
        className="self-start"
      />
    </div>
  );
}

function Period({ period, isNewest }: { period: EarningPeriod; isNewest: boolean }) {
  const [isAsked, setAsked] = useState(false);
  const close = useClosePeriod();
  const days = daysOf(period);
  const isOpen = period.closed_at === null;
  const isBehind = isOpen && !period.can_close && !isNewest;
  const isEmpty = period.admins.length === 0;
  return (
    <Card
      title={days}
      aside={
        <>
          {!isBehind && (
            <Badge tone={isOpen ? 'info' : 'neutral'}>
              {isOpen ? t('Open', 'period') : t('Closed', 'period')}
            </Badge>
          )}
          {!isEmpty && (
            <Button size="small" icon={<Download />} onClick={() => void savePayslip(period.id)}>
              {t('Download CSV')}
            </Button>
          )}
          {period.can_close && (
            <Button size="small" busy={close.isPending} onClick={() => setAsked(true)}>
              {t('Close Period')}
            </Button>
          )}
          {isBehind && (
            <span className="text-meta text-fg-3">{t('Close earlier periods first.')}</span>
          )}
        </>
      }
    >
      {close.error && (
        <div className="px-4 pb-3">
          <ErrorBox text={errorText(close.error, t('Couldn’t close the period'))} />
        </div>
      )}
      {isEmpty && !isBehind && (
        <p className="px-4 pb-4 text-control text-fg-3">
          {t('Nobody has earned anything in this period.')}
        </p>
      )}
      {!isEmpty && <PayTable period={period} />}
      {isAsked && (
        <ConfirmDialog
          title={t('Close {period}?', { period: days })}
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

const HEAD = 'h-8 px-3 font-medium max-[20rem]:h-auto';
/** With large text, a row wraps, which also moves the earned amount below the name. */
const ROW = 'max-[20rem]:flex max-[20rem]:h-auto max-[20rem]:flex-wrap';
const NAME = 'ps-4 text-start max-[20rem]:basis-full';
const FIGURE = 'px-3 text-end tabular-nums';
/** Hides the columns for net sales and time on phones, which show both below the name. */
const WIDE = 'max-md:hidden';
const BELOW = 'block text-meta font-normal text-fg-2 tabular-nums md:hidden';

type Sums = Pick<EarningPeriod['admins'][number], 'base_amount' | 'seconds' | 'amount'>;

/** What each admin earned in a period, with their pay slips. */
function PayTable({ period }: { period: EarningPeriod }) {
  const { admins } = period;
  const sum = (figure: keyof Sums) => admins.reduce((total, admin) => total + admin[figure], 0);
  const totals = {
    base_amount: sum('base_amount'),
    seconds: sum('seconds'),
    amount: sum('amount'),
  };
  return (
    <table className="w-full table-fixed border-collapse text-control">
      <thead>
        <tr className={`${ROW} border-y border-line bg-surface-2 text-meta text-fg-2`}>
          <th scope="col" className={`${HEAD} ${NAME} max-md:py-1`}>
            {t('Admin')}
            <span className={BELOW}>
              {t('Net Sales')} · {t('On the Clock')}
            </span>
          </th>
          <th scope="col" className={`${HEAD} ${WIDE} text-end`}>
            {t('Net Sales')}
          </th>
          <th scope="col" className={`${HEAD} ${WIDE} text-end`}>
            {t('On the Clock')}
          </th>
          <th scope="col" className={`${HEAD} text-end max-md:w-26 max-md:px-1`}>
            {t('Earned')}
          </th>
          <td className="w-20 md:w-24" />
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {admins.map((admin) => (
          <tr key={admin.admin_id} className={`${ROW} h-11 hover:bg-bg`}>
            <SumCells name={admin.admin_codename} sums={admin} />
            <td className="pe-2 text-end whitespace-nowrap">
              {period.closed_at !== null && (
                <PrintPaySlip
                  isInRow
                  period={period}
                  adminId={admin.admin_id}
                  codename={admin.admin_codename}
                />
              )}
              <Button
                variant="ghost"
                size="small"
                icon={<Download />}
                aria-label={t('Download Pay Slip')}
                onClick={() => void savePayslip(period.id, admin.admin_id)}
              />
            </td>
          </tr>
        ))}
      </tbody>
      {admins.length > 1 && (
        <tfoot>
          <tr className={`${ROW} h-11 border-t border-control`}>
            <SumCells name={t('Total')} sums={totals} />
            <td />
          </tr>
        </tfoot>
      )}
    </table>
  );
}

function SumCells({ name, sums }: { name: string; sums: Sums }) {
  const sales = formatMoney(sums.base_amount);
  const time = lengthText(sums.seconds);
  return (
    <>
      <th scope="row" className={`${NAME} py-1 font-medium`}>
        <span className="block truncate">{name}</span>
        <span className={BELOW}>
          {sales} · {time}
        </span>
      </th>
      <td className={`${FIGURE} ${WIDE} text-fg-2`}>{sales}</td>
      <td className={`${FIGURE} ${WIDE} text-fg-2`}>{time}</td>
      <td className={`${FIGURE} font-semibold max-md:px-1`}>{formatMoney(sums.amount)}</td>
    </>
  );
}
