import { type ComponentProps, useId } from 'react';

const FIELD =
  'w-full rounded-control border border-control bg-surface px-2.5 text-control focus-visible:outline-offset-0 read-only:text-fg-2';

interface FieldProps {
  label: string;
}

/** A labelled line of text. */
export function TextField({ label, ...rest }: FieldProps & ComponentProps<'input'>) {
  const id = useId();
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-meta font-medium text-fg-2">
        {label}
      </label>
      <input {...rest} id={id} className={`${FIELD} h-8 coarse:h-11`} />
    </div>
  );
}

/** A labelled text of several lines. */
export function TextAreaField({ label, ...rest }: FieldProps & ComponentProps<'textarea'>) {
  const id = useId();
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-meta font-medium text-fg-2">
        {label}
      </label>
      <textarea {...rest} id={id} className={`${FIELD} resize-y py-1.5`} />
    </div>
  );
}
