import type { ReactNode } from 'react';

/** The styles of a text field with a button at its end. */
export const pickerInput =
  'h-8 w-full min-w-0 rounded-control border border-control bg-surface ps-2.5 pe-8 text-control tabular-nums focus-visible:outline-offset-0 read-only:text-fg-2 aria-invalid:border-danger coarse:h-11 coarse:pe-11';

/** The state that a date or time field shares with the group around it. */
export interface FieldPart {
  isInvalid: boolean;
  isReadOnly: boolean;
  /** Whether the rest of the group is filled in. */
  isRequired: boolean;
  describedBy: string | undefined;
}

interface PickerBoxProps {
  /** The field's element id. */
  id: string;
  label: string;
  isLabelHidden: boolean;
  children: ReactNode;
}

/** A label above a date or time field. */
export function PickerBox({ id, label, isLabelHidden, children }: PickerBoxProps) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'text-meta font-medium text-fg-2'}>
        {label}
      </label>
      {children}
    </div>
  );
}
