import { language, locale, t } from './i18n.ts';

/** The page's language with this browser's region, which decides the order of day and month and the first day of the week. */
const region =
  globalThis.navigator?.languages?.find((tag) => tag.split('-')[0] === language) ?? language;

/** A region's numeric date format. */
export interface DateOrder {
  readonly format: Intl.DateTimeFormat;
  /** The order of `year`, `month` and `day`, and the text between them. */
  readonly parts: readonly Intl.DateTimeFormatPart[];
}

/** Returns the numeric date format of a region such as `en-GB`. */
export function dateOrderOf(tag: string): DateOrder {
  const format = new Intl.DateTimeFormat(tag, {
    calendar: 'gregory',
    numberingSystem: 'latn',
    timeZone: 'UTC',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  return { format, parts: format.formatToParts(0) };
}

const own = dateOrderOf(region);
const clock = new Intl.DateTimeFormat(locale, {
  timeZone: 'UTC',
  hour: '2-digit',
  minute: '2-digit',
});

/** Invisible marks in Arabic dates. The caret would stop at each of them. */
const DIRECTION_MARKS = /[\u061c\u200e\u200f]/g;
const ARABIC_DIGITS = /[\u0660-\u0669]/g;

const clean = (text: string) =>
  text
    .replace(DIRECTION_MARKS, '')
    .replace(ARABIC_DIGITS, (digit) => String(digit.charCodeAt(0) - 0x0660))
    .trim();

/** Formats a date such as `2026-11-23` for a field, in numbers; empty for an empty date. */
export function showDate(date: string, { format }: DateOrder = own): string {
  const at = Date.parse(`${date}T00:00Z`);
  return Number.isNaN(at) ? '' : clean(format.format(at));
}

/** Returns the order of a date's parts for a field's placeholder: `DD/MM/YYYY`. */
export function dateHint({ parts }: DateOrder = own): string {
  const names: Readonly<Record<string, string>> = {
    year: t('YYYY', 'date format'),
    month: t('MM', 'date format'),
    day: t('DD', 'date format'),
  };
  return clean(parts.map(({ type, value }) => names[type] ?? value).join(''));
}

/**
 * Returns a typed date as `2026-11-23`; null for any other text. Accepts the region's order with or without separators, and
 * dates that begin with the year in any region. The year may have two digits; if it is missing, the current year is used.
 */
export function readDate(
  text: string,
  thisYear: string,
  { parts }: DateOrder = own,
): string | null {
  const typed = clean(text);
  if (!/^[\d\s./,-]+$/.test(typed)) return null;
  const order = parts.map(({ type }) => type).filter((type) => type !== 'literal');
  let groups: readonly string[] = typed.match(/\d+/g) ?? [];
  if (groups.length === 1) groups = split(groups[0] ?? '', order);
  const isYearFirst = groups.length === 3 && groups[0]?.length === 4;
  const kinds = (isYearFirst ? ['year', 'month', 'day'] : order).filter(
    (kind) => groups.length === 3 || kind !== 'year',
  );
  if (groups.length !== kinds.length) return null;
  const given = Object.fromEntries(kinds.map((kind, index) => [kind, groups[index] ?? '']));
  const { year = thisYear, month = '', day = '' } = given;
  const fullYear = year.length === 2 ? `20${year}` : year;
  const date = `${fullYear}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const at = Date.parse(`${date}T00:00Z`);
  // Some engines turn February 30 into March 2.
  const isReal = !Number.isNaN(at) && new Date(at).toISOString().slice(0, 10) === date;
  return isReal ? date : null;
}

/** Splits digits without separators, which phone keypads lack: `23112026`, `231126` or `2311`. */
function split(digits: string, order: readonly string[]): string[] {
  const year = digits.length - 4;
  if (year !== 4 && year !== 2 && year !== 0) return [];
  let rest = digits;
  return order
    .map((kind) => {
      const length = kind === 'year' ? year : 2;
      const part = rest.slice(0, length);
      rest = rest.slice(length);
      return part;
    })
    .filter((part) => part !== '');
}

/** Formats a time such as `18:00` for a field; empty for an empty time. */
export function showTime(time: string): string {
  const at = Date.parse(`1970-01-01T${time}Z`);
  return time === '' || Number.isNaN(at) ? '' : clean(clock.format(at));
}

const TIME = /^(\d{1,2}?)(?:\s*[:.h]?\s*(\d\d))?\s*(?:([apصم])\.?m?\.?)?$/i;

/** Returns a typed time as `18:00`; null for any other text. Accepts `9`, `930`, `9.30`, `9h30` and `9:30 pm`. */
export function readTime(text: string): string | null {
  const [, hours, minutes = '00', half] = TIME.exec(clean(text)) ?? [];
  if (hours === undefined) return null;
  const hour = half === undefined ? Number(hours) : halfDay(Number(hours), half);
  if (hour === null || hour > 23 || Number(minutes) > 59) return null;
  return `${String(hour).padStart(2, '0')}:${minutes}`;
}

function halfDay(hour: number, half: string): number | null {
  if (hour < 1 || hour > 12) return null;
  return (hour % 12) + (/[pم]/i.test(half) ? 12 : 0);
}

interface WeekLocale extends Intl.Locale {
  getWeekInfo?: () => { firstDay: number };
  weekInfo?: { firstDay: number };
}

/** Returns the first day of the week, 0 for Sunday; Monday if the browser doesn't know. */
export function firstWeekday(): number {
  const known: WeekLocale = new Intl.Locale(region);
  return (known.getWeekInfo?.() ?? known.weekInfo ?? { firstDay: 1 }).firstDay % 7;
}
