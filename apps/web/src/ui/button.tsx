import type { ComponentProps, ReactNode } from 'react';
import { classes } from './classes.ts';
import { Spinner } from './spinner.tsx';

const VARIANTS = {
  primary: 'bg-accent text-white hover:bg-accent-hover disabled:bg-surface-2',
  secondary: 'border border-control bg-surface text-fg hover:bg-hover disabled:bg-transparent',
  ghost: 'text-fg-2 hover:bg-hover hover:text-fg disabled:bg-transparent',
  danger: 'bg-danger text-white hover:opacity-90 disabled:bg-surface-2 disabled:opacity-100',
} as const;

const SIZES = {
  small: 'h-7 px-2 text-meta',
  medium: 'h-8 px-3 text-control coarse:h-11',
  large: 'h-10 px-4 text-base coarse:h-11',
} as const;

interface ButtonProps extends ComponentProps<'button'> {
  variant?: keyof typeof VARIANTS;
  size?: keyof typeof SIZES;
  /** Replaces the label while the button is busy. */
  busyText?: string | undefined;
  busy?: boolean;
  icon?: ReactNode;
}

/** A button with a label. While busy it can't be clicked but stays focusable. */
export function Button({
  variant = 'secondary',
  size = 'medium',
  busy = false,
  busyText,
  icon,
  className,
  children,
  type = 'button',
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      aria-busy={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      className={classes(
        'touch-target inline-flex shrink-0 items-center justify-center gap-1.5 rounded-control font-medium whitespace-nowrap transition-colors duration-80 select-none',
        'disabled:text-fg-3 aria-disabled:bg-transparent! aria-disabled:text-fg-3!',
        VARIANTS[variant],
        SIZES[size],
        className,
      )}
    >
      {busy ? <Spinner /> : icon}
      {busy && busyText ? busyText : children}
    </button>
  );
}
