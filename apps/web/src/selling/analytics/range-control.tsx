import { t } from '../../lib/text/i18n.ts';
import { Segments } from '../../ui/form/segments.tsx';
import { RANGES, type Range } from './range.ts';

interface RangeControlProps {
  range: Range;
  onChange: (range: Range) => void;
}

const OPTIONS = RANGES.map(({ range, label }) => ({ value: range, label }));

/** The range selector. */
export function RangeControl({ range, onChange }: RangeControlProps) {
  return <Segments label={t('Range')} options={OPTIONS} current={range} onChange={onChange} />;
}
