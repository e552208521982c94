import { type ComponentProps, useId } from 'react';
import { classes } from '../classes.ts';
import { FieldError } from './field-error.tsx';

const FIELD =
  'w-full rounded-control border bg-surface px-2.5 text-control focus-visible:outline-offset-0 read-only:text-fg-2 disabled:bg-surface-2 disabled:text-fg-3';

interface FieldProps {
  label: string;
}

interface TextFieldProps extends FieldProps, ComponentProps<'input'> {
  /** The error to show below the field. */
  error?: string | null | undefined;
}

/** A labeled single-line text field. */
export function TextField({ label, error = null, ...rest }: TextFieldProps) {
  const id = useId();
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-meta font-medium text-fg-2">
        {label}
      </label>
      <input
        {...rest}
        id={id}
        aria-invalid={error !== null || undefined}
        aria-describedby={error === null ? rest['aria-describedby'] : `${id}-error`}
        className={classes(
          FIELD,
          'h-8 coarse:h-11',
          error === null ? 'border-control' : 'border-danger',
        )}
      />
      {error !== null && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  );
}

/** A labeled multi-line text field. */
export function TextAreaField({ label, ...rest }: FieldProps & ComponentProps<'textarea'>) {
  const id = useId();
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-meta font-medium text-fg-2">
        {label}
      </label>
      <textarea {...rest} id={id} className={`${FIELD} resize-y border-control py-1.5`} />
    </div>
  );
}
