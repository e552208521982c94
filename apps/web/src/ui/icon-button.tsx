import type { ComponentProps } from 'react';
import { classes } from './classes.ts';
import { Tooltip } from './overlay/tooltip.tsx';

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label'> {
  /** The accessible name, also shown as a tooltip. */
  label: string;
}

/** A square button with only an icon. */
export function IconButton({
  label,
  className,
  children,
  type = 'button',
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip text={label} describes={false}>
      <button
        {...rest}
        type={type}
        aria-label={label}
        className={classes(
          'touch-target inline-flex size-8 shrink-0 items-center justify-center rounded-control text-fg-2 transition-colors duration-80 hover:bg-hover hover:text-fg',
          'disabled:opacity-50 aria-expanded:bg-hover aria-expanded:text-fg',
          className,
        )}
      >
        {children}
      </button>
    </Tooltip>
  );
}
