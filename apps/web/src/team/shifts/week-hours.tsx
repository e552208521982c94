import type { StaffMember } from '@stagedoor/contract/team/staff';
import { ChartColumn } from 'lucide-react';
import { lengthText } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Dot } from '../../ui/dot.tsx';
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
    <Card title={t('Hours This Week')}>
      <div className="overflow-x-auto">
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
              <th scope="col">
                <span className="sr-only">{t('Figures')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ admin, planned, clocked }) => (
              <tr key={admin.id} className="border-t border-line">
                <th scope="row" className="max-w-0 px-4 py-2 text-start font-medium">
                  <span className="flex items-center gap-2">
                    <Dot color={admin.display_color} />
                    <span className="truncate">{admin.codename}</span>
                  </span>
                </th>
                <td className="px-2 py-2 text-end tabular-nums">{lengthText(planned)}</td>
                <td className="px-4 py-2 text-end tabular-nums">
                  {hasAll || admin.id === ownId ? lengthText(clocked) : '–'}
                </td>
                <td className="w-0 py-1 pe-3">
                  {(hasAll || admin.id === ownId) && (
                    <Button
                      size="small"
                      aria-label={t('Figures of {name}', { name: admin.codename })}
                      icon={<ChartColumn />}
                      onClick={() => onFigures(admin)}
                    >
                      <span className="max-md:sr-only">{t('Figures')}</span>
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}
