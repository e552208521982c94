import { classes } from '../classes.ts';

interface SwitchProps {
  /** The accessible name. */
  label: string;
  isOn: boolean;
  onChange: (on: boolean) => void;
  /** Ignores clicks while the last change is being saved. */
  busy?: boolean;
  disabled?: boolean;
}

/** An on/off setting that takes effect immediately. */
export function Switch({ label, isOn, onChange, busy = false, disabled = false }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      aria-label={label}
      aria-busy={busy || undefined}
      disabled={disabled}
      onClick={() => {
        if (!busy) onChange(!isOn);
      }}
      className={classes(
        'touch-target inline-flex h-5 w-9 shrink-0 items-center rounded-full border p-0.5 transition-colors duration-80',
        isOn
          ? 'border-accent bg-accent disabled:border-control disabled:bg-(--control-border)'
          : 'border-control bg-surface-2 disabled:bg-transparent',
      )}
    >
      <span
        aria-hidden="true"
        className={classes(
          'size-3.5 rounded-full transition-transform duration-80',
          isOn ? 'translate-x-4 bg-white rtl:-translate-x-4' : 'bg-(--control-border)',
        )}
      />
    </button>
  );
}
