/** How fast a call must be. */
export interface Goal {
  /** Maximum ratio of the call's p50 to that of another call or a floor (a bare server with one statement) on the same database. */
  readonly p50?: { readonly times: number; readonly of: string };
  /** Maximum times in milliseconds. */
  readonly p95?: number;
  readonly p99?: number;
  readonly p50Ms?: number;
  /** Maximum ratio of the call's time to its time with a tenth of the conversations. */
  readonly growth?: number;
}

/** The names of the floors in the results. */
export const FLOOR_INBOX = 'floor: 20 conversations';
export const FLOOR_ONE = 'floor: one conversation';
export const FLOOR_MESSAGES = 'floor: 50 messages';
/** Only the statement behind the stat tiles, including the round trip to the database. */
export const TILES_SQL = 'stat tiles, SQL alone';

const GROWTH = 1.25;

/** The first pattern that matches a call's name applies. */
const GOALS: readonly (readonly [RegExp, Goal])[] = [
  [
    /^inbox: (all|unread|archived|mine) by (\w+), (middle|last) page$/,
    { p50: { times: 1.5, of: 'inbox: all by unread_first' }, growth: GROWTH },
  ],
  [/^inbox: \w+ by /, { p50: { times: 2, of: FLOOR_INBOX }, growth: GROWTH }],
  [/^my conversations$/, { p50: { times: 2, of: FLOOR_INBOX }, growth: GROWTH }],
  [/^stats$/, { p50: { times: 2, of: FLOOR_INBOX }, growth: GROWTH }],
  [new RegExp(`^${TILES_SQL}$`), { p50Ms: 1 }],
  [/^search: .*(2 letters|no letters)/, { p99: 150 }],
  [/^search: /, { p99: 60 }],
  [/^conversation$/, { p50: { times: 2, of: FLOOR_ONE }, growth: GROWTH }],
  [/^messages: /, { p50: { times: 2, of: FLOOR_MESSAGES }, growth: GROWTH }],
  [/^segment: /, { p95: 1_000 }],
  [/^(fan facts|fan offers|statements|promises)/, { p50Ms: 5 }],
];

export const goalOf = (name: string): Goal | null =>
  GOALS.find(([pattern]) => pattern.test(name))?.[1] ?? null;

/** Returns the floor to measure right before a call: the one in its goal, else the inbox floor. Null without a growth goal. */
export function floorOf(name: string): string | null {
  const goal = goalOf(name);
  if (goal?.growth === undefined) return null;
  const of = goal.p50?.of ?? '';
  return of.startsWith('floor: ') ? of : FLOOR_INBOX;
}
