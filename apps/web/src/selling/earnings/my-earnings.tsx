import { formatMoney } from '@stagedoor/browser/money';
import type { EarningLine, EarningPeriod } from '@stagedoor/contract/selling/earnings';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Banknote, Download } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useAdmin } from '../../lib/server/session.ts';
import { lengthText } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { useNow } from '../../lib/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LoadingLine } from '../../ui/loading-line.tsx';
import { MorePages } from '../../ui/more-pages.tsx';
import { QueryError } from '../../ui/query-error.tsx';
import { ContestDialog } from './contest-dialog.tsx';
import { ContestText } from './contest-text.tsx';
import { whyOf } from './earning-words.ts';
import { LineText } from './line-text.tsx';
import { MyContests } from './my-contests.tsx';
import { PeriodSelect } from './period-select.tsx';
import { PrintPaySlip } from './print-pay-slip.tsx';
import { earningsOptions, periodsOptions } from './queries.ts';
import { savePayslip } from './save-payslip.ts';

/** An admin's own earnings: today, this period, and every line with its reason. */
export function MyEarnings() {
  const { id, codename } = useAdmin();
  const [chosen, setChosen] = useState('');
  const today = new Date(new Date(useNow()).setHours(0, 0, 0, 0)).toISOString();
  const day = useInfiniteQuery(earningsOptions({ admin_id: id, from: today }));
  const periods = useInfiniteQuery(periodsOptions);
  const current = periods.data?.[0];
  const period = periods.data?.find(({ id: one }) => one === chosen) ?? current;
  const sums = current?.admins.find((admin) => admin.admin_id === id);
  const totals = day.data?.pages[0]?.totals;
  return (
    <div className="flex flex-col gap-4">
      <dl className="grid grid-cols-2 gap-3 max-[20rem]:grid-cols-1 md:grid-cols-4">
        <Figure label={t('Earned Today')} value={totals && formatMoney(totals.amount)} />
        <Figure label={t('This Period')} value={current && formatMoney(sums?.amount ?? 0)} />
        <Figure
          label={t('Net Sales This Period')}
          value={current && formatMoney(sums?.base_amount ?? 0)}
        />
        <Figure label={t('On the Clock')} value={current && lengthText(sums?.seconds ?? 0)} />
      </dl>
      <p className="hidden font-semibold print:block">{codename}</p>
      <MyContests adminId={id} />
      {periods.isLoadingError && (
        <QueryError query={periods} text={t('Couldn’t load the periods')} />
      )}
      {periods.isPending && <LoadingLine text={t('Loading periods...')} />}
      {periods.data && period && (
        <>
          <PaySlips
            periods={periods.data}
            more={
              <MorePages
                query={periods}
                loaded={periods.data?.length ?? 0}
                label={t('Show Earlier Periods')}
              />
            }
            period={period}
            onChoose={setChosen}
            adminId={id}
            codename={codename}
          />
          <Lines key={chosen} adminId={id} period={period} />
        </>
      )}
    </div>
  );
}

interface PaySlipsProps {
  periods: readonly EarningPeriod[];
  /** Loads earlier periods. */
  more: ReactNode;
  /** The selected period. */
  period: EarningPeriod;
  onChoose: (id: string) => void;
  adminId: string;
  codename: string;
}

/** Chooses a period, whose pay slip can be printed or downloaded. */
function PaySlips({ periods, more, period, onChoose, adminId, codename }: PaySlipsProps) {
  return (
    <div className="flex flex-wrap items-center gap-2 print:hidden">
      <div className="me-auto flex flex-wrap items-center gap-2">
        <PeriodSelect
          isInline
          label={t('Pay Slip')}
          periods={periods}
          value={period.id}
          onChange={onChoose}
        />
        {more}
      </div>
      <div className="flex flex-wrap gap-2">
        <PrintPaySlip key={period.id} period={period} adminId={adminId} codename={codename} />
        <Button icon={<Download />} onClick={() => void savePayslip(period.id, adminId)}>
          {t('Download Pay Slip')}
        </Button>
      </div>
    </div>
  );
}

interface FigureProps {
  label: string;
  value: string | undefined;
}

function Figure({ label, value }: FigureProps) {
  return (
    <div className="flex flex-col rounded-card border border-line bg-surface px-4 py-3">
      <dt className="text-meta text-fg-2">{label}</dt>
      <dd className="mt-auto pt-0.5 text-metric font-semibold tracking-tight tabular-nums">
        {value ?? '–'}
      </dd>
    </div>
  );
}

/** The lines of a period and, on demand, all earlier ones. */
function Lines({ adminId, period }: { adminId: string; period: EarningPeriod }) {
  const [contested, setContested] = useState<EarningLine | null>(null);
  const [isEarlierShown, setEarlierShown] = useState(false);
  const start = isEarlierShown ? {} : { from: period.starts_at };
  const lines = useInfiniteQuery(
    earningsOptions({ admin_id: adminId, ...start, to: period.ends_at }),
  );
  const rows = lines.data?.pages.flatMap(({ data }) => data);
  return (
    <Card
      title={t('Lines')}
      subtitle={t('Every sale, refund and hour, and how its amount is calculated')}
    >
      <div className="px-4 pb-4">
        {lines.isLoadingError && (
          <QueryError query={lines} text={t('Couldn’t load your earnings')} />
        )}
        {lines.isPending && <LoadingLine text={t('Loading earnings...')} />}
        {rows?.length === 0 && (
          <EmptyState
            icon={<Banknote />}
            title={t('No earnings yet')}
            text={t('Sales of the offers you send, and your time on the clock, will appear here.')}
          />
        )}
        {rows !== undefined && rows.length > 0 && (
          <ul className="divide-y divide-line">
            {rows.map((line) => (
              <Line key={line.id} line={line} onContest={() => setContested(line)} />
            ))}
          </ul>
        )}
        <MorePages query={lines} loaded={lines.data?.pages.length ?? 0} className="mt-3" />
        {lines.isSuccess && !lines.hasNextPage && !isEarlierShown && (
          <Button className="mt-3 print:hidden" onClick={() => setEarlierShown(true)}>
            {t('Show Earlier')}
          </Button>
        )}
      </div>
      {contested && (
        <ContestDialog
          id={contested.id}
          title={t('Contest This Line')}
          subtitle={whyOf(contested)}
          label={t('What is wrong?')}
          onClose={() => setContested(null)}
        />
      )}
    </Card>
  );
}

function Line({ line, onContest }: { line: EarningLine; onContest: () => void }) {
  const { contest, payment } = line;
  const canContest = contest?.state !== 'open' && payment?.refunded_at == null;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 py-3 md:grid-cols-[minmax(0,1fr)_auto_auto]">
      <LineText line={line} />
      {contest && (
        <p className="col-span-full text-meta text-fg-2">
          <ContestText contest={contest} />
        </p>
      )}
      <p className="col-start-2 row-start-1 min-w-20 text-end text-message leading-5 font-semibold tabular-nums md:col-start-3">
        {formatMoney(line.amount)}
      </p>
      {canContest && (
        <Button
          size="small"
          className="col-start-2 row-start-3 self-end justify-self-end max-md:mt-1 max-md:coarse:h-11 max-md:coarse:px-3 md:row-start-1 md:-my-1 md:self-start print:hidden"
          onClick={onContest}
        >
          {t('Contest')}
        </Button>
      )}
    </li>
  );
}
