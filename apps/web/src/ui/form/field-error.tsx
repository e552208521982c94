import type { ReactNode } from 'react';

/** An error below a field. */
export function FieldError({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p id={id} role="alert" className="text-meta text-danger-text">
      {children}
    </p>
  );
}
