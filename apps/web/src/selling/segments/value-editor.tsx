import { readAmount } from '@stagedoor/browser/money';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { globalTagsOptions } from '../../fans/tags/queries.ts';
import { t } from '../../lib/text/i18n.ts';
import { languagesByName } from '../../lib/text/languages-by-name.ts';
import { clockTime } from '../../lib/text/times.ts';
import { fromLocal, ownZone, toLocal } from '../../lib/text/zoned-time.ts';
import { DateField } from '../../ui/form/date-field.tsx';
import { Select } from '../../ui/form/select.tsx';
import { useTypedValue } from '../../ui/form/use-typed-value.ts';
import { productsOptions } from '../products/queries.ts';
import {
  type DraftCondition,
  FIELDS,
  flagOf,
  hourText,
  isLimitAtStart,
  isRelative,
  STATUSES,
  SUBSCRIPTIONS,
  YES_NO,
} from './fields.ts';

type Value = DraftCondition['value'];

interface EditorProps {
  condition: DraftCondition;
  /** Replaces the value, and for a flag the operator. */
  onChange: (change: { value: Value; op?: string }) => void;
  isInvalid: boolean;
  /** The id of the element with the error. */
  describedBy: string;
}

const AMOUNT_MAX = 1_000_000_000;
const DAYS_MAX = 3_650;
const TAG_MAX_CHARS = 128;
const TEXT_MAX_CHARS = 200;

const FIELD =
  'h-8 min-w-0 rounded-control border border-control bg-surface px-2.5 text-control focus-visible:outline-offset-0 aria-invalid:border-danger coarse:h-11';

/** The editor for a condition's value. It passes on only valid values, or an empty value. */
export function ValueEditor(props: EditorProps) {
  const { condition, onChange } = props;
  const { field, op, value } = condition;
  const change = (next: Value) => onChange({ value: next });
  switch (FIELDS[field].kind) {
    case 'money':
      return <NumberInput {...props} before="$" max={AMOUNT_MAX} decimals={2} />;
    case 'count':
      return <NumberInput {...props} max={AMOUNT_MAX} />;
    case 'time':
      return isRelative(op) ? (
        <NumberInput {...props} min={1} max={DAYS_MAX} after={t('days', 'after a number')} />
      ) : (
        <DayInput {...props} />
      );
    case 'flag':
      return (
        <Choice
          {...props}
          chosen={String(flagOf(condition))}
          options={Object.entries(YES_NO)}
          onChoose={(chosen) => onChange({ op: 'eq', value: chosen === 'true' })}
        />
      );
    case 'status':
      return <Choice {...props} options={Object.entries(STATUSES)} onChoose={change} />;
    case 'subscription':
      return <Choice {...props} options={Object.entries(SUBSCRIPTIONS)} onChoose={change} />;
    case 'hour':
      return (
        <Choice
          {...props}
          options={HOURS.map((hour) => [String(hour), hourText(hour, op)])}
          onChoose={(chosen) => change(Number(chosen))}
        />
      );
    case 'language':
      return <LanguageChoice {...props} />;
    case 'tag':
      return <TagInput {...props} />;
    case 'product':
      return <ProductChoice {...props} />;
    case 'text':
      return (
        <input
          type="text"
          aria-label={t('Value')}
          aria-invalid={props.isInvalid || undefined}
          aria-describedby={props.describedBy}
          autoComplete="off"
          maxLength={TEXT_MAX_CHARS}
          value={String(value)}
          onChange={(event) => change(event.target.value.trim() === '' ? '' : event.target.value)}
          className={`${FIELD} w-48 flex-1`}
        />
      );
  }
}

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

interface NumberInputProps extends EditorProps {
  min?: number;
  max: number;
  decimals?: number;
  before?: string;
  after?: string;
}

