import type { StaffMember } from '@stagedoor/contract/team/staff';
import { ChartColumn } from 'lucide-react';
import { useIsSplit } from '../../lib/media-query.ts';
import { lengthText } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { Dot } from '../../ui/dot.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import type { Week } from './use-plan.ts';
import { secondsWithin } from './week.ts';

interface WeekHoursProps {
  week: Week;
  /** Whether everyone's clocks and figures are known, not only the viewer's. */
  hasAll: boolean;
  ownId: string;
  onFigures: (admin: StaffMember) => void;
}

/** Each admin's planned hours in a week, and their hours on the clock. */
export function WeekHours({ week, hasAll, ownId, onFigures }: WeekHoursProps) {
  const { days, shifts, clocks, staff } = week;
  const isSplit = useIsSplit();
  const rows = [...staff.values()]
    .map((admin) => ({
      admin,
      planned: secondsWithin(
        shifts.filter((shift) => shift.admin_id === admin.id),
        days,
      ),
      clocked: secondsWithin(
        clocks.filter((clock) => clock.admin_id === admin.id),
        days,
      ),
    }))
    .filter(({ planned, clocked }) => planned + clocked > 0);
  if (rows.length === 0) return null;
  return (
    <section
      aria-label={t('Hours This Week')}
      // A scrolling region must be reachable by keyboard.
      tabIndex={isSplit ? 0 : undefined}
      className="rounded-control md:max-h-[max(180px,30dvh)] md:overflow-y-auto"
    >
      <h2 className="mb-2 text-control font-semibold md:sr-only">{t('Hours This Week')}</h2>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(230px,100%),1fr))] gap-2">
        {rows.map(({ admin, planned, clocked }) => {
          const isSeen = hasAll || admin.id === ownId;
          const values = { planned: lengthText(planned), clocked: lengthText(clocked) };
          return (
            <li
              key={admin.id}
              className="flex min-w-0 items-center gap-2 rounded-control border border-line bg-surface py-1.5 ps-3 pe-1.5"
            >
              <Dot color={admin.display_color} />
              <p className="me-auto min-w-0">
                <span className="block truncate text-control font-semibold">{admin.codename}</span>
                <span className="block text-meta text-balance text-fg-2 tabular-nums">
                  {isSeen
                    ? t('{clocked} of {planned} planned', values)
                    : t('{planned} planned', values)}
                </span>
              </p>
              {isSeen && (
                <IconButton
                  label={t('{name}’s Figures', { name: admin.codename })}
                  icon={<ChartColumn />}
                  onClick={() => onFigures(admin)}
                />
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
