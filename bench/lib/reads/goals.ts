/** How quick a call is to be. */
export interface Goal {
  /** At most so many times the p50 of another call of the same run, or of the floor: a bare server with one statement. */
  readonly p50?: { readonly times: number; readonly of: string };
  /** Milliseconds, at most. */
  readonly p99?: number;
}

/** The name of the floor among what is measured. */
export const FLOOR_INBOX = 'floor: 20 conversations';
export const FLOOR_MESSAGES = 'floor: 50 messages';

/** The first whose pattern fits a call's name holds. */
export const GOALS: readonly (readonly [RegExp, Goal])[] = [
  [
    /^inbox: (all|unread|archived|mine) by (\w+), (middle|last) page$/,
    { p50: { times: 1.5, of: 'inbox: all by unread_first' } },
  ],
  [/^inbox: \w+ by /, { p50: { times: 2, of: FLOOR_INBOX } }],
  [/^my conversations$/, { p50: { times: 2, of: FLOOR_INBOX } }],
  [/^stats$/, { p50: { times: 2, of: FLOOR_INBOX } }],
  [/^search: .*(2 letters|no letters)/, { p99: 150 }],
  [/^search: /, { p99: 60 }],
  [/^conversation$/, { p50: { times: 2, of: FLOOR_INBOX } }],
  [/^messages: /, { p50: { times: 2, of: FLOOR_MESSAGES } }],
];
