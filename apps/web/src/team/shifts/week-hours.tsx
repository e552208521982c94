import { t } from '../../lib/text/i18n.ts';
import { Card } from '../../ui/card.tsx';
import type { Week } from './use-plan.ts';
import { secondsWithin } from './week.ts';
import { lengthOf } from './words.ts';

interface WeekHoursProps {
  week: Week;
  /** Whether everyone's clocks are known, not only the viewer's. */
  hasAllClocks: boolean;
  ownId: string;
}

/** How long each admin is planned for in a week, and how long they were on the clock. */
export function WeekHours({ week, hasAllClocks, ownId }: WeekHoursProps) {
  const { days, shifts, clocks, staff } = week;
  const rows = [...staff.values()]
    .map(({ id, codename, display_color }) => ({
      id,
      codename,
      color: display_color,
      planned: secondsWithin(
        shifts.filter((shift) => shift.admin_id === id),
        days,
      ),
      clocked: secondsWithin(
        clocks.filter((clock) => clock.admin_id === id),
        days,
      ),
    }))
    .filter(({ planned, clocked }) => planned + clocked > 0);
  if (rows.length === 0) return null;
  return (
    <Card title={t('Hours This Week')}>
      <table className="w-full border-t border-line text-control">
        <thead className="text-meta text-fg-3">
          <tr>
            <th scope="col" className="px-4 py-2 text-start font-medium">
              {t('Teammate')}
            </th>
            <th scope="col" className="px-2 py-2 text-end font-medium">
              {t('Planned')}
            </th>
            <th scope="col" className="px-4 py-2 text-end font-medium">
              {t('On the Clock')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, codename, color, planned, clocked }) => (
            <tr key={id} className="border-t border-line">
              <th scope="row" className="max-w-0 px-4 py-2 text-start font-medium">
                <span className="flex items-center gap-2">
                  <span
                    aria-hidden="true"
                    style={{ background: color }}
                    className="size-2 shrink-0 rounded-full"
                  />
                  <span className="truncate">{codename}</span>
                </span>
              </th>
              <td className="px-2 py-2 text-end tabular-nums">{lengthOf(planned)}</td>
              <td className="px-4 py-2 text-end tabular-nums">
                {hasAllClocks || id === ownId ? lengthOf(clocked) : '–'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}
