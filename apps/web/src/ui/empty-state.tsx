import type { ReactNode } from 'react';

interface EmptyStateProps {
  icon?: ReactNode;
  title: string;
  text?: string | undefined;
  action?: ReactNode;
}

/** The message of a view that has nothing to show. */
export function EmptyState({ icon, title, text, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center justify-center gap-1 px-6 py-12 text-center">
      {icon && (
        <div
          aria-hidden="true"
          className="mb-3 flex size-12 items-center justify-center rounded-full bg-surface-2 text-fg-3"
        >
          {icon}
        </div>
      )}
      <p className="text-base font-semibold text-fg">{title}</p>
      {text && <p className="max-w-72 text-control text-balance text-fg-3">{text}</p>}
      {action && <div className="mt-4">{action}</div>}
    </div>
  );
}
