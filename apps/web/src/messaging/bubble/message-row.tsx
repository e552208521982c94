import type { ReactionEmoji } from '@stagedoor/contract/messaging/messages';
import { CircleAlert } from 'lucide-react';
import { memo, useState } from 'react';
import { t } from '../../lib/text/i18n.ts';
import { clockTime } from '../../lib/text/times.ts';
import { classes } from '../../ui/classes.ts';
import type { ThreadMessage } from '../messages/cache.ts';
import { CREATOR_NAME, quotePreview, shownText } from '../messages/message-text.ts';
import { isEditable, type PendingMessage } from '../messages/outbox.ts';
import type { ReplyTarget } from '../messages/reply-target.ts';
import { isSameRow, type MessageRow as MessageRowData } from '../messages/thread-rows.ts';
import { type AttachmentHandlers, Attachments } from './attachments.tsx';
import { FailedActions } from './failed-actions.tsx';
import { MessageActions } from './message-actions.tsx';
import { type Delivery, MessageBubble } from './message-bubble.tsx';
import { endsInPicture } from './picture-size.ts';
import { Reactions } from './reactions.tsx';
import { UploadPercent } from './upload-percent.tsx';
import { useLongPress } from './use-long-press.ts';

/** Message actions; stable for the lifetime of the thread. */
export interface MessageHandlers extends Pick<AttachmentHandlers, 'refresh' | 'onDownload'> {
  onOpenPicture: (attachmentId: string) => void;
  onOpenQuote: (id: string) => void;
  onOpenMenu: (message: ThreadMessage, anchor: HTMLElement, kind: 'reactions' | 'all') => void;
  onReact: (message: ThreadMessage, emoji: ReactionEmoji) => void;
  onReply: (message: ThreadMessage) => void;
  onCopy: (text: string) => void;
  /** Saves the message as a statement of the creator. */
  onPin: (message: ThreadMessage) => void;
  onRetry: (message: PendingMessage) => void;
  onEdit: (message: PendingMessage) => void;
  onDiscard: (message: PendingMessage) => void;
}

interface MessageRowProps {
  row: MessageRowData;
  myId: string;
  fanName: string;
  /** Hides the actions that a fan would see, for staff without the message privilege. */
  canWrite: boolean;
  isHighlighted: boolean;
  /** Keeps the button that opened the menu visible while the menu is open, so that focus can return to it. */
  isMenuOpen: boolean;
  /** Whether this is the message that Tab reaches. */
  isTabStop: boolean;
  handlers: MessageHandlers;
}

function deliveryOf(row: MessageRowData): Delivery {
  if (row.kind === 'pending') return row.message.status;
  return row.message.read_at === null ? 'sent' : 'read';
}

function quoteOf(row: MessageRowData, fanName: string): ReplyTarget | null {
  if (row.kind === 'pending') return row.message.replyTo;
  const { reply_to, recipient_id, sender_id, author } = row.message;
  if (!reply_to) return null;
  const fanId = author === null ? sender_id : recipient_id;
  // Uses the same names as the pending message, so that the bubble keeps its size when it is confirmed.
  const sender = reply_to.sender.id === fanId ? fanName : CREATOR_NAME;
  return { id: reply_to.id, sender, preview: quotePreview(reply_to) };
}

function nameOf(row: MessageRowData, fanName: string): string {
  const name = row.kind === 'message' && row.message.author === null ? fanName : t('Creator');
  if (row.kind === 'message')
    return t('{name}, {time}', { name, time: clockTime(row.message.created_at) });
  return row.message.status === 'failed'
    ? t('{name}, not sent', { name })
    : t('{name}, sending', { name });
}

/** One message with its reactions and actions. */
export const MessageRow = memo(Row, showsSame);

function showsSame(before: MessageRowProps, after: MessageRowProps): boolean {
  return (Object.keys(after) as (keyof MessageRowProps)[]).every((name) =>
    name === 'row' ? isSameRow(before.row, after.row) : before[name] === after[name],
  );
}

