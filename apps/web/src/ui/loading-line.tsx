import { classes } from './classes.ts';
import { Spinner } from './spinner.tsx';

/** A line that says what is loading, shown in place of the content. */
export function LoadingLine({ text, className = 'py-4' }: { text: string; className?: string }) {
  return (
    <p
      role="status"
      className={classes('flex items-center gap-2 text-control text-fg-3', className)}
    >
      <Spinner /> {text}
    </p>
  );
}
