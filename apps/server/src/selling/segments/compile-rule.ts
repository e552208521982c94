import { toCents } from '@stagedoor/contract/selling/cents';
import {
  isRule,
  partsOf,
  type SegmentCondition,
  type SegmentField,
  type SegmentRule,
} from '@stagedoor/contract/selling/segment-rules';
import { isUuid } from '../../db/database.ts';
import { FAN_NAME } from '../../db/fan-name.ts';
import { isoText } from '../../db/iso-text.ts';
import { escapeLike } from '../../db/like.ts';
import type { AddValue } from '../../db/searches.ts';
import { lastWritten } from '../../db/written-times.ts';
import { taggedFans, UNREAD } from '../../inbox/conversations/inbox-page.ts';

interface CompiledCondition {
  /** The condition's path in the rule, for example `all.0`. */
  readonly path: string;
  /** Null counts as false. */
  readonly matches: string;
  /** Returns SQL for the fan's value of the field, as jsonb. */
  readonly actual: () => string;
}

/** A rule as an SQL condition on the conversation `c`. */
export interface CompiledRule {
  /** The joins that the condition needs. */
  readonly joins: string;
  /** Null counts as false. */
  readonly matches: string;
  readonly conditions: readonly CompiledCondition[];
}

const JOINS = {
  fan: 'join fans f on f.id = c.fan_id',
  spending: 'left join fan_spending s on s.fan_id = c.fan_id',
  benefit: 'left join fan_benefits b on b.fan_id = c.fan_id',
} as const;

/** SQL to test and to show a field. It never contains text from a client: values are added as parameters. */
interface FieldSql {
  readonly joins?: keyof typeof JOINS;
  /** The condition that the fan matches. */
  readonly matches: (op: string, value: unknown, add: AddValue) => string;
  /** The fan's value, as jsonb. */
  readonly actual: (value: unknown, add: AddValue) => string;
}

const COMPARED: Readonly<Record<string, string>> = {
  eq: '=',
  ne: 'is distinct from',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
};

const compare = (expression: string, op: string, parameter: string) =>
  `(${expression}) ${COMPARED[op]} ${parameter}`;

const shown = (expression: string) => () => `to_jsonb(${expression})`;

/** @param stored converts the value to the stored form, which has the given SQL type */
const scalar = (
  expression: string,
  type: string,
  stored: (value: unknown) => unknown = (value) => value,
): FieldSql['matches'] => {
  return (op, value, add) => compare(expression, op, `${add(stored(value))}::${type}`);
};

/** @param within returns the condition for `within_days` */
function time(
  expression: string,
  within: (days: string) => string = (days) =>
    `${expression} >= now() - make_interval(days => ${days})`,
): Pick<FieldSql, 'matches' | 'actual'> {
  const compared = scalar(expression, 'timestamptz', (value) =>
    new Date(String(value)).toISOString(),
  );
  return {
    matches(op, value, add) {
      if (op === 'within_days') return within(`${add(value)}::int`);
      if (op === 'not_within_days') return `(${within(`${add(value)}::int`)}) is not true`;
      return compared(op, value, add);
    },
    actual: shown(isoText(expression)),
  };
}

/** @param has returns the condition that the fan has the value */
const membership =
  (has: (value: unknown, add: AddValue) => string): FieldSql['matches'] =>
  (op, value, add) =>
    op === 'has' || op === 'eq' ? has(value, add) : `not (${has(value, add)})`;

/** @param of returns the condition for a product. It uses `in` instead of `exists`, so that nested rules can run in parallel. */
function product(of: (id: string) => string): FieldSql {
  const has = (value: unknown, add: AddValue) =>
    isUuid(String(value)) ? of(`${add(value)}::uuid`) : 'false';
  return { matches: membership(has), actual: (value, add) => `to_jsonb(${has(value, add)})` };
}

const SUBSCRIPTION = `case when b.fan_id is null then 'none' when b.ends_at <= now() then 'ended'
  when b.status = 'trial' then 'trial' else 'active' end`;

/** SQL: like {@link FAN_NAME}, but the platform's id for a fan without a name. */
export const DISPLAY_NAME = `coalesce(${FAN_NAME}, f.external_id)`;

/**
 * SQL: the current hour in the time zone `z` of PostgreSQL's list. Fans' zones are looked up in that list instead of being
 * converted, because a zone that only Node.js knows breaks the statement.
 */
const LOCAL_HOUR = `extract(hour from now() at time zone 'UTC' + z.utc_offset)::int`;

/** SQL: a stored time as the API shows it. */
const inMilliseconds = (time: string) => `date_trunc('milliseconds', ${time})`;

