import { Check } from 'lucide-react';
import type { CSSProperties } from 'react';
import { t } from '../../lib/text/i18n.ts';
import { STAFF_COLORS } from './colors.ts';

interface ColorFieldProps {
  color: string;
  onChange: (color: string) => void;
}

/** An admin's color: one of the presets or a custom one. */
export function ColorField({ color, onChange }: ColorFieldProps) {
  return (
    <fieldset>
      <legend className="mb-1 text-meta font-medium text-fg-2">{t('Color')}</legend>
      <div className="flex flex-wrap items-center gap-2">
        {STAFF_COLORS.map((known) => (
          <label
            key={known}
            title={known}
            className="relative inline-flex size-6 cursor-pointer items-center justify-center rounded-full bg-(--t) text-white has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-text coarse:size-9"
            style={{ '--t': known } as CSSProperties}
          >
            <input
              type="radio"
              name="staff-color"
              aria-label={known}
              className="peer absolute inset-0 cursor-pointer appearance-none rounded-full outline-none"
              checked={known === color.toUpperCase()}
              onChange={() => onChange(known)}
            />
            <Check
              size={14}
              strokeWidth={2.5}
              className="pointer-events-none opacity-0 peer-checked:opacity-100"
            />
          </label>
        ))}
        <input
          type="color"
          aria-label={t('Custom color')}
          value={color.toLowerCase()}
          onChange={(event) => onChange(event.target.value.toUpperCase())}
          className="h-8 w-12 rounded-control border border-control bg-surface p-1 coarse:h-11"
        />
      </div>
    </fieldset>
  );
}
