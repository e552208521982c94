import type { ComponentProps, ReactNode } from 'react';
import { classes } from './classes.ts';
import { Spinner } from './spinner.tsx';

const VARIANTS = {
  primary: 'bg-accent text-white hover:bg-accent-hover',
  warm: 'warm hover:brightness-110',
  secondary: 'bg-surface-2 text-fg hover:bg-hover',
  plain: 'text-accent-text hover:bg-surface-2',
} as const;

interface ButtonProps extends ComponentProps<'button'> {
  variant?: keyof typeof VARIANTS;
  busy?: boolean;
  icon?: ReactNode;
}

/** A button with a label, large enough for a thumb. While busy it can't be clicked but stays focusable. */
export function Button(props: ButtonProps) {
  const { variant = 'primary', busy = false, icon, className, children, onClick, ...rest } = props;
  return (
    <button
      type="button"
      {...rest}
      aria-busy={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      className={classes(
        'inline-flex min-h-11 items-center justify-center gap-2 rounded-control px-4 text-control font-semibold transition duration-100 select-none active:scale-[0.98] disabled:opacity-50',
        VARIANTS[variant],
        className,
      )}
    >
      {busy ? <Spinner /> : icon}
      {children}
    </button>
  );
}
