import { linkedText } from '@stagedoor/browser/linked-text';
import type { FanVisibleMessage } from '@stagedoor/contract/messaging/messages';
import { asList } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { classes } from '../../ui/classes.ts';
import type { ReplyTarget } from '../composer/state.ts';
import { isEmojiOnly } from './message-text.ts';
import type { MessageRow } from './rows.ts';

interface BubbleProps {
  row: MessageRow;
  text: string;
  quote: ReplyTarget | null;
  /** Shows the quoted message; not set while this message is pending. */
  onOpenQuote: ((id: string) => void) | undefined;
}

/** A message's text in a bubble. Its corners depend on the neighboring messages of the same side. */
export function Bubble({ row, text, quote, onOpenQuote }: BubbleProps) {
  const { isOwn, startsGroup, endsGroup } = row;
  if (quote === null && isEmojiOnly(text)) {
    return (
      <p dir="auto" className="px-1 text-emoji">
        {text}
      </p>
    );
  }
  return (
    <div
      className={classes(
        'w-fit max-w-full min-w-0 rounded-bubble px-3.5 py-2 text-message',
        isOwn ? 'bubble-own' : 'bg-bubble-in',
        !startsGroup && (isOwn ? 'rounded-se-[7px]' : 'rounded-ss-[7px]'),
        !endsGroup && (isOwn ? 'rounded-ee-[7px]' : 'rounded-es-[7px]'),
      )}
    >
      {quote && <Quote quote={quote} isOwn={isOwn} onOpen={onOpenQuote} />}
      <p dir="auto" className="whitespace-pre-wrap wrap-anywhere">
        {linkedText(
          text,
          'underline decoration-current/50 underline-offset-2 hover:decoration-current',
        )}
      </p>
    </div>
  );
}

interface QuoteProps {
  quote: ReplyTarget;
  isOwn: boolean;
  onOpen: ((id: string) => void) | undefined;
}

function Quote({ quote, isOwn, onOpen }: QuoteProps) {
  return (
    <button
      type="button"
      disabled={!onOpen}
      onClick={() => onOpen?.(quote.id)}
      className={classes(
        '-mx-1.5 mb-1.5 block min-h-11 w-[calc(100%+12px)] min-w-0 rounded-[12px] border-s-[3px] px-2.5 py-1 text-start text-control',
        isOwn ? 'border-white/80 bg-[#0002]' : 'border-accent bg-accent-bg',
      )}
    >
      <span className={classes('block truncate font-semibold', !isOwn && 'text-accent-text')}>
        {onOpen && <span className="sr-only">{t('Show quoted message:')} </span>}
        {quote.sender}
        <span className="sr-only">: </span>
      </span>
      <span dir="auto" className={classes('block truncate', isOwn ? 'text-white' : 'text-fg-2')}>
        {quote.preview}
      </span>
    </button>
  );
}

interface ReactionsProps {
  message: FanVisibleMessage;
  fanId: string;
  creatorName: string;
  onMenu: () => void;
}

/** The reactions to a message, on its lower edge. A click opens the menu. */
export function Reactions({ message, fanId, creatorName, onMenu }: ReactionsProps) {
  const { reactions } = message;
  const emoji = [...new Set(reactions.map((reaction) => reaction.emoji))];
  const isOwn = reactions.some(({ user_id }) => user_id === fanId);
  const who = reactions.map(
    ({ user_id, emoji: pressed }) => `${user_id === fanId ? t('You') : creatorName} ${pressed}`,
  );
  return (
    <button
      type="button"
      onClick={onMenu}
      aria-label={t('Reactions: {list}', { list: asList(who) })}
      className={classes(
        'relative z-1 -mt-2 mx-2 inline-flex h-7 items-center gap-1 rounded-full border-2 border-surface px-2 text-control tabular-nums',
        'before:absolute before:-inset-2 before:content-[""]',
        isOwn ? 'bg-accent-bg text-accent-text' : 'bg-surface-2 text-fg-2',
      )}
    >
      <span aria-hidden="true">{emoji.join(' ')}</span>
      {reactions.length > emoji.length && <span aria-hidden="true">{reactions.length}</span>}
    </button>
  );
}
