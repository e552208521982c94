import type { ReactNode } from 'react';
import { classes } from './classes.ts';

const TONES = {
  neutral: 'bg-neutral-bg text-neutral',
  accent: 'bg-accent text-white',
  good: 'bg-good-bg text-good',
  warn: 'bg-warn-bg text-warn',
  info: 'bg-manager-bg text-manager',
  bad: 'bg-flagged text-danger-text',
} as const;

interface BadgeProps {
  tone?: keyof typeof TONES;
  title?: string | undefined;
  children: ReactNode;
}

/** A small label on a muted background. */
export function Badge({ tone = 'neutral', title, children }: BadgeProps) {
  return (
    <span
      title={title}
      className={classes(
        'inline-flex shrink-0 items-center rounded-chip px-1.5 text-badge font-medium whitespace-nowrap',
        TONES[tone],
      )}
    >
      {children}
    </span>
  );
}

/** Higher counts show as `99+`. */
const LARGEST_COUNT = 99;

/** A count in a pill. */
export function CountBadge({ count }: { count: number }) {
  return (
    <span className="inline-flex h-[18px] min-w-[18px] shrink-0 items-center justify-center rounded-full bg-accent px-1.5 text-badge font-semibold text-white tabular-nums">
      {count > LARGEST_COUNT ? `${LARGEST_COUNT}+` : count}
    </span>
  );
}
