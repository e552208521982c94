import { type ComponentProps, useId } from 'react';
import { classes } from '../classes.ts';
import { Select } from './select.tsx';

interface SelectFieldProps extends ComponentProps<typeof Select> {
  label: string;
  /** Whether only screen readers get the label. */
  isLabelHidden?: boolean;
  /** Whether the label is before the select instead of above it. */
  isInline?: boolean;
}

/** A labeled select. */
export function SelectField(props: SelectFieldProps) {
  const { label, isLabelHidden = false, isInline = false, ...rest } = props;
  const id = useId();
  return (
    <div
      className={classes(
        'flex min-w-0',
        isInline ? 'items-center justify-between gap-2' : 'flex-col gap-1',
      )}
    >
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'text-meta font-medium text-fg-2'}>
        {label}
      </label>
      <Select {...rest} id={id} />
    </div>
  );
}
