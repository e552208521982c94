import type { Clock, Shift } from '@stagedoor/contract/team/shifts';
import type { StaffMember } from '@stagedoor/contract/team/staff';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { ownZone, toLocal } from '../../lib/text/zoned-time.ts';
import { useNow } from '../../lib/use-now.ts';
import { planOptions } from './queries.ts';
import { type Day, daysFrom, type Times, weekStart } from './week.ts';

/** When a clock started and ended; for a running clock, the end is now. */
export interface ClockTimes extends Times, Pick<Clock, 'id' | 'admin_id'> {
  readonly isRunning: boolean;
}

/** A week of the plan, ready to show. */
export interface Week {
  readonly days: readonly Day[];
  readonly zone: string;
  /** Today's date in the zone. */
  readonly today: string;
  /** Milliseconds. */
  readonly now: number;
  readonly shifts: readonly Shift[];
  readonly clocks: readonly ClockTimes[];
  readonly staff: ReadonlyMap<string, StaffMember>;
}

const DATE = /^\d{4}-\d\d-\d\d$/;
const NOBODY: readonly StaffMember[] = [];

/** Returns the week in the page's URL, by default the current week, with its plan. */
export function usePlan() {
  const { search } = useLocation();
  const navigate = useNavigate();
  const asked = new URLSearchParams(search).get('week') ?? '';
  const now = useNow();
  // This week's plan, which contains the team's time zone. Uses the browser's zone, so near midnight it may be the wrong week.
  const current = useQuery(planOptions(weekStart(toLocal(now, ownZone()).slice(0, 10)))).data;
  const zone = current?.time_zone;
  const today = toLocal(now, zone ?? ownZone()).slice(0, 10);
  const isDate = DATE.test(asked) && !Number.isNaN(Date.parse(asked));
  const first = weekStart(isDate ? asked : today);
  const plan = useQuery(planOptions(first));
  const { data } = plan;
  const shownZone = data?.time_zone ?? zone ?? ownZone();
  const staff = data?.staff ?? NOBODY;

  const week = useMemo<Week>(
    () => ({
      days: daysFrom(first, shownZone),
      zone: shownZone,
      today,
      now,
      shifts: data?.data ?? [],
      clocks: (data?.clocks ?? []).map(({ id, admin_id, started_at, ended_at }) => ({
        id,
        admin_id,
        starts_at: started_at,
        ends_at: ended_at ?? new Date(now).toISOString(),
        isRunning: ended_at === null,
      })),
      staff: new Map(staff.map((member) => [member.id, member])),
    }),
    [first, shownZone, today, now, data, staff],
  );
  const goTo = useCallback(
    (date: string) => void navigate(`/shifts?week=${weekStart(date)}`, { replace: true }),
    [navigate],
  );
  return { plan, week, goTo, current };
}