function Row(props: MessageRowProps) {
  const { row, myId, fanName, canWrite, isHighlighted, isMenuOpen, isTabStop, handlers } = props;
  const [isHovered, setHovered] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const stored = row.kind === 'message' ? row.message : null;
  const pending = row.kind === 'pending' ? row.message : null;
  const author = stored?.author ?? null;
  const isOutgoing = pending !== null || author !== null;
  const text = shownText(row.message.content);
  const longPress = useLongPress(
    (element) => stored && handlers.onOpenMenu(stored, element, 'all'),
  );
  const attachments = stored?.attachments ?? pending?.attachments.map(({ shown }) => shown) ?? [];
  const isByOther = author !== null && author.id !== myId;
  return (
    <article
      data-row={row.key}
      aria-label={nameOf(row, fanName)}
      tabIndex={isTabStop ? 0 : -1}
      {...longPress}
      onContextMenu={(event) => {
        // On touch devices a long press opens our menu, not the browser's.
        if (window.matchMedia('(pointer: coarse)').matches) event.preventDefault();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.target !== event.currentTarget || !stored) return;
        event.preventDefault();
        handlers.onOpenMenu(stored, event.currentTarget, 'all');
      }}
      onPointerEnter={(event) => setHovered(event.pointerType === 'mouse')}
      onPointerLeave={() => setHovered(false)}
      onFocus={() => setFocused(true)}
      onBlur={(event) => setFocused(event.currentTarget.contains(event.relatedTarget))}
      className={classes(
        'group/message flex px-4 max-md:px-3',
        row.startsGroup ? 'pt-3 compact:pt-2' : 'pt-0.5 compact:pt-px',
        isOutgoing ? 'justify-end' : 'justify-start',
        'focus-visible:outline-none',
      )}
    >
      <div className="relative w-fit max-w-[min(78%,560px)] min-w-0">
        {row.startsGroup && isByOther && (
          <p className="mb-0.5 flex items-center justify-end gap-1.5 pe-1 text-badge text-fg-3">
            <span
              aria-hidden="true"
              className="size-1.5 rounded-full"
              style={{ background: author.display_color }}
            />
            {author.codename}
          </p>
        )}
        <div className="relative">
          <div
            className={classes(
              'rounded-bubble outline-offset-2 group-focus-visible/message:outline-2 group-focus-visible/message:outline-accent-text',
              'transition-shadow duration-180',
              isHighlighted && 'ring-3 ring-accent/55',
            )}
          >
            <MessageBubble
              text={text}
              isOutgoing={isOutgoing}
              endsGroup={row.endsGroup}
              delivery={deliveryOf(row)}
              createdAt={row.message.created_at}
              author={author?.codename ?? null}
              quote={quoteOf(row, fanName)}
              attachments={
                attachments.length === 0 ? null : (
                  <Attachments
                    attachments={attachments}
                    hasText={text !== ''}
                    onOpen={stored ? handlers.onOpenPicture : undefined}
                    refresh={handlers.refresh}
                    onDownload={handlers.onDownload}
                  />
                )
              }
              endsInPicture={
                text === '' && pending?.status !== 'failed' && endsInPicture(attachments)
              }
              progress={
                pending?.status === 'uploading' && (
                  <UploadPercent conversationId={pending.conversation_id} />
                )
              }
              onOpenQuote={handlers.onOpenQuote}
            >
              {pending?.status === 'failed' && (
                <div className="mt-1.5 border-t border-line pt-1.5">
                  <p
                    role="alert"
                    className="mb-1.5 flex items-start gap-1.5 text-control text-danger-text"
                  >
                    <CircleAlert
                      aria-hidden="true"
                      size={16}
                      strokeWidth={1.75}
                      className="mt-0.5 shrink-0"
                    />
                    <span className="min-w-0 wrap-anywhere">{pending.error}</span>
                  </p>
                  <FailedActions
                    isStale={pending.isStale}
                    onRetry={() => handlers.onRetry(pending)}
                    onEdit={isEditable(pending) ? () => handlers.onEdit(pending) : undefined}
                    onDiscard={() => handlers.onDiscard(pending)}
                  />
                </div>
              )}
            </MessageBubble>
          </div>
          {stored && (isHovered || isFocused || isMenuOpen) && (
            <MessageActions
              isOutgoing={isOutgoing}
              canReact={canWrite}
              onReact={(anchor) => handlers.onOpenMenu(stored, anchor, 'reactions')}
              onReply={canWrite ? () => handlers.onReply(stored) : null}
              onCopy={text === '' ? null : () => handlers.onCopy(text)}
              onPin={isOutgoing && text !== '' ? () => handlers.onPin(stored) : null}
            />
          )}
        </div>
        {stored && stored.reactions.length > 0 && (
          <div className={classes('flex', isOutgoing ? 'justify-end' : 'justify-start')}>
            <Reactions
              reactions={stored.reactions}
              myId={myId}
              disabled={!canWrite}
              onReact={(emoji) => handlers.onReact(stored, emoji)}
            />
          </div>
        )}
      </div>
    </article>
  );
}
