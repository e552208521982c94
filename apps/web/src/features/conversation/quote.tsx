import type { ReplyTarget } from './reply-target.ts';

interface QuoteProps {
  target: ReplyTarget;
  /** Shows the quoted message. */
  onOpen?: ((id: string) => void) | undefined;
}

/** The beginning of the message that is answered. */
export function Quote({ target, onOpen }: QuoteProps) {
  const shape =
    'mb-1 block w-full min-w-0 rounded-[6px] border-s-[3px] border-accent bg-accent/8 py-1 pe-2 ps-2 text-start text-control';
  const content = (
    <>
      <span className="block truncate font-medium text-accent-text">
        {onOpen && <span className="sr-only">Show the quoted message of </span>}
        {target.sender}
        <span className="sr-only">: </span>
      </span>
      <span className="block truncate text-fg-2">{target.preview}</span>
    </>
  );
  if (!onOpen) return <span className={shape}>{content}</span>;
  return (
    <button
      type="button"
      onClick={() => onOpen(target.id)}
      className={`${shape} transition-colors duration-80 hover:bg-accent/14`}
    >
      {content}
    </button>
  );
}
