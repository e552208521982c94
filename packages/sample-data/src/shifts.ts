import type { Random } from './random.ts';
import { idOf, type Row } from './row.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const LENGTH_MS = 8 * HOUR_MS;
/** The hour (UTC) at which each admin's shifts start. */
const STARTS = [8, 14, 16, 22, 9];
/** The first and last day with shifts, relative to today. */
const DAYS = [-14, 6] as const;
const NOTES = ['', '', '', 'Quiet hours in Brazil', '', '', 'New templates: try them', ''];

/** The rows of planned shifts, clocks, and earning rules. */
export interface ShiftTables {
  readonly shifts: Row[];
  readonly clocks: Row[];
  readonly earning_rules: Row[];
}

interface Team {
  readonly adminIds: readonly string[];
  /** Rows of messages. */
  readonly messages: readonly Row[];
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly random: Random;
}

/** Returns three weeks of shifts, five a week for each admin, and clocks for the past shifts. */
export function sampleShifts({ adminIds, messages, now, random }: Team): ShiftTables {
  const today = Math.floor(now / DAY_MS);
  const shifts: Row[] = [];
  const clocks: Row[] = [];
  adminIds.forEach((adminId, index) => {
    const acts = messages
      .filter((message) => message.author_id === adminId)
      .map((message) => Date.parse(String(message.created_at)))
      .toSorted((a, b) => a - b);
    for (let day = today + DAYS[0]; day <= today + DAYS[1]; day++) {
      if ((day + 2 * index) % 7 < 2) continue;
      const start = day * DAY_MS + (STARTS[index % STARTS.length] ?? 0) * HOUR_MS;
      shifts.push({
        id: idOf(`shift ${index} ${day - today}`),
        admin_id: adminId,
        starts_at: iso(start),
        ends_at: iso(start + LENGTH_MS),
        note: NOTES[(day + index) % NOTES.length],
        series_id: idOf(`shifts ${index}`),
      });
      const began = start + Math.round(random.between(-9, 6)) * MINUTE_MS;
      const left = start + LENGTH_MS + Math.round(random.between(-5, 12)) * MINUTE_MS;
      const forgot = random.chance(0.1);
      if (left > now) continue;
      const last = acts.findLast((at) => at > began && at < left) ?? null;
      // If an admin forgot to clock out, their clock stopped at their last message.
      const idledAt = forgot ? last : null;
      clocks.push({
        id: idOf(`clock ${index} ${day - today}`),
        admin_id: adminId,
        started_at: iso(began),
        last_act_at: iso(last ?? left),
        ended_at: iso(idledAt ?? left),
        stopped_by: idledAt === null ? 'admin' : 'idle',
      });
    }
  });
  return { shifts, clocks, earning_rules: rulesBy(adminIds[0], now) };
}

/** Percent of net sales and USD an hour, by role. */
const TERMS = {
  support: [12, 14],
  moderator: [8, 18],
  manager: [5, 25],
  creator: [15, 20],
} as const;

/** Returns earning rules that took effect before the oldest sample message. */
const rulesBy = (adminId: string | undefined, now: number): Row[] =>
  adminId === undefined
    ? []
    : Object.entries(TERMS).map(([role, [percent, hourly]]) => ({
        role,
        percent_hundredths: percent * 100,
        hourly_cents: hourly * 100,
        credit: 'sender',
        effective_at: iso(now - 200 * DAY_MS),
        created_by: adminId,
        created_at: iso(now - 200 * DAY_MS),
      }));

const iso = (at: number) => new Date(at).toISOString();
