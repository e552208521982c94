import type { SegmentRule } from '@stagedoor/contract/selling/segment-rules';
import { t } from '../../lib/text/i18n.ts';
import { type DraftCondition, FIELDS, type FieldKind } from './fields.ts';

/** A rule that is being edited. Every {@link SegmentRule} is also a DraftRule. */
export type DraftRule =
  | { readonly all: readonly DraftPart[] }
  | { readonly any: readonly DraftPart[] };

export type DraftPart = DraftCondition | DraftRule;

/** Error texts by the path of the faulty part of the rule, for example `all.0.value`. */
export type RuleFaults = Readonly<Record<string, string>>;

export const isGroup = (part: DraftPart): part is DraftRule => 'all' in part || 'any' in part;

/** Returns the parts of a rule, and whether all of them have to match. */
export const partsOf = (rule: DraftRule) =>
  'all' in rule
    ? ({ name: 'all', parts: rule.all } as const)
    : ({ name: 'any', parts: rule.any } as const);

/** Returns the number of conditions in a rule. */
export const conditionsIn = (rule: DraftRule): number =>
  partsOf(rule).parts.reduce((sum, part) => sum + (isGroup(part) ? conditionsIn(part) : 1), 0);

/** Returns the conditions of a rule in order, each with its path. */
export function conditionsOf(rule: DraftRule, path = ''): [path: string, DraftCondition][] {
  const { name, parts } = partsOf(rule);
  return parts.flatMap((part, index) => {
    const at = `${path}${name}.${index}`;
    return isGroup(part) ? conditionsOf(part, `${at}.`) : [[at, part] as [string, DraftCondition]];
  });
}

/** The errors for missing values, by the kind of field. Fields of other kinds always have a value. */
const MISSING: Partial<Record<FieldKind, string>> = {
  money: t('Enter an amount'),
  count: t('Enter a number'),
  time: t('Enter a number of days or choose a date'),
  tag: t('Enter a tag'),
  product: t('Choose a product'),
  text: t('Enter text'),
};

/** Returns the rule if all of its conditions have values; otherwise an error for each missing value. */
export function checkRule(rule: DraftRule): { rule: SegmentRule } | { faults: RuleFaults } {
  const faults = Object.fromEntries(
    conditionsOf(rule).flatMap(([path, { field, value }]) =>
      value === '' ? [[`${path}.value`, MISSING[FIELDS[field].kind] ?? '']] : [],
    ),
  );
  // The value editors return only values that are valid for the field.
  return Object.keys(faults).length > 0 ? { faults } : { rule: rule as SegmentRule };
}

/** Returns the faults that the server found in a rule. @param fields the error fields of the server's response */
export const faultsIn = (fields: RuleFaults): RuleFaults =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([path, text]) => {
      const [, , inRule] = /(^|\.)rule\.(.*)$/.exec(path) ?? [];
      return inRule === undefined ? [] : [[inRule, text]];
    }),
  );
