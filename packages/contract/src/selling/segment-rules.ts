import * as z from 'zod/mini';
import { ConversationStatus } from '../inbox/conversations.ts';
import { LANGUAGE_CODES } from '../language-codes.ts';
import { instant, lookupId, requiredText } from '../primitives.ts';

/** The maximum nesting depth of a rule, and its maximum number of conditions. */
export const RULE_DEPTH_MAX = 5;
export const RULE_CONDITIONS_MAX = 50;
const AMOUNT_MAX = 1_000_000_000;
const DAYS_MAX = 3_650;

/** A fan's trial or subscription: `ended` once its end has passed, `none` if the fan never had one. */
export const SubscriptionState = z.enum(['none', 'trial', 'active', 'ended']);

const COMPARISONS = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte'] as const;
const EQUALITY = ['eq', 'ne'] as const;
const MEMBERSHIP = ['has', 'has_not'] as const;

const usd = z.number().check(
  z.gte(0),
  z.lte(AMOUNT_MAX),
  z.refine(
    (amount) => Math.abs(amount * 100 - Math.round(amount * 100)) < 1e-6,
    'Must have at most two decimals',
  ),
);
const days = z.int().check(z.gte(1), z.lte(DAYS_MAX));

/** Maps each operator to the schema of its value. */
const each = <const O extends string, S>(operators: readonly O[], value: S) =>
  Object.fromEntries(operators.map((operator) => [operator, value])) as Record<O, S>;

/**
 * The operators of each kind of field, with the schema of the value.
 *
 * A missing value (never bought, no language recorded, …) matches only the negative operators: `ne`, `not_within_days` and
 * `has_not` match exactly the fans that `eq`, `within_days` and `has` don't match.
 */
const KINDS = {
  money: each(COMPARISONS, usd),
  count: each(COMPARISONS, z.int().check(z.gte(0), z.lte(AMOUNT_MAX))),
  hour: each(COMPARISONS, z.int().check(z.gte(0), z.lte(23))),
  time: { ...each(COMPARISONS, instant), ...each(['within_days', 'not_within_days'], days) },
  flag: each(EQUALITY, z.boolean()),
  status: each(EQUALITY, ConversationStatus),
  subscription: each(EQUALITY, SubscriptionState),
  language: each([...EQUALITY, ...MEMBERSHIP], z.enum(LANGUAGE_CODES)),
  tag: each(MEMBERSHIP, requiredText(128)),
  product: each(MEMBERSHIP, lookupId),
  text: each(['contains'], requiredText(200)),
} as const;

/** The fields that a condition can test, and the kind of each. */
export const SEGMENT_FIELDS = {
  /** The total of all purchases and tips that are not refunded, in USD. */
  spent: 'money',
  /** The number of purchases that are not refunded. Tips don't count. */
  purchases: 'count',
  /** When the newest purchase that is not refunded was made. Tips don't count. `within_days` looks back. */
  last_purchase_at: 'time',
  /** When the fan last wrote; kept when messages are purged. `within_days` looks back. */
  last_fan_message_at: 'time',
  /** When the creator last wrote; kept when messages are purged. `within_days` looks back. */
  last_creator_message_at: 'time',
  /** When the fan was created here. `within_days` looks back. */
  joined_at: 'time',
  /** Whether the conversation is in the inbox's `unread` list: unread or marked as unread, and not snoozed. */
  unread: 'flag',
  status: 'status',
  /** Whether an admin has claimed the conversation. */
  claimed: 'flag',
  /** The fan's tags: a library tag's id, or a label regardless of case. */
  tag: 'tag',
  /** The fan's trial or subscription. */
  subscription: 'subscription',
  /** When the trial or subscription ends or ended; missing if it has no end. `within_days` looks ahead. */
  subscription_ends_at: 'time',
  /** A language that the fan speaks, as recorded by staff. `eq` means `has`, `ne` means `has_not`. */
  language: 'language',
  /** The hour of the fan's local time, 0 to 23. A fan whose time zone is unknown matches no operator, not even `ne`. */
  timezone_hour: 'hour',
  /** The id of a product that the fan has paid for and that was not refunded. */
  owns_product: 'product',
  /** The id of a product that was ever offered to the fan. */
  offered_product: 'product',
  /** The name that staff see: first and last name, else username, else email. Case is ignored. */
  name: 'text',
} as const satisfies Record<string, keyof typeof KINDS>;

