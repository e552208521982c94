import { ChevronDown, type LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';
import { classes } from '../classes.ts';

interface SelectProps extends ComponentProps<'select'> {
  icon?: LucideIcon;
  /** Whether the select has no border, for toolbars. */
  isQuiet?: boolean;
}

/** A native select, which phones show in their own way. `className` is for the box around it. */
export function Select({ icon: Icon, isQuiet = false, className, children, ...rest }: SelectProps) {
  return (
    <span className={classes('relative inline-flex min-w-0', className)}>
      {Icon && (
        <Icon
          size={14}
          className="pointer-events-none absolute top-1/2 start-2.5 -translate-y-1/2 text-fg-3"
        />
      )}
      <select
        {...rest}
        className={classes(
          'h-8 w-full appearance-none truncate rounded-control pe-8 text-control transition-colors duration-80 focus-visible:outline-offset-0 disabled:text-fg-3 coarse:h-11',
          Icon ? 'ps-8' : 'ps-2.5',
          isQuiet
            ? 'field-sizing-content bg-transparent text-fg-2 enabled:hover:bg-hover'
            : 'border border-control bg-surface disabled:bg-surface-2',
        )}
      >
        {children}
      </select>
      <ChevronDown
        size={14}
        className="pointer-events-none absolute top-1/2 end-2.5 -translate-y-1/2 text-fg-3"
      />
    </span>
  );
}
