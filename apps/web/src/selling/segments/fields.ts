import { formatMoney } from '@stagedoor/browser/money';
import type { LanguageCode } from '@stagedoor/contract/language-codes';
import type { SegmentCondition, SegmentField } from '@stagedoor/contract/selling/segment-rules';
import { formatCount } from '../../lib/text/format.ts';
import { locale, t } from '../../lib/text/i18n.ts';
import { languageName, languageNames } from '../../lib/text/language-names.ts';
import { clockTime, dateOf } from '../../lib/text/times.ts';

/** A condition that is being edited. Its value is empty until the user chooses or types a value. */
export interface DraftCondition {
  readonly field: SegmentField;
  readonly op: string;
  readonly value: SegmentCondition['value'];
}

export type FieldKind =
  | 'money'
  | 'count'
  | 'hour'
  | 'time'
  | 'flag'
  | 'status'
  | 'subscription'
  | 'language'
  | 'tag'
  | 'product'
  | 'text';

/** The operators that a field offers, each with its label. */
type Operators = Readonly<Record<string, string>>;

interface Field {
  readonly kind: FieldKind;
  readonly label: string;
  /** A new condition starts with the first operator. */
  readonly ops: Operators;
}

const COMPARISONS = {
  gt: t('more than'),
  gte: t('at least'),
  lt: t('less than'),
  lte: t('at most'),
  eq: t('exactly'),
  ne: t('not exactly'),
};
const HOURS = {
  gte: t('from', 'hour'),
  gt: t('after', 'hour'),
  lt: t('before', 'hour'),
  lte: t('until', 'hour'),
  eq: t('at', 'hour'),
  ne: t('not at', 'hour'),
};
const EQUALITY = { eq: t('is', 'value'), ne: t('is not', 'value') };
const DATES = {
  gte: t('from', 'date'),
  gt: t('after', 'date'),
  lt: t('before', 'date'),
  lte: t('until', 'date'),
  eq: t('exactly at', 'date'),
  ne: t('not at', 'date'),
};
const TIMES = {
  within_days: t('in the last', 'days'),
  not_within_days: t('not in the last', 'days'),
  ...DATES,
};
const COMING_TIMES = {
  within_days: t('in the next', 'days'),
  not_within_days: t('not in the next', 'days'),
  ...DATES,
};

/** The fields of conditions, in the order in which they are offered. */
export const FIELDS: Readonly<Record<SegmentField, Field>> = {
  spent: { kind: 'money', label: t('Spent'), ops: COMPARISONS },
  purchases: { kind: 'count', label: t('Number of purchases'), ops: COMPARISONS },
  last_purchase_at: { kind: 'time', label: t('Last purchase'), ops: TIMES },
  owns_product: {
    kind: 'product',
    label: t('Product bought'),
    ops: { has: t('owns', 'product'), has_not: t('doesn’t own', 'product') },
  },
  offered_product: {
    kind: 'product',
    label: t('Product offered'),
    ops: { has: t('was offered', 'product'), has_not: t('was never offered', 'product') },
  },
  tag: {
    kind: 'tag',
    label: t('Tag'),
    ops: { has: t('has', 'tag'), has_not: t('doesn’t have', 'tag') },
  },
  subscription: { kind: 'subscription', label: t('Subscription'), ops: EQUALITY },
  subscription_ends_at: { kind: 'time', label: t('Subscription ends'), ops: COMING_TIMES },
  last_fan_message_at: { kind: 'time', label: t('Fan’s last message'), ops: TIMES },
  last_creator_message_at: { kind: 'time', label: t('Creator’s last message'), ops: TIMES },
  unread: { kind: 'flag', label: t('Unread messages'), ops: EQUALITY },
  status: { kind: 'status', label: t('Conversation'), ops: EQUALITY },
  claimed: { kind: 'flag', label: t('Claimed by a teammate'), ops: EQUALITY },
  joined_at: { kind: 'time', label: t('Joined'), ops: TIMES },
  language: {
    kind: 'language',
    label: t('Language'),
    ops: { has: t('speaks', 'language'), has_not: t('doesn’t speak', 'language') },
  },
  timezone_hour: { kind: 'hour', label: t('Fan’s local time'), ops: HOURS },
  name: { kind: 'text', label: t('Name'), ops: { contains: t('contains', 'text') } },
};

export const STATUSES = {
  active: t('active', 'conversation'),
  archived: t('archived'),
  flagged: t('flagged'),
};
export const SUBSCRIPTIONS = {
  none: t('none', 'subscription'),
  trial: t('a trial', 'subscription'),
  active: t('active', 'subscription'),
  ended: t('ended', 'subscription'),
};
export const YES_NO = { true: t('yes'), false: t('no') };

const hours = new Intl.DateTimeFormat(locale, {
  timeZone: 'UTC',
  hour: '2-digit',
  minute: '2-digit',
});
/** Formats an hour of the day, 0 to 23, as `14:00`. For `gt` and `lte`, which compare with its end, as `14:59`. */
export const hourText = (hour: number, op = 'gte'): string =>
  hours.format(hour * 3_600_000 + (op === 'gt' || op === 'lte' ? 59 * 60_000 : 0));

export const isRelative = (op: string): boolean => op.endsWith('within_days');

/** Returns whether an operator compares with the start of a day or hour. The text then omits the time if it is midnight. */
export const isLimitAtStart = (op: string): boolean => op === 'gte' || op === 'lt';

