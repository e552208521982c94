import { rich } from '@stagedoor/browser/rich-text';
import {
  RULE_CONDITIONS_MAX,
  RULE_DEPTH_MAX,
  type SegmentField,
} from '@stagedoor/contract/selling/segment-rules';
import { ListPlus, Plus, X } from 'lucide-react';
import { createContext, useContext, useId, useRef } from 'react';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { FieldError } from '../../ui/form/field-error.tsx';
import { Select } from '../../ui/form/select.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import {
  conditionsIn,
  type DraftPart,
  type DraftRule,
  isGroup,
  partsOf,
  type RuleFaults,
} from './draft-rule.ts';
import {
  conditionWords,
  type DraftCondition,
  FIELDS,
  isOffered,
  isRelative,
  listedOp,
  newCondition,
} from './fields.ts';
import { useNames } from './use-names.ts';
import { ValueEditor } from './value-editor.tsx';

interface RuleBuilderProps {
  rule: DraftRule;
  onChange: (rule: DraftRule) => void;
  /** Error texts by path, shown at their conditions. */
  faults: RuleFaults;
}

/** The errors of a rule, and whether it has the maximum number of conditions. */
const RuleContext = createContext<{ faults: RuleFaults; isFull: boolean }>({
  faults: {},
  isFull: false,
});

/** The editor for a rule, as groups of sentences. Either all or any of a group's conditions have to match. */
export function RuleBuilder({ rule, onChange, faults }: RuleBuilderProps) {
  const isFull = conditionsIn(rule) >= RULE_CONDITIONS_MAX;
  return (
    <RuleContext value={{ faults, isFull }}>
      <Group rule={rule} path="" depth={1} onChange={onChange} onRemove={null} />
      {isFull && (
        <p role="status" className="mt-2 text-meta text-fg-3">
          {t('A segment can have at most {count} conditions.', { count: RULE_CONDITIONS_MAX })}
        </p>
      )}
      {faults[''] !== undefined && <FieldError id="rule-error">{faults['']}</FieldError>}
    </RuleContext>
  );
}

const rebuilt = (name: 'all' | 'any', parts: readonly DraftPart[]): DraftRule =>
  name === 'all' ? { all: parts } : { any: parts };

const FIRST = newCondition('spent');

interface GroupProps {
  rule: DraftRule;
  /** The path of the group, with a dot at its end; empty for the whole rule. */
  path: string;
  depth: number;
  onChange: (rule: DraftRule) => void;
  /** Null for the whole rule. */
  onRemove: (() => void) | null;
}

function Group({ rule, path, depth, onChange, onRemove }: GroupProps) {
  const { faults, isFull } = useContext(RuleContext);
  const { name, parts } = partsOf(rule);
  const list = useRef<HTMLUListElement>(null);
  const add = useRef<HTMLButtonElement>(null);
  const change = (next: readonly DraftPart[]) => onChange(rebuilt(name, next));
  const append = (part: DraftPart) => {
    change([...parts, part]);
    const added = () => list.current?.lastElementChild?.querySelector<HTMLElement>(FIRST_FIELD);
    requestAnimationFrame(() => added()?.focus());
  };
  const remove = (index: number) => {
    if (onRemove !== null && parts.length === 1) return onRemove();
    change(parts.toSpliced(index, 1));
    // The button that was clicked is gone or belongs to the next condition.
    add.current?.focus();
  };
  const which = (
    <Select
      aria-label={t('How many conditions have to match')}
      value={name}
      onChange={(event) => onChange(rebuilt(event.target.value as typeof name, parts))}
      className="mx-0.5 align-middle"
    >
      <option value="all">{t('all', 'conditions')}</option>
      <option value="any">{t('any', 'conditions')}</option>
    </Select>
  );
  const fault = faults[path.slice(0, -1)];
  return (
    <fieldset
      className={classes(
        'min-w-0',
        depth > 1 &&
          'rounded-card border border-line bg-surface-2 p-3 max-md:rounded-none max-md:border-0 max-md:border-s-2 max-md:bg-transparent max-md:p-0 max-md:ps-2.5',
      )}
    >
      <legend className="sr-only">
        {depth === 1 ? t('Conditions') : t('Group of conditions')}
      </legend>
      <div className="flex items-center gap-2">
        <p className="min-w-0 flex-1 text-control">
          {depth === 1
            ? rich('Fans who match {which} of:', { which })
            : rich('Match {which} of:', { which })}
        </p>
        {onRemove && (
          <IconButton
            label={t('Remove Group')}
            onClick={onRemove}
            icon={<X size={14} strokeWidth={2} />}
          />
        )}
      </div>
      {parts.length === 0 && (
        <p className="mt-2 text-control text-fg-3">
          {name === 'all'
            ? t('No conditions yet: every fan matches.')
            : t('No conditions yet: no fan matches.')}
        </p>
      )}
      <ul ref={list} className="mt-2 flex flex-col gap-2 empty:hidden">
        {parts.map((part, index) => {
          const at = `${path}${name}.${index}`;
          const replace = (next: DraftPart) => change(parts.with(index, next));
          return (
            <li key={at} className="flex items-start gap-2 max-md:flex-col max-md:items-stretch">
              {parts.length > 1 && (
                <span
                  aria-hidden={index === 0 || undefined}
                  className="w-8 shrink-0 pt-1.5 text-end text-meta text-fg-3 empty:max-md:hidden md:coarse:pt-3 max-md:pt-0 max-md:text-start"
                >
                  {index > 0 && (name === 'all' ? t('and', 'conditions') : t('or'))}
                </span>
              )}
              <div className="min-w-0 flex-1">
                {isGroup(part) ? (
                  <Group
                    rule={part}
                    path={`${at}.`}
                    depth={depth + 1}
                    onChange={replace}
                    onRemove={() => remove(index)}
                  />
                ) : (
                  <Condition
                    condition={part}
                    path={at}
                    onChange={replace}
                    onRemove={() => remove(index)}
                  />
                )}
              </div>
            </li>
          );
        })}
      </ul>
      {fault !== undefined && depth > 1 && (
        <FieldError id={`rule-${path}error`}>{fault}</FieldError>
      )}
      <div className={classes('mt-2 flex flex-wrap gap-2', parts.length > 1 && 'md:ps-10')}>
        <Button
          ref={add}
          size="small"
          disabled={isFull}
          onClick={() => append(FIRST)}
          icon={<Plus size={14} />}
          className="coarse:h-11"
        >
          {t('Add Condition')}
        </Button>
        {depth < RULE_DEPTH_MAX && (
          <Button
            size="small"
            variant="ghost"
            disabled={isFull}
            onClick={() => append(name === 'all' ? { any: [FIRST] } : { all: [FIRST] })}
            icon={<ListPlus size={14} />}
            className="coarse:h-11"
          >
            {t('Add Group')}
          </Button>
        )}
      </div>
    </fieldset>
  );
}