const FIELDS: Readonly<Record<SegmentField, FieldSql>> = {
  spent: {
    joins: 'spending',
    matches: scalar('coalesce(s.cents, 0)', 'bigint', (usd) => toCents(Number(usd))),
    actual: shown('coalesce(s.cents, 0) / 100.0'),
  },
  purchases: {
    joins: 'spending',
    matches: scalar('coalesce(s.purchases, 0)', 'int'),
    actual: shown('coalesce(s.purchases, 0)'),
  },
  last_purchase_at: { joins: 'spending', ...time('s.last_purchase_at') },
  last_fan_message_at: time(lastWritten('fan')),
  last_creator_message_at: time(lastWritten('creator')),
  joined_at: { joins: 'fan', ...time(inMilliseconds('f.created_at')) },
  unread: { matches: scalar(UNREAD, 'boolean'), actual: shown(`(${UNREAD})`) },
  status: { matches: scalar('c.status', 'text'), actual: shown('c.status') },
  claimed: {
    matches: scalar('c.claimed_by is not null', 'boolean'),
    actual: shown('(c.claimed_by is not null)'),
  },
  tag: {
    matches: membership((value, add) => `c.fan_id in (${taggedFans(add(value), '')})`),
    actual:
      () => `(select coalesce(jsonb_agg(coalesce(g.label, t.label) order by t.position, t.id), '[]')
      from fan_tags t left join global_tags g on g.id = t.global_tag_id where t.fan_id = c.fan_id)`,
  },
  subscription: {
    joins: 'benefit',
    matches: scalar(SUBSCRIPTION, 'text'),
    actual: shown(`(${SUBSCRIPTION})`),
  },
  subscription_ends_at: {
    joins: 'benefit',
    ...time(
      inMilliseconds('b.ends_at'),
      (days) => `b.ends_at >= now() and b.ends_at <= now() + make_interval(days => ${days})`,
    ),
  },
  language: {
    joins: 'fan',
    matches: membership((value, add) => `(${add(value)}::text = any(f.languages))`),
    actual: shown('f.languages'),
  },
  timezone_hour: {
    joins: 'fan',
    // Zone names are ASCII, and `lower` is several times as fast with the collation "C". Without `is true`, PostgreSQL may join the
    // list, and then compare each fan with each zone.
    matches: (op, value, add) => `(lower(f.timezone collate "C") in (
      select lower(z.name collate "C") from pg_timezone_names z where ${compare(LOCAL_HOUR, op, `${add(value)}::int`)})) is true`,
    actual: () => `(select to_jsonb(${LOCAL_HOUR}) from pg_timezone_names z
      where lower(z.name) = lower(f.timezone) limit 1)`,
  },
  owns_product: product(
    (id) => `c.fan_id in (select p.fan_id from owned_products p where p.product_id = ${id})`,
  ),
  offered_product: product(
    (id) =>
      `c.id in (select distinct p.conversation_id from product_sends p where p.product_id = ${id})`,
  ),
  name: {
    joins: 'fan',
    // The first condition uses an index, but `search_text` also contains fields that are not part of the name.
    matches: (
      _op,
      value,
      add,
    ) => `f.search_text like lower(${add(`%${escapeLike(String(value))}%`)}::text)
      and strpos(lower(${FAN_NAME}), lower(${add(value)}::text)) > 0`,
    actual: shown(FAN_NAME),
  },
};

/** Compiles a valid rule. @param add adds a value to the statement that uses the SQL */
export function compileRule(rule: SegmentRule, add: AddValue): CompiledRule {
  const joins = new Set<keyof typeof JOINS>();
  const conditions: CompiledCondition[] = [];

  function compileCondition({ field, op, value }: SegmentCondition, path: string): string {
    const { joins: joined, matches, actual } = FIELDS[field];
    if (joined !== undefined) joins.add(joined);
    const compiled = {
      path,
      matches: `(${matches(op, value, add)})`,
      actual: () => actual(value, add),
    };
    conditions.push(compiled);
    return compiled.matches;
  }

  function compile(part: SegmentRule, path: string): string {
    const { name, parts } = partsOf(part);
    const compiled = parts.map((each, index) => {
      const at = `${path}${name}.${index}`;
      return isRule(each) ? compile(each, `${at}.`) : compileCondition(each, at);
    });
    if (compiled.length === 0) return name === 'all' ? 'true' : 'false';
    return `(${compiled.join(name === 'all' ? ' and ' : ' or ')})`;
  }

  const matches = compile(rule, '');
  return { joins: [...joins].map((each) => JOINS[each]).join(' '), matches, conditions };
}
