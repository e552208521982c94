/** How quick a call is to be. */
export interface Goal {
  /** At most so many times the p50 of another call of the same database, or of the floor: a bare server with one statement. */
  readonly p50?: { readonly times: number; readonly of: string };
  /** Milliseconds, at most. */
  readonly p99?: number;
  readonly p50Ms?: number;
  /** At most so many times as long as with a tenth of the conversations. */
  readonly growth?: number;
}

/** The names of the floors among what is measured. */
export const FLOOR_INBOX = 'floor: 20 conversations';
export const FLOOR_ONE = 'floor: one conversation';
export const FLOOR_MESSAGES = 'floor: 50 messages';
/** The tiles' statement alone, with the way to the database and back. */
export const TILES_SQL = 'stat tiles, SQL alone';

const GROWTH = 1.25;

/** The first whose pattern fits a call's name holds. */
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
  [/^(fan facts|fan offers|statements|promises)/, { p50Ms: 5 }],
];

export const goalOf = (name: string): Goal | null =>
  GOALS.find(([pattern]) => pattern.test(name))?.[1] ?? null;

/** What is measured beside a call, right before it: the floor that its goal names, or of its kind. */
export function floorOf(name: string): string | null {
  const goal = goalOf(name);
  if (goal?.growth === undefined) return null;
  const of = goal.p50?.of ?? '';
  return of.startsWith('floor: ') ? of : FLOOR_INBOX;
}
