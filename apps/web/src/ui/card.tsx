import { type ReactNode, useId } from 'react';
import { classes } from './classes.ts';

interface CardProps {
  title: string;
  subtitle?: string;
  /** Shown next to the title. */
  aside?: ReactNode;
  className?: string;
  children: ReactNode;
}

/** A part of a page with its own title. */
export function Card({ title, subtitle, aside, className, children }: CardProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className={classes('rounded-card border border-line bg-surface', className)}
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 pt-3.5 pb-3">
        <div className="me-auto">
          <h2 id={id} className="text-message font-semibold tracking-tight">
            {title}
          </h2>
          {subtitle !== undefined && <p className="mt-0.5 text-control text-fg-3">{subtitle}</p>}
        </div>
        {aside}
      </div>
      {children}
    </section>
  );
}
