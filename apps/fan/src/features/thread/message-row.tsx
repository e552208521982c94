import type { FanVisibleMessage, ReactionEmoji } from '@stagedoor/contract/messaging/messages';
import { Reply, SmilePlus } from 'lucide-react';
import { memo, useRef } from 'react';
import { clockTime, exactTimeOf } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { classes } from '../../ui/classes.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { type AttachmentHandlers, Attachments } from './attachments.tsx';
import { Bubble, Reactions } from './bubble.tsx';
import { previewOf, shownText } from './message-text.ts';
import { PendingFiles, PendingState } from './pending.tsx';
import type { MessageRow as Row } from './rows.ts';
import { useGestures } from './use-gestures.ts';

/** The actions for the messages of a thread. */
export interface MessageHandlers extends AttachmentHandlers {
  onReply: (message: FanVisibleMessage) => void;
  onReact: (message: FanVisibleMessage, emoji: ReactionEmoji) => void;
  onMenu: (message: FanVisibleMessage, anchor: HTMLElement) => void;
  onRetry: (clientId: string) => void;
  onDiscard: (clientId: string) => void;
  onOpenQuote: (messageId: string) => void;
}

interface MessageRowProps {
  row: Row;
  fanId: string;
  creatorName: string;
  /** The text below the fan's newest message: sent or read. Null for all other messages. */
  receipt: string | null;
  isNewest: boolean;
  isHighlighted: boolean;
  handlers: MessageHandlers;
}

/** The reaction that a double tap toggles. */
const QUICK: ReactionEmoji = '❤️';

export const MessageRow = memo(function MessageRow(props: MessageRowProps) {
  const { row, fanId, creatorName, receipt, isNewest, isHighlighted, handlers } = props;
  const { isOwn } = row;
  const body = useRef<HTMLDivElement>(null);
  const stored = row.kind === 'message' ? row.message : null;
  const pending = row.kind === 'pending' ? row.message : null;
  const text = shownText(row.message.content);
  const senderOf = (id: string) => (id === fanId ? t('You') : creatorName);
  const reply = stored?.reply_to;
  const quote = reply
    ? { id: reply.id, sender: senderOf(reply.sender.id), preview: previewOf(reply) }
    : (pending?.replyTo ?? null);
  const openMenu = () => {
    if (stored && body.current) handlers.onMenu(stored, body.current);
  };
  const gestures = useGestures({
    moving: body,
    onLongPress: openMenu,
    onDoubleTap: () => stored && handlers.onReact(stored, QUICK),
    onSwipe: () => stored && handlers.onReply(stored),
  });
  const at = row.message.created_at;
  return (
    <article
      data-message={row.key}
      aria-label={t('{name}, {time}: {text}', {
        name: isOwn ? t('You') : creatorName,
        time: clockTime(at),
        text: previewOf(row.message),
      })}
      tabIndex={isNewest ? 0 : -1}
      {...gestures}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.target !== event.currentTarget) return;
        event.preventDefault();
        openMenu();
      }}
      className={classes(
        'message group/message relative flex items-center gap-1 px-3 outline-none md:px-5',
        row.startsGroup ? 'pt-3' : 'pt-0.5',
        isOwn ? 'flex-row-reverse' : 'flex-row',
      )}
    >
      <div
        ref={body}
        className={classes(
          'relative flex max-w-[82%] min-w-0 flex-col gap-0.5 rounded-bubble outline-offset-4 group-focus-visible/message:outline-2 group-focus-visible/message:outline-accent-text md:max-w-[75%]',
          isOwn ? 'items-end' : 'items-start',
          pending && pending.status !== 'failed' && 'motion-safe:animate-send',
          isHighlighted && 'ring-4 ring-accent/40',
          'transition-shadow duration-200',
        )}
      >
        <span
          aria-hidden="true"
          style={{ opacity: 'var(--drawn, 0)' }}
          className="pointer-events-none absolute top-1/2 -start-12 -mt-4 flex size-8 items-center justify-center rounded-full bg-surface-2 text-fg-2"
        >
          <Reply size={16} className="rtl:-scale-x-100" />
        </span>
        {stored && (
          <Attachments messageId={stored.id} attachments={stored.attachments} handlers={handlers} />
        )}
        {pending && <PendingFiles message={pending} onDiscard={handlers.onDiscard} />}
        {text !== '' && (
          <Bubble
            row={row}
            text={text}
            quote={quote}
            onOpenQuote={stored ? handlers.onOpenQuote : undefined}
          />
        )}
        {stored && stored.reactions.length > 0 && (
          <Reactions message={stored} fanId={fanId} creatorName={creatorName} onMenu={openMenu} />
        )}
        {pending && (
          <PendingState
            message={pending}
            onRetry={handlers.onRetry}
            onDiscard={handlers.onDiscard}
          />
        )}
        {stored && (row.endsGroup || receipt !== null) && (
          <p className="px-2 pt-0.5 text-badge text-fg-3 tabular-nums" title={exactTimeOf(at)}>
            <time dateTime={at}>{clockTime(at)}</time>
            {receipt !== null && ` · ${receipt}`}
          </p>
        )}
      </div>
      {stored && (
        <div
          className={classes(
            'flex shrink-0 transition-opacity duration-100',
            // On touch screens, a tap focuses the message, which shows these buttons.
            'pointer-events-none opacity-0 group-focus-within/message:pointer-events-auto group-focus-within/message:opacity-100',
            'group-hover/message:pointer-events-auto group-hover/message:opacity-100',
            !isOwn && row.endsGroup && 'coarse:pointer-events-auto coarse:opacity-100',
          )}
        >
          <IconButton
            label={t('React')}
            title={t('React')}
            onClick={openMenu}
            className="fine:size-9"
            tabIndex={-1}
          >
            <SmilePlus size={18} strokeWidth={1.75} />
          </IconButton>
          <IconButton
            label={t('Reply')}
            title={t('Reply')}
            onClick={() => handlers.onReply(stored)}
            className="size-9 coarse:hidden"
            tabIndex={-1}
          >
            <Reply size={18} strokeWidth={1.75} className="rtl:-scale-x-100" />
          </IconButton>
        </div>
      )}
    </article>
  );
});
