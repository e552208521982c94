import { SERIES_MAX_SHIFTS, SERIES_MAX_WEEKS } from '@stagedoor/contract/team/shifts';
import { RRuleTemporal } from 'rrule-temporal';
import { invalidField } from '../../errors.ts';

interface Pattern {
  /** A recurrence rule of RFC 5545, without its start. */
  readonly rule: string;
  /** Days without a shift, as `YYYY-MM-DD`. */
  readonly except: readonly string[];
}

const WEEK_MS = 7 * 86_400_000;
const FIELD = 'repeat.rule';

/**
 * Returns the starts of a pattern's shifts, all at the same time of day in the zone, even if its offset changes.
 * @throws AppError 400 for a rule that is invalid or not daily or weekly, or that has no shifts or too many
 */
export function startsOf({ rule, except }: Pattern, first: Date, timeZone: string): Date[] {
  const parts = rule.split(';').map((part) => part.split('=')[0] ?? '');
  if (!/(^|;)FREQ=(DAILY|WEEKLY)(;|$)/.test(rule) || parts.some((part) => !ALLOWED.has(part)))
    throw invalidField(FIELD, 'A pattern repeats daily or weekly');
  const start = wallClock(first, timeZone);
  const skipped = new Set(except);
  const starts = occurrences(`DTSTART;TZID=${timeZone}:${start}\nRRULE:${rule}`)
    .filter((occurrence) => !skipped.has(occurrence.toPlainDate().toString()))
    .map(({ epochMilliseconds }) => new Date(epochMilliseconds));
  const last = starts.at(-1);
  if (last === undefined) throw invalidField(FIELD, 'This pattern has no shifts');
  if (
    starts.length > SERIES_MAX_SHIFTS ||
    last.getTime() - first.getTime() > SERIES_MAX_WEEKS * WEEK_MS
  ) {
    throw invalidField(
      FIELD,
      `A pattern can have at most ${SERIES_MAX_SHIFTS} shifts within ${SERIES_MAX_WEEKS} weeks. Choose an earlier end.`,
    );
  }
  return starts;
}

const ALLOWED: ReadonlySet<string> = new Set([
  'FREQ',
  'INTERVAL',
  'BYDAY',
  'UNTIL',
  'COUNT',
  'WKST',
]);

function occurrences(rruleString: string) {
  try {
    // The maximum number of shifts, plus up to 100 excluded days, plus one, so that the caller notices too many shifts.
    return new RRuleTemporal({ rruleString, maxIterations: 2_000 }).all(
      (_, index) => index < SERIES_MAX_SHIFTS + 101,
    );
  } catch {
    throw invalidField(FIELD, 'This is not a recurrence rule');
  }
}

/** Formats an instant in the zone's local time, such as `20261019T090000`. */
function wallClock(at: Date, timeZone: string): string {
  const shown = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(at);
  return shown.replaceAll(/[-:]/g, '').replace(' ', 'T');
}
