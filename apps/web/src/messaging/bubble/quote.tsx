import { t } from '../../lib/text/i18n.ts';
import { shownTarget } from '../messages/message-text.ts';
import type { ReplyTarget } from '../messages/reply-target.ts';

interface QuoteProps {
  target: ReplyTarget;
  /** Scrolls to the quoted message. */
  onOpen?: ((id: string) => void) | undefined;
}

/** The beginning of the message being replied to. */
export function Quote({ target, onOpen }: QuoteProps) {
  const { id, sender, preview } = shownTarget(target);
  const shape =
    'mb-1 block w-full min-w-0 rounded-[6px] border-s-[3px] border-accent bg-accent/8 py-1 pe-2 ps-2 text-start text-control';
  // Wraps the visible text, so that voice control users can say the words they see on the button.
  const [before, after] = t('Show the quoted message from {name}', { name: '\n' }).split('\n');
  const content = (
    <>
      <span className="block truncate font-medium text-accent-text">
        {onOpen && <span className="sr-only">{before}</span>}
        {sender}
        <span className="sr-only">{onOpen && after}: </span>
      </span>
      <span dir="auto" className="block truncate text-fg-2">
        {preview}
      </span>
    </>
  );
  if (!onOpen) return <span className={shape}>{content}</span>;
  return (
    <button
      type="button"
      onClick={() => onOpen(id)}
      className={`${shape} transition-colors duration-80 hover:bg-accent/14`}
    >
      {content}
    </button>
  );
}
