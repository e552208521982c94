import { useId } from 'react';

interface SegmentsProps<Value extends string> {
  /** The name of the choice, for screen readers. */
  label: string;
  /** In display order; values must be unique. */
  options: readonly { readonly value: Value; readonly label: string }[];
  current: Value;
  onChange: (value: Value) => void;
}

/** A single choice from a few options, shown side by side. Arrow keys move between them. */
export function Segments<Value extends string>(props: SegmentsProps<Value>) {
  const { label: legend, options, current, onChange } = props;
  const name = useId();
  return (
    <fieldset className="inline-flex rounded-control bg-surface-2 p-0.5 inset-ring inset-ring-line">
      <legend className="sr-only">{legend}</legend>
      {options.map(({ value, label }) => (
        <label
          key={value}
          className="relative inline-flex h-7 grow cursor-pointer items-center justify-center rounded-chip px-2.5 text-control font-medium whitespace-nowrap text-fg-2 transition-colors duration-80 select-none hover:text-fg has-checked:bg-surface has-checked:text-fg has-checked:ring-1 has-checked:ring-line has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-text coarse:h-11 coarse:min-w-11"
        >
          <input
            type="radio"
            name={name}
            value={value}
            checked={value === current}
            onChange={() => onChange(value)}
            className="absolute inset-0 m-0 cursor-pointer appearance-none opacity-0"
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
