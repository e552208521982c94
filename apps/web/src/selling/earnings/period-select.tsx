import type { EarningPeriod } from '@stagedoor/contract/selling/earnings';
import { SelectField } from '../../ui/form/select-field.tsx';
import { daysOf } from './earning-words.ts';

interface PeriodSelectProps {
  label: string;
  periods: readonly EarningPeriod[];
  /** The selected period's id; empty if none is selected. */
  value: string;
  onChange: (id: string) => void;
  isInline?: boolean;
}

/** A labeled select of periods, by their first and last days. */
export function PeriodSelect({ periods, onChange, ...field }: PeriodSelectProps) {
  return (
    <SelectField {...field} onChange={(event) => onChange(event.target.value)}>
      {periods.map((period) => (
        <option key={period.id} value={period.id}>
          {daysOf(period)}
        </option>
      ))}
    </SelectField>
  );
}
