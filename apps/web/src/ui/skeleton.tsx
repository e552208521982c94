import { classes } from './classes.ts';

/** A gray placeholder shape. `className` sets its size. */
export function Skeleton({ className }: { className: string }) {
  return (
    <span
      aria-hidden="true"
      className={classes('block animate-pulse rounded-chip bg-surface-2', className)}
    />
  );
}
