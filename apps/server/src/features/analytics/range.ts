import { invalidRequest } from '../../errors.ts';
import { daysOf, type ZonedDay } from './zoned-days.ts';

/** Instants as ISO texts: from `start` on, before `end`. */
export interface Span {
  readonly start: string;
  readonly end: string;
}

/** A span, and the days of the viewer's that it touches; both empty where there is nothing to tell. */
export interface Range extends Span {
  readonly days: readonly ZonedDay[];
}

/** What a caller asks about, as the contract has it. */
export interface RangeQuery {
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
  readonly tz?: string | undefined;
}

/** Messages of a burst are given times ahead of the clock, a millisecond each: these happened too. */
const GRACE_MS = 1_000;
const YEARS_MAX = 10;
const RANGE_MAX_MS = YEARS_MAX * 366 * 24 * 3_600_000;

/**
 * @param known the database's clock, and when the first thing happened: all time begins there
 * @throws AppError 400 for more than ten years, whose days nobody would look at
 */
export function resolveRange(
  query: RangeQuery,
  known: { readonly now: Date; readonly first: Date | null },
): Range {
  const latest = known.now.getTime() + GRACE_MS;
  const asked = query.end_date === undefined ? latest : Date.parse(query.end_date);
  const end = Math.min(asked, latest);
  const start =
    query.start_date === undefined ? (known.first?.getTime() ?? end) : Date.parse(query.start_date);
  if (end - start > RANGE_MAX_MS && query.start_date !== undefined) {
    throw invalidRequest({ start_date: `Must be within ${YEARS_MAX} years of the end` });
  }
  if (start >= end) return { start: NEVER, end: NEVER, days: [] };
  return {
    start: new Date(start).toISOString(),
    end: new Date(end).toISOString(),
    days: daysOf(start, end, query.tz ?? 'UTC'),
  };
}

const NEVER = new Date(0).toISOString();
