import type { ComponentProps, ReactNode } from 'react';
import { classes } from './classes.ts';
import { Tooltip } from './overlay/tooltip.tsx';

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label'> {
  /** The accessible name, also shown as a tooltip. */
  label: string;
  icon?: ReactNode;
  /** A visible label beside the icon, where the container has room. */
  text?: string;
}

/** A square button with an icon. */
export function IconButton({
  label,
  icon,
  text,
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
          text !== undefined && '@min-[340px]:w-auto @min-[340px]:px-2',
          className,
        )}
      >
        {icon}
        {children}
        {text !== undefined && (
          <span
            aria-hidden="true"
            className="ms-1.5 hidden text-meta font-medium @min-[340px]:inline"
          >
            {text}
          </span>
        )}
      </button>
    </Tooltip>
  );
}
