import { classes } from './classes.ts';

/** A turning ring, as large as the text next to it. That text must say what is in progress. */
export function Spinner({ className }: { className?: string }) {
  return <span aria-hidden="true" className={classes('spinner', className)} />;
}

/** A spinner with its text, centered in the area that is loading. */
export function CenteredSpinner({ text }: { text: string }) {
  return (
    <div role="status" className="flex h-full items-center justify-center gap-3 p-6 text-fg-2">
      <Spinner className="size-5! text-accent-text" />
      {text}
    </div>
  );
}
