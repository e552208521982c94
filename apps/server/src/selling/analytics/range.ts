import { invalidRequest } from '../../errors.ts';

/** Instants as ISO texts: from `start` on, before `end`. */
export interface Span {
  readonly start: string;
  readonly end: string;
}

/** What a caller asks about, as the contract has it. */
export interface RangeQuery {
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
}

/** Messages of a burst are given times ahead of the clock, a millisecond each: these happened too. */
const GRACE_MS = 1_000;
const DAY_MS = 24 * 3_600_000;
const YEARS_MAX = 10;
const RANGE_MAX_MS = YEARS_MAX * 366 * DAY_MS;

/**
 * @returns the epoch twice where nothing lies between
 * @param known the database's clock, and when the first thing happened: all time begins there, or ten years ago
 * @throws AppError 400 for more than ten years, whose days nobody would look at
 */
export function resolveRange(
  query: RangeQuery,
  known: { readonly now: Date; readonly first: Date | null },
): Span {
  const latest = known.now.getTime() + GRACE_MS;
  const end = Math.min(query.end_date === undefined ? latest : Date.parse(query.end_date), latest);
  const start =
    query.start_date === undefined
      ? Math.max(known.first?.getTime() ?? end, end - RANGE_MAX_MS)
      : Date.parse(query.start_date);
  if (end - start > RANGE_MAX_MS) {
    throw invalidRequest({ start_date: `Must be within ${YEARS_MAX} years of the end` });
  }
  // Nothing was sold before there were computers to tell the time.
  if (start >= end || end <= 0) return { start: EPOCH, end: EPOCH };
  return { start: new Date(Math.max(start, 0)).toISOString(), end: new Date(end).toISOString() };
}

const EPOCH = new Date(0).toISOString();

/**
 * The whole days (UTC) of a span up to an instant that is itself the beginning of a day.
 * @param length of what counts as one; counted from the epoch
 * @returns where they begin and end, both within the span; the same place where there are none
 */
export function wholeDays(
  span: Span,
  upTo: Date,
  length = 1,
): { readonly from: string; readonly to: string } {
  const unit = length * DAY_MS;
  const [start, end] = [Date.parse(span.start), Date.parse(span.end)];
  const from = Math.ceil(start / unit) * unit;
  const to = Math.floor(Math.min(end, upTo.getTime()) / unit) * unit;
  if (from >= to) return { from: span.end, to: span.end };
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
}