export type SegmentField = keyof typeof SEGMENT_FIELDS;
type Operators<F extends SegmentField> = (typeof KINDS)[(typeof SEGMENT_FIELDS)[F]];

export type SegmentCondition = {
  [F in SegmentField]: {
    [O in keyof Operators<F>]: {
      readonly field: F;
      readonly op: O;
      readonly value: z.infer<Operators<F>[O] & z.ZodMiniType>;
    };
  }[keyof Operators<F>];
}[SegmentField];

/** Matches the fans who match `all` or `any` of its parts. An empty `all` matches every fan, an empty `any` none. */
export type SegmentRule =
  | { readonly all: readonly (SegmentCondition | SegmentRule)[] }
  | { readonly any: readonly (SegmentCondition | SegmentRule)[] };

/** Returns a field's operators, each with the schema of its value. */
export const operatorsOf = (field: SegmentField): Readonly<Record<string, z.ZodMiniType>> =>
  KINDS[SEGMENT_FIELDS[field]];

export const isRule = (part: SegmentCondition | SegmentRule): part is SegmentRule =>
  'all' in part || 'any' in part;

/** Returns the parts of a rule, and the key that contains them. */
export const partsOf = (rule: SegmentRule) =>
  'all' in rule
    ? ({ name: 'all', parts: rule.all } as const)
    : ({ name: 'any', parts: rule.any } as const);

export interface RuleFault {
  /** The path to the invalid part, for example `all.0.op`; empty for the whole rule. */
  readonly path: string;
  readonly message: string;
}

class Fault extends Error {
  readonly path: string;
  constructor(path: readonly (string | number)[], message: string) {
    super(message);
    this.path = path.join('.');
  }
}

/** Validates a rule. @returns the rule, or the first fault found */
export function parseRule(input: unknown): { rule: SegmentRule } | { fault: RuleFault } {
  try {
    const left = { conditions: RULE_CONDITIONS_MAX };
    return { rule: toRule(input, [], left) };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { fault: { path: error.path, message: error.message } };
  }
}

type Path = readonly (string | number)[];

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Validates a part of a rule. @param left how many more conditions the whole rule can have */
function toRule(input: unknown, path: Path, left: { conditions: number }): SegmentRule {
  if (!isObject(input)) throw new Fault(path, 'Must be a rule with all or any');
  const [name, ...others] = Object.keys(input);
  if ((name !== 'all' && name !== 'any') || others.length > 0)
    throw new Fault(path, 'Must have either all or any, and nothing else');
  const parts = input[name];
  if (!Array.isArray(parts)) throw new Fault([...path, name], 'Must be a list');
  // Each level of nesting adds two keys to the path.
  if (path.length >= RULE_DEPTH_MAX * 2)
    throw new Fault(path, `Rules can be nested at most ${RULE_DEPTH_MAX} deep`);
  const checked = parts.map((part: unknown, index) => {
    const at = [...path, name, index];
    if (isObject(part) && ('all' in part || 'any' in part)) return toRule(part, at, left);
    if (left.conditions-- === 0)
      throw new Fault(at, `A rule can have at most ${RULE_CONDITIONS_MAX} conditions`);
    return toCondition(part, at);
  });
  return name === 'all' ? { all: checked } : { any: checked };
}

function toCondition(input: unknown, path: Path): SegmentCondition {
  if (!isObject(input)) throw new Fault(path, 'Must be a condition or a rule');
  const { field, op, value, ...others } = input;
  const [superfluous] = Object.keys(others);
  if (superfluous !== undefined) throw new Fault([...path, superfluous], 'Unknown key');
  if (typeof field !== 'string' || !Object.hasOwn(SEGMENT_FIELDS, field))
    throw new Fault([...path, 'field'], 'Unknown field');
  const operators = operatorsOf(field as SegmentField);
  if (typeof op !== 'string' || !Object.hasOwn(operators, op))
    throw new Fault([...path, 'op'], `Must be one of ${Object.keys(operators).join(', ')}`);
  const parsed = operators[op]?.safeParse(value);
  if (!parsed?.success)
    throw new Fault([...path, 'value'], parsed?.error.issues[0]?.message ?? 'Invalid value');
  // The cast is safe: the checks above use the table from which the type is derived.
  return { field, op, value: parsed.data } as SegmentCondition;
}
