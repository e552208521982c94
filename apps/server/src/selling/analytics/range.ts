import { invalidRequest } from '../../errors.ts';

/** ISO instants: `start` included, `end` excluded. */
export interface Span {
  readonly start: string;
  readonly end: string;
}

/** The range in a request. */
export interface RangeQuery {
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
}

/** How far a message's time may be ahead of the clock: messages in a burst get times one millisecond apart. */
const GRACE_MS = 1_000;
const DAY_MS = 24 * 3_600_000;
const YEARS_MAX = 10;
const RANGE_MAX_MS = YEARS_MAX * 366 * DAY_MS;

/**
 * Resolves a range to a span; an empty range to an empty span at the epoch.
 * @param known the database's clock, and the first instant with data. The range starts there by default, but at most ten years back
 * @throws AppError 400 for a range with over ten years of data
 */
export function resolveRange(
  query: RangeQuery,
  known: { readonly now: Date; readonly first: Date | null },
): Span {
  const latest = known.now.getTime() + GRACE_MS;
  const end = Math.min(query.end_date === undefined ? latest : Date.parse(query.end_date), latest);
  const first = known.first?.getTime() ?? end;
  const asked =
    query.start_date === undefined
      ? Math.max(first, end - RANGE_MAX_MS)
      : Date.parse(query.start_date);
  const start = end - asked > RANGE_MAX_MS ? Math.max(asked, first) : asked;
  if (end - start > RANGE_MAX_MS) {
    throw invalidRequest({ start_date: `Must be within ${YEARS_MAX} years of the end` });
  }
  if (start >= end) return { start: EPOCH, end: EPOCH };
  return { start: new Date(start).toISOString(), end: new Date(end).toISOString() };
}

const EPOCH = new Date(0).toISOString();

/**
 * Returns the whole days (UTC) of a span before `upTo`, which is itself the start of a day.
 * @param length returns only whole blocks of this length in days, counted from the epoch
 * @returns the start and end, both within the span; equal if there are none
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
