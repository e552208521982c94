import type { ComponentProps } from 'react';
import { classes } from './classes.ts';

interface IconButtonProps extends ComponentProps<'button'> {
  label: string;
}

export function IconButton({ label, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      {...rest}
      className={classes(
        'inline-flex size-11 shrink-0 items-center justify-center rounded-full text-fg-2 transition-colors duration-100 hover:bg-surface-2 hover:text-fg disabled:opacity-40',
        className,
      )}
    />
  );
}
