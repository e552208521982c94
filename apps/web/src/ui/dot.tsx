import type { CSSProperties } from 'react';

/** A teammate's color, beside their name. */
export function Dot({ color }: { color: string }) {
  return (
    <span
      aria-hidden="true"
      className="size-2 shrink-0 rounded-full bg-own"
      style={{ '--t': color } as CSSProperties}
    />
  );
}
