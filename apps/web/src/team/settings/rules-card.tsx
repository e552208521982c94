import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { errorText } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { Card } from '../../ui/card.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { SelectField } from '../../ui/form/select-field.tsx';
import { QueryError } from '../../ui/query-error.tsx';
import { type Rules, settingsOptions, useSaveSettings } from './queries.ts';

/** Returns the team's rules, `set`, which changes some of them, and `isBusy`, which returns whether a rule is being saved. */
export function useRules() {
  const query = useQuery(settingsOptions);
  const { mutate: set, pending, error } = useSaveSettings();
  const isBusy = (rule: keyof Rules) => pending.some((change) => rule in change);
  return { query, set, isBusy, error };
}

interface RulesCardProps {
  title: string;
  subtitle: string;
  /** The accessible name of the list; by default the title. */
  label?: string;
  rules: ReturnType<typeof useRules>;
  /** Whether this card shows the error if the rules could not be loaded. All other cards are then hidden. */
  showsLoadError?: boolean;
  children: ReactNode;
}

/** A card with some of the team's rules. */
export function RulesCard(props: RulesCardProps) {
  const { title, subtitle, label = title, rules, showsLoadError = false, children } = props;
  const { query, error } = rules;
  if (query.isLoadingError && !showsLoadError) return null;
  return (
    <Card title={title} subtitle={subtitle}>
      {error && (
        <div className="px-4 pb-3">
          <ErrorBox text={errorText(error, t('Couldn’t change the rule'))} />
        </div>
      )}
      {query.isLoadingError ? (
        <div className="px-4 pb-4">
          <QueryError query={query} text={t('Couldn’t load the rules')} />
        </div>
      ) : (
        <ul
          aria-label={label}
          aria-busy={query.data === undefined}
          className="border-t border-line"
        >
          {children}
        </ul>
      )}
    </Card>
  );
}

interface RuleSelectProps<Value extends string | number> {
  label: string;
  value: Value;
  options: readonly Value[];
  wordOf: (option: Value) => string;
  disabled?: boolean;
  onChange: (value: Value) => void;
}

export function RuleSelect<Value extends string | number>(props: RuleSelectProps<Value>) {
  const { label, value, options, wordOf, disabled, onChange } = props;
  return (
    <SelectField
      label={label}
      isLabelHidden
      value={value}
      disabled={disabled}
      onChange={({ currentTarget: { selectedIndex } }) => onChange(options[selectedIndex] ?? value)}
    >
      {options.map((option) => (
        <option key={option} value={option}>
          {wordOf(option)}
        </option>
      ))}
    </SelectField>
  );
}

/** Returns the offered numbers and the current one. The API can set a number that is not offered. */
export const withCurrent = (offered: readonly number[], current: number): number[] =>
  [...new Set([...offered, current])].toSorted((a, b) => a - b);
