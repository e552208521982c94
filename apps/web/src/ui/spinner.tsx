import { classes } from './classes.ts';

/** A turning ring, as large as the text beside it. What is going on must be said in words nearby. */
export function Spinner({ className }: { className?: string }) {
  return <span aria-hidden="true" className={classes('spinner', className)} />;
}

/** A spinner in the middle of the place that is being filled, with its text. */
export function CenteredSpinner({ text }: { text: string }) {
  return (
    <div role="status" className="flex h-full items-center justify-center gap-3 p-6 text-fg-2">
      <Spinner className="size-5! text-accent-text" />
      {text}
    </div>
  );
}
