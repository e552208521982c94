import { type ReactNode, useId } from 'react';

interface TableCardProps {
  title: string;
  /** The text shown instead of an empty table. */
  emptyText: string | null;
  children: ReactNode;
}

/** A titled card around a table. */
export function TableCard({ title, emptyText, children }: TableCardProps) {
  const titleId = useId();
  return (
    <section
      aria-labelledby={titleId}
      className="min-w-0 overflow-hidden rounded-card border border-line bg-surface"
    >
      <h3 id={titleId} className="px-4 pt-3.5 pb-3 text-message font-semibold tracking-tight">
        {title}
      </h3>
      {emptyText === null ? (
        children
      ) : (
        <p className="px-4 pb-4 text-control text-fg-3">{emptyText}</p>
      )}
    </section>
  );
}