function NumberInput(props: NumberInputProps) {
  const { condition, onChange, isInvalid, describedBy } = props;
  const { min = 0, max, decimals = 0, before, after } = props;
  const typed = useTypedValue({
    value: String(condition.value),
    onChange: (text) => onChange({ value: text === '' ? '' : Number(text) }),
    show: (text) => text,
    read: (text) => {
      const number = readAmount(text);
      const isFine = number !== null && number >= min && number <= max;
      return isFine && (decimals > 0 || Number.isInteger(number)) ? String(number) : null;
    },
  });
  return (
    <span className="flex items-center gap-1.5">
      {before !== undefined && <span aria-hidden="true">{before}</span>}
      <input
        ref={typed.field}
        type="text"
        inputMode={decimals > 0 ? 'decimal' : 'numeric'}
        aria-label={before === undefined ? (after ?? t('Value')) : t('Amount in US dollars')}
        aria-invalid={typed.isWrong || isInvalid || undefined}
        aria-describedby={describedBy}
        autoComplete="off"
        value={typed.text}
        onChange={(event) => typed.type(event.target.value)}
        onBlur={typed.finish}
        onKeyDown={({ key }) => key === 'Enter' && typed.finish()}
        className={`${FIELD} w-20 tabular-nums`}
      />
      {after !== undefined && <span aria-hidden="true">{after}</span>}
    </span>
  );
}

/** The input for a date. The value is the start of that day in the viewer's time zone. */
function DayInput({ condition: { op, value }, onChange, isInvalid, describedBy }: EditorProps) {
  const instant = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  const local = Number.isNaN(instant) ? '' : toLocal(instant, ownZone());
  const change = (day: string) => {
    const start = fromLocal(`${day}T00:00`, ownZone());
    onChange({ value: start === null ? '' : new Date(start).toISOString() });
  };
  const part = { isInvalid, isReadOnly: false, isRequired: false, describedBy };
  return (
    <span className="flex items-center gap-1.5">
      <span className="w-36">
        <DateField label={t('Date')} value={local.slice(0, 10)} onChange={change} part={part} />
      </span>
      {local !== '' &&
        !(local.endsWith('T00:00') && isLimitAtStart(op)) &&
        clockTime(String(value))}
    </span>
  );
}

interface ChoiceProps extends EditorProps {
  options: readonly (readonly [value: string, label: string])[];
  onChoose: (value: string) => void;
  /** The selected option; by default the condition's value. */
  chosen?: string;
}

function Choice(props: ChoiceProps) {
  const { condition, options, onChoose, isInvalid, describedBy } = props;
  return (
    <Select
      aria-label={t('Value')}
      aria-invalid={isInvalid || undefined}
      aria-describedby={describedBy}
      value={props.chosen ?? String(condition.value)}
      onChange={(event) => onChoose(event.target.value)}
      className="max-w-64"
    >
      {options.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </Select>
  );
}

function LanguageChoice(props: EditorProps) {
  const onChoose = (value: string) => props.onChange({ value });
  return <Choice {...props} options={languagesByName()} onChoose={onChoose} />;
}

function ProductChoice(props: EditorProps) {
  const chosen = String(props.condition.value);
  const products = useQuery(productsOptions);
  const all = products.data ?? [];
  const label = products.isError ? t('Couldn’t load products') : t('Loading products...');
  const first: [string, string][] =
    products.data === undefined
      ? [[chosen, label]]
      : chosen === ''
        ? [['', t('Choose a product')]]
        : all.every(({ id }) => id !== chosen)
          ? [[chosen, t('Deleted product')]]
          : [];
  return (
    <Choice
      {...props}
      options={[...first, ...all.map(({ id, title }) => [id, title] as const)]}
      onChoose={(value) => props.onChange({ value })}
    />
  );
}

/** The input for a tag. The value is the id of a tag in the library, or any other label as typed. */
function TagInput({ condition, onChange, isInvalid, describedBy }: EditorProps): ReactNode {
  const list = useId();
  const { data: library = [] } = useQuery(globalTagsOptions);
  const held = String(condition.value);
  const change = (text: string) => {
    const label = text.trim().toLowerCase();
    const tag = library.find((each) => each.label.toLowerCase() === label);
    onChange({ value: label === '' ? '' : (tag?.id ?? text) });
  };
  return (
    <>
      <input
        type="text"
        list={list}
        aria-label={t('Tag')}
        aria-invalid={isInvalid || undefined}
        aria-describedby={describedBy}
        autoComplete="off"
        maxLength={TAG_MAX_CHARS}
        value={library.find(({ id }) => id === held)?.label ?? held}
        onChange={(event) => change(event.target.value)}
        className={`${FIELD} w-40`}
      />
      <datalist id={list}>
        {library.map(({ id, label }) => (
          <option key={id} value={label} />
        ))}
      </datalist>
    </>
  );
}
