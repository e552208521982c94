import type { Clock, Shift } from '@stagedoor/contract/team/shifts';
import type { StaffMember } from '@stagedoor/contract/team/staff';
import { Timer } from 'lucide-react';
import { t } from '../../lib/text/i18n.ts';
import { formatMoment } from '../../lib/text/zoned-time.ts';
import { Dot } from '../../ui/dot.tsx';
import { timeIn } from './words.ts';

interface OnNowProps {
  /** The plan of this week. */
  plan: {
    data: readonly Shift[];
    clocks: readonly Clock[];
    staff: readonly StaffMember[];
    time_zone: string;
  };
  /** Milliseconds. */
  now: number;
}

/** Who is on shift or on the clock now, and who comes next. */
export function OnNow({ plan, now }: OnNowProps) {
  const { data: shifts, clocks, time_zone: zone } = plan;
  const staff = new Map(plan.staff.map((member) => [member.id, member]));
  const onClock = new Set(
    clocks.filter(({ ended_at }) => ended_at === null).map(({ admin_id }) => admin_id),
  );
  const begun = shifts.filter(({ starts_at }) => Date.parse(starts_at) <= now);
  const ends = new Map(
    begun
      .filter(({ ends_at }) => Date.parse(ends_at) > now)
      .map(({ admin_id, ends_at }) => [admin_id, ends_at]),
  );
  const people = [...new Set([...ends.keys(), ...onClock])];
  const [next] = shifts
    .filter((shift) => !begun.includes(shift))
    .toSorted((a, b) => Date.parse(a.starts_at) - Date.parse(b.starts_at));
  const nameOf = (id: string) => staff.get(id)?.codename ?? '';
  return (
    <section
      aria-label={t('On Shift Now')}
      className="flex min-h-11 flex-1 basis-80 flex-wrap items-center gap-x-4 gap-y-1 rounded-card border border-line bg-surface px-4 py-2 text-control"
    >
      {people.length === 0 ? (
        <span>{t('Nobody is on shift now')}</span>
      ) : (
        <>
          <h2 className="font-semibold">{t('On Shift Now')}</h2>
          <ul className="contents">
            {people.map((id) => {
              const until = ends.get(id);
              const name = nameOf(id);
              return (
                <li key={id} className="flex min-w-0 items-center gap-1.5">
                  <Dot color={staff.get(id)?.display_color ?? ''} />
                  <span className="truncate tabular-nums">
                    {until === undefined
                      ? name
                      : t('{name} until {time}', { name, time: timeIn(until, zone) })}
                  </span>
                  {onClock.has(id) && (
                    <Timer role="img" aria-label={t('On the Clock')} className="text-good" />
                  )}
                </li>
              );
            })}
          </ul>
        </>
      )}
      {next && (
        <span className="text-fg-2 tabular-nums">
          {t('Next: {name} · {time}', {
            name: nameOf(next.admin_id),
            time: formatMoment(Date.parse(next.starts_at), now, zone),
          })}
        </span>
      )}
    </section>
  );
}
