import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { classes } from './classes.ts';

interface DisclosureProps {
  label: string;
  /** Classes for the label. */
  className?: string;
  children: ReactNode;
}

/** Content that is shown on demand, below its label. */
export function Disclosure({ label, className, children }: DisclosureProps) {
  return (
    <details className="group/disclosure">
      <summary
        className={classes(
          'flex w-fit cursor-pointer list-none items-center gap-1 text-control text-fg-2 coarse:py-3',
          className,
        )}
      >
        <ChevronDown className="group-open/disclosure:rotate-180" />
        {label}
      </summary>
      {children}
    </details>
  );
}
