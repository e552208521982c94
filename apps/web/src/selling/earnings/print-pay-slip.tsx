import { formatMoney } from '@stagedoor/browser/money';
import type { EarningPeriod } from '@stagedoor/contract/selling/earnings';
import { useQuery } from '@tanstack/react-query';
import { Printer } from 'lucide-react';
import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { useCommands } from '../../lib/commands.ts';
import { errorText } from '../../lib/server/api.ts';
import { exactTimeOf, lengthText } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { showProblem } from '../../ui/overlay/toast.ts';
import { daysOf, noteOf, titleOf, whyOf } from './earning-words.ts';
import { loadPaySlip, type PaySlip } from './load-pay-slip.ts';

interface PrintPaySlipProps {
  period: EarningPeriod;
  adminId: string;
  codename: string;
  /** Shows only the icon, without the shortcut, because a screen with several pay slips can't use one shortcut for all. */
  isInRow?: boolean;
}

/** The button that loads all of an admin's lines in a period and opens the browser's print dialog. */
export function PrintPaySlip({ period, adminId, codename, isInRow = false }: PrintPaySlipProps) {
  const { id, starts_at, ends_at } = period;
  const [slip, setSlip] = useState<PaySlip | null>(null);
  const { refetch, isFetching } = useQuery({
    queryKey: ['earnings', 'slip', { id, adminId }],
    queryFn: ({ signal }) =>
      loadPaySlip({ admin_id: adminId, from: starts_at, to: ends_at }, signal),
    enabled: false,
    gcTime: 0,
  });
  useEffect(() => {
    if (slip === null) return;
    const remove = () => setSlip(null);
    window.addEventListener('afterprint', remove);
    // Waits a frame, so that the pay slip is on the page.
    const frame = requestAnimationFrame(() => window.print());
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener('afterprint', remove);
    };
  }, [slip]);
  const print = async () => {
    const { data, error } = await refetch();
    if (error) {
      const text = errorText(error, t('Couldn’t load the pay slip'));
      showProblem({ key: 'payslip', text });
    } else if (data) setSlip(data);
  };
  const button = { icon: <Printer />, busy: isFetching, onClick: () => void print() };
  return (
    <>
      {isInRow ? (
        <Button
          {...button}
          variant="ghost"
          size="small"
          aria-label={t('Pay slip of {name}', { name: codename })}
          title={t('Print')}
        />
      ) : (
        <>
          <PrintCommand onPrint={button.onClick} />
          <Button {...button}>{t('Print')}</Button>
        </>
      )}
      {slip &&
        createPortal(
          <PrintedSlip slip={slip} codename={codename} period={period} />,
          document.body,
        )}
    </>
  );
}

function PrintCommand({ onPrint }: { onPrint: () => void }) {
  useCommands([
    {
      id: 'print_pay_slip',
      title: t('Print'),
      section: t('Team'),
      // The browser's own print command would print only the lines loaded so far.
      keys: ['Mod+p'],
      run: onPrint,
    },
  ]);
  return null;
}

interface PrintedSlipProps extends Pick<PrintPaySlipProps, 'codename' | 'period'> {
  slip: PaySlip;
}

/** A pay slip for print only: black on white, the sums and then every line. */
function PrintedSlip({ slip, codename, period }: PrintedSlipProps) {
  const { totals } = slip;
  const sums = [
    { label: t('Sales'), amount: totals.sales },
    { label: t('Refunds'), amount: totals.refunds },
    { label: t('Hours'), amount: totals.hours },
    { label: t('Adjustments'), amount: totals.adjustments },
    { label: t('Total'), amount: totals.amount },
  ];
  return (
    <article className="printout hidden bg-[#fff] text-base text-[#000] print:block">
      <header className="mb-4 border-b border-[#000] pb-2">
        <h1 className="text-metric font-semibold">{t('Pay slip of {name}', { name: codename })}</h1>
        <p>{daysOf(period)}</p>
        <p>{t('Printed on {time}', { time: exactTimeOf(slip.printedAt) })}</p>
      </header>
      <dl className="mb-4 grid w-fit grid-cols-[auto_auto] gap-x-6">
        {sums.map(({ label, amount }) => (
          <div
            key={label}
            className="col-span-full grid grid-cols-subgrid last:border-t last:border-[#000] last:font-semibold"
          >
            <dt>{label}</dt>
            <dd className="text-end tabular-nums">{formatMoney(amount)}</dd>
          </div>
        ))}
      </dl>
      <p className="mb-4">
        {t('{amount} net sales', { amount: formatMoney(totals.base_amount) })}
        {' · '}
        {t('{time} on the clock', { time: lengthText(totals.seconds) })}
      </p>
      <ul>
        {slip.lines.map((line) => {
          const note = noteOf(line);
          return (
            <li
              key={line.id}
              className="flex gap-4 border-t border-[#999] py-1.5 break-inside-avoid"
            >
              <div className="min-w-0 flex-1">
                <p className="font-semibold wrap-anywhere">{titleOf(line)}</p>
                <p>{whyOf(line)}</p>
                <p>{exactTimeOf(line.at)}</p>
                {note !== null && (
                  <p className="wrap-anywhere">
                    <bdi>{note}</bdi>
                  </p>
                )}
              </div>
              <p className="font-semibold tabular-nums">{formatMoney(line.amount)}</p>
            </li>
          );
        })}
      </ul>
    </article>
  );
}
