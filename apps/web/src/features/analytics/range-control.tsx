import { useId } from 'react';
import { RANGES, type Range } from './range.ts';

interface RangeControlProps {
  range: Range;
  onChange: (range: Range) => void;
}

/** How far back the figures reach: one of a few, side by side. Arrow keys move between them. */
export function RangeControl({ range: current, onChange }: RangeControlProps) {
  const name = useId();
  return (
    <fieldset className="inline-flex rounded-control bg-surface-2 p-0.5 inset-ring inset-ring-line">
      <legend className="sr-only">Range</legend>
      {RANGES.map(({ range, label }) => (
        <label
          key={range}
          className="relative inline-flex h-7 cursor-pointer items-center rounded-chip px-2.5 text-control font-medium whitespace-nowrap text-fg-2 transition-colors duration-80 select-none hover:text-fg has-checked:bg-surface has-checked:text-fg has-checked:ring-1 has-checked:ring-line has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-text coarse:h-10"
        >
          <input
            type="radio"
            name={name}
            value={range}
            checked={range === current}
            onChange={() => onChange(range)}
            className="absolute inset-0 m-0 cursor-pointer appearance-none opacity-0"
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