/** The selector of the element to focus in a new condition, or in the first condition of a new group. */
const FIRST_FIELD = '[data-field] select';

interface ConditionProps {
  condition: DraftCondition;
  path: string;
  onChange: (condition: DraftCondition) => void;
  onRemove: () => void;
}

function Condition({ condition, path, onChange, onRemove }: ConditionProps) {
  const { faults } = useContext(RuleContext);
  const id = useId();
  const names = useNames();
  const { field } = condition;
  const { kind, ops } = FIELDS[field];
  const op = listedOp(condition);
  const inValue = faults[`${path}.value`];
  const fault = faults[path] ?? faults[`${path}.field`] ?? faults[`${path}.op`] ?? inValue;
  const words = conditionWords(condition, names);
  const shared = {
    'aria-invalid': (fault !== undefined && inValue === undefined) || undefined,
    'aria-describedby': `${id}-error`,
  };
  const changeOp = (next: string) => {
    // Time operators take either a number of days or a date. In all other fields, every operator takes the same values.
    const isOther = kind === 'time' && isRelative(op) !== isRelative(next);
    onChange({ ...condition, op: next, ...(isOther && { value: isRelative(next) ? 30 : '' }) });
  };
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">{words}</legend>
      <div className="flex items-start gap-1">
        <div className="flex min-w-0 flex-wrap items-center gap-1.5 text-control max-md:flex-1">
          <span data-field="" className="contents">
            <Select
              {...shared}
              aria-label={t('Field', 'of a condition')}
              value={field}
              onChange={(event) => onChange(newCondition(event.target.value as SegmentField))}
            >
              {Object.entries(FIELDS).map(([each, { label }]) => (
                <option key={each} value={each}>
                  {label}
                </option>
              ))}
            </Select>
          </span>
          {kind !== 'flag' && kind !== 'text' && (
            <Select
              {...shared}
              aria-label={t('Comparison')}
              value={op}
              onChange={(event) => changeOp(event.target.value)}
            >
              {Object.entries(ops)
                .filter(([each]) => each === op || isOffered(kind, each))
                .map(([each, label]) => (
                  <option key={each} value={each}>
                    {label}
                  </option>
                ))}
            </Select>
          )}
          {kind === 'text' && ops[op]}
          <ValueEditor
            key={`${field} ${isRelative(op)}`}
            condition={condition}
            onChange={(next) => onChange({ ...condition, ...next })}
            isInvalid={fault !== undefined}
            describedBy={`${id}-error`}
          />
        </div>
        <IconButton
          label={t('Remove “{condition}”', { condition: words })}
          onClick={onRemove}
          className="coarse:h-11"
          icon={<X size={14} strokeWidth={2} />}
        />
      </div>
      {fault !== undefined && <FieldError id={`${id}-error`}>{fault}</FieldError>}
    </fieldset>
  );
}
