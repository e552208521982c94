import type { ReactNode } from 'react';
import { classes } from '../../ui/classes.ts';

const TONES = {
  plain: 'bg-surface text-fg-2',
  accent: 'bg-selected text-fg',
  warn: 'bg-warn-bg text-warn',
} as const;

interface BarProps {
  icon: ReactNode;
  tone: keyof typeof TONES;
  text: ReactNode;
  /** The bar's buttons. */
  children: ReactNode;
}

/** A line above all pages. */
export function Bar({ icon, tone, text, children }: BarProps) {
  return (
    <div
      className={classes(
        'flex min-h-10 flex-wrap items-center justify-center gap-x-3 gap-y-1 border-b border-line px-4 py-1 text-control font-medium',
        TONES[tone],
      )}
    >
      <span className="flex min-w-0 items-center gap-2">
        {icon}
        {text}
      </span>
      <span className="flex flex-wrap items-center gap-2">{children}</span>
    </div>
  );
}
