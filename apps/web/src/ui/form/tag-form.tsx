import { type FormEvent, type ReactNode, useState } from 'react';
import { t } from '../../lib/text/i18n.ts';
import { TextField } from './text-field.tsx';

interface TagFormProps {
  label: string;
  color: string;
  maxLength: number;
  onSubmit: (label: string, color: string) => void;
  /** Renders the form's buttons. */
  buttons: (canSubmit: boolean) => ReactNode;
}

/** A tag's label and color. A blank label can't be submitted. */
export function TagForm({ onSubmit, buttons, maxLength, ...initial }: TagFormProps) {
  const [label, setLabel] = useState(initial.label);
  const [color, setColor] = useState(initial.color);
  const canSubmit = label.trim() !== '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (canSubmit) onSubmit(label.trim(), color);
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-2">
        <TextField
          label={t('Label')}
          autoFocus
          autoComplete="off"
          maxLength={maxLength}
          value={label}
          onChange={(event) => setLabel(event.target.value)}
        />
        <label className="flex flex-col gap-1 text-meta font-medium text-fg-2">
          {t('Color')}
          <input
            type="color"
            value={color}
            onChange={(event) => setColor(event.target.value.toUpperCase())}
            className="h-8 w-14 rounded-control border border-control bg-surface p-1 coarse:h-11"
          />
        </label>
      </div>
      <div className="flex items-center justify-end gap-2">{buttons(canSubmit)}</div>
    </form>
  );
}
