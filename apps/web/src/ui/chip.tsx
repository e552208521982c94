import type { CSSProperties } from 'react';
import { colorOf } from '../lib/text/format.ts';

interface ChipProps {
  label: string;
  /** `#rrggbb`, or null to derive it from the label. */
  color: string | null;
}

/** A colored label: a dot in the color itself, and text that stays readable on its tint. */
export function Chip({ label, color }: ChipProps) {
  return (
    <span
      className="tinted inline-flex h-5 max-w-40 min-w-0 items-center gap-1.5 rounded-chip px-1.5 text-meta font-medium"
      style={{ '--t': color ?? colorOf(label) } as CSSProperties}
    >
      <span
        aria-hidden="true"
        className="size-1.5 shrink-0 rounded-full border border-own bg-(--t)"
      />
      <span className="truncate">{label}</span>
    </span>
  );
}