/** Returns whether the builder offers an operator. Saved conditions can have other operators. */
export const isOffered = (kind: FieldKind, op: string): boolean =>
  (kind !== 'time' && kind !== 'hour') || isRelative(op) || isLimitAtStart(op);

/** Returns whether a condition requires its flag to be true, as `eq` true and `ne` false do. */
export const flagOf = ({ op, value }: DraftCondition): boolean => (op === 'eq') === value;

/** Returns the operator to select for a condition. The language field offers `has` and `has_not` in place of `eq` and `ne`. */
export const listedOp = ({ field, op }: DraftCondition): string =>
  field !== 'language' ? op : op === 'eq' ? 'has' : op === 'ne' ? 'has_not' : op;

/** Returns a new condition on a field, with a likely value or an empty value. */
export function newCondition(field: SegmentField): DraftCondition {
  const { kind, ops } = FIELDS[field];
  const [op = ''] = Object.keys(ops);
  const likely: Partial<Record<FieldKind, DraftCondition['value']>> = {
    time: 30,
    flag: true,
    status: 'active',
    subscription: 'active',
    language: 'en',
    hour: 9,
  };
  return { field, op, value: likely[kind] ?? '' };
}

/** Looks up names for the ids in conditions. */
export interface Names {
  readonly tag: (labelOrId: string) => string;
  readonly product: (id: string) => string;
}

const BLANK = '…';

const moment = (iso: string, op: string) => {
  const time = clockTime(iso);
  return time === hourText(0) && isLimitAtStart(op) ? dateOf(iso) : `${dateOf(iso)}, ${time}`;
};

/** Returns a condition as a sentence: `Spent more than $50.00`. */
export function conditionWords(condition: DraftCondition, names: Names): string {
  const { field, value } = condition;
  const { kind, label, ops } = FIELDS[field];
  const op = listedOp(condition);
  const isPlain = op === 'has' || op === 'eq';
  const text = value === '' ? BLANK : String(value);
  switch (field) {
    case 'unread':
      return flagOf(condition) ? t('Has unread messages') : t('Has no unread messages');
    case 'claimed':
      return flagOf(condition) ? t('Claimed by a teammate') : t('Not claimed by a teammate');
    case 'tag': {
      const tag = value === '' ? BLANK : names.tag(text);
      return isPlain ? t('Has the tag {tag}', { tag }) : t('Doesn’t have the tag {tag}', { tag });
    }
    case 'language': {
      const language = languageName(text as LanguageCode);
      return isPlain
        ? t('Speaks {language}', { language })
        : t('Doesn’t speak {language}', { language });
    }
    case 'owns_product': {
      const product = value === '' ? BLANK : names.product(text);
      return isPlain ? t('Owns {product}', { product }) : t('Doesn’t own {product}', { product });
    }
    case 'offered_product': {
      const product = value === '' ? BLANK : names.product(text);
      return isPlain
        ? t('Was offered {product}', { product })
        : t('Was never offered {product}', { product });
    }
    case 'name':
      return t('Name contains “{text}”', { text });
    default: {
      const test =
        isRelative(op) && typeof value === 'number'
          ? daysText(op, value, field === 'subscription_ends_at')
          : `${ops[op] ?? op} ${valueText(kind, value, op)}`;
      return kind === 'count'
        ? t('{field}: {test}', { field: label, test })
        : t('{field} {test}', { field: label, test });
    }
  }
}

function valueText(kind: FieldKind, value: DraftCondition['value'], op = 'gte'): string {
  if (value === '') return BLANK;
  switch (kind) {
    case 'money':
      return formatMoney(Number(value));
    case 'count':
      return formatCount(Number(value));
    case 'hour':
      return hourText(Number(value), op);
    case 'status':
      return STATUSES[value as keyof typeof STATUSES];
    case 'subscription':
      return SUBSCRIPTIONS[value as keyof typeof SUBSCRIPTIONS];
    default:
      return moment(String(value), op);
  }
}

function daysText(op: string, days: number, isComing: boolean): string {
  const isWithin = op === 'within_days';
  if (isComing)
    return isWithin
      ? t('in the next {days, plural, one {day} other {# days}}', { days })
      : t('not in the next {days, plural, one {day} other {# days}}', { days });
  return isWithin
    ? t('in the last {days, plural, one {day} other {# days}}', { days })
    : t('not in the last {days, plural, one {day} other {# days}}', { days });
}

/** A fan's own value of a field, as an explanation returns it. */
export type Actual = string | number | boolean | readonly string[] | null;

/** Returns a fan's own value of a field in words: `$120.00`. */
export function actualWords(field: SegmentField, actual: Actual): string {
  const { kind } = FIELDS[field];
  if (field === 'timezone_hour' && actual === null) return t('time zone unknown');
  if (field === 'subscription_ends_at' && actual === null) return t('no end date');
  if (kind === 'time' && actual === null) return t('never');
  if (actual === null) return t('nothing');
  if (typeof actual === 'boolean') return actual ? YES_NO.true : YES_NO.false;
  if (Array.isArray(actual)) {
    if (actual.length === 0) return field === 'tag' ? t('no tags') : t('no language noted');
    return field === 'language' ? languageNames(actual as LanguageCode[]) : actual.join(', ');
  }
  return kind === 'text' ? String(actual) : valueText(kind, actual as string | number);
}
