import { ChevronDown } from 'lucide-react';
import { type ComponentProps, useId } from 'react';

interface SelectFieldProps extends ComponentProps<'select'> {
  label: string;
  /** Whether only screen readers get the label. */
  isLabelHidden?: boolean;
}

/** A labeled native select. */
export function SelectField({ label, isLabelHidden = false, children, ...rest }: SelectFieldProps) {
  const id = useId();
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'text-meta font-medium text-fg-2'}>
        {label}
      </label>
      <span className="relative block">
        <select
          {...rest}
          id={id}
          className="h-8 w-full appearance-none truncate rounded-control border border-control bg-surface pe-8 ps-2.5 text-control focus-visible:outline-offset-0 disabled:bg-surface-2 disabled:text-fg-3 coarse:h-11 [&>option]:bg-surface [&>option]:text-fg"
        >
          {children}
        </select>
        <ChevronDown
          aria-hidden="true"
          size={14}
          strokeWidth={1.75}
          className="pointer-events-none absolute top-1/2 end-2.5 -translate-y-1/2 text-fg-3"
        />
      </span>
    </div>
  );
}
