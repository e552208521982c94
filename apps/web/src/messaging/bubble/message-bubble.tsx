import { linkedText } from '@stagedoor/browser/linked-text';
import { Check, CircleAlert, Clock } from 'lucide-react';
import { useAdmin } from '../../lib/server/session.ts';
import { exactTimeOf } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { clockTime } from '../../lib/text/times.ts';
import { classes } from '../../ui/classes.ts';
import { useStrip } from '../attachments/chosen-files.ts';
import { CREATOR_NAME, quotePreview, shownTarget, shownText } from '../messages/message-text.ts';
import { useOpenConversation } from '../messages/open-conversation.ts';
import { isEditable, type PendingMessage } from '../messages/outbox.ts';
import type { ReplyTarget } from '../messages/reply-target.ts';
import { isOutgoingRow, type MessageRow } from '../messages/thread-rows.ts';
import { Attachments } from './attachments.tsx';
import { FailedActions } from './failed-actions.tsx';
import { MassMark } from './mass-mark.tsx';
import type { MessageHandlers } from './message-handlers.ts';
import { endsInPicture } from './picture-size.ts';

const LINK =
  'text-accent-text underline decoration-accent-text/40 underline-offset-2 hover:decoration-current';

/** A message's delivery state. `uploading` means that its files are still being uploaded. */
type Delivery = 'uploading' | 'sending' | 'sent' | 'read' | 'failed';

function deliveryOf(row: MessageRow): Delivery {
  if (row.kind === 'pending') return row.message.status;
  return row.message.read_at === null ? 'sent' : 'read';
}

function quoteOf(row: MessageRow, fanName: string): ReplyTarget | null {
  if (row.kind === 'pending') return row.message.replyTo;
  const { reply_to, recipient_id, sender_id, author } = row.message;
  if (!reply_to) return null;
  const fanId = author === null ? sender_id : recipient_id;
  // Uses the same names as the pending message, so that the bubble keeps its size when the message is confirmed.
  const sender = reply_to.sender.id === fanId ? fanName : CREATOR_NAME;
  return { id: reply_to.id, sender, preview: quotePreview(reply_to) };
}

interface MessageBubbleProps {
  row: MessageRow;
  handlers: MessageHandlers;
}

/** A message's text with its time and state. Space for both is reserved, so that a bubble never changes size. */
export function MessageBubble({ row, handlers }: MessageBubbleProps) {
  const { fanName } = useOpenConversation();
  const isOutgoing = isOutgoingRow(row);
  const delivery = deliveryOf(row);
  const text = shownText(row.message.content);
  const quote = quoteOf(row, fanName);
  const attachments = row.message.attachments.map((held) => ('shown' in held ? held.shown : held));
  const hasAttachments = attachments.length > 0;
  // The time is drawn on top of the last picture, because there is no text.
  const isBare = text === '' && delivery !== 'failed' && endsInPicture(attachments);
  return (
    <div
      className={classes(
        'relative w-fit max-w-full min-w-0 rounded-bubble text-message compact:text-base coarse:select-none',
        hasAttachments ? (isBare ? 'p-1' : 'px-1 pt-1 pb-[7px]') : 'px-3 py-[7px] compact:py-1',
        isOutgoing ? 'ms-auto bg-bubble-out' : 'border border-line bg-surface',
        row.endsGroup && (isOutgoing ? 'rounded-ee-[4px]' : 'rounded-es-[4px]'),
        (delivery === 'uploading' || delivery === 'sending') && 'opacity-75',
      )}
    >
      {row.kind === 'message' && row.message.campaign_id !== null && (
        <div className={hasAttachments ? 'px-2' : undefined}>
          <MassMark message={row.message} />
        </div>
      )}
      {quote && (
        // With attachments, the quote takes their width and doesn't widen the bubble.
        <div className={hasAttachments ? 'w-0 min-w-full' : undefined}>
          <Quote target={quote} onOpen={handlers.onOpenQuote} />
        </div>
      )}
      {hasAttachments && (
        <Attachments
          attachments={attachments}
          hasText={text !== ''}
          onOpen={row.kind === 'message' ? handlers.onOpenPicture : undefined}
          refresh={handlers.refresh}
          onDownload={handlers.onDownload}
        />
      )}
      {/* The time sits where the text ends, for left-to-right and right-to-left text. */}
      <div dir={text === '' ? undefined : 'auto'}>
        {!isBare && (
          <p
            className={classes(
              'wrap-anywhere whitespace-pre-wrap',
              hasAttachments && (text === '' ? 'h-5' : 'w-0 min-w-full px-2 pt-1'),
            )}
          >
            {linkedText(text, LINK)}
            <span
              aria-hidden="true"
              className={classes('inline-block h-0', isOutgoing ? 'w-[62px]' : 'w-[44px]')}
            />
          </p>
        )}
        <MessageMeta row={row} isBare={isBare} />
      </div>
      {row.kind === 'pending' && delivery === 'failed' && (
        <Failure message={row.message} handlers={handlers} />
      )}
    </div>
  );
}

interface FailureProps {
  message: PendingMessage;
  handlers: MessageHandlers;
}

function Failure({ message, handlers }: FailureProps) {
  const canWrite = useAdmin().permissions.can_manage_messages;
  return (
    <div className="mt-1.5 border-t border-line pt-1.5">
      <p role="alert" className="mb-1.5 flex items-start gap-1.5 text-control text-danger-text">
        <CircleAlert className="mt-0.5" />
        <span className="min-w-0 wrap-anywhere">{message.error}</span>
      </p>
      <FailedActions
        isStale={message.isStale}
        onRetry={() => handlers.onRetry(message)}
        onEdit={canWrite && isEditable(message) ? () => handlers.onEdit(message) : undefined}
        onDiscard={() => handlers.onDiscard(message)}
      />
    </div>
  );
}

/** The time and delivery state. @param isBare whether they are drawn on a picture */
function MessageMeta({ row, isBare }: { row: MessageRow; isBare: boolean }) {
  const delivery = deliveryOf(row);
  const isOutgoing = isOutgoingRow(row);
  const { created_at: createdAt } = row.message;
  const author = row.kind === 'message' ? row.message.author?.codename : undefined;
  const title = author ? `${exactTimeOf(createdAt)} · ${author}` : exactTimeOf(createdAt);
  return (
    <span
      title={title}
      className={classes(
        'absolute flex min-h-4 min-w-8 items-center justify-end gap-1 text-badge tabular-nums',
        isBare
          ? 'end-2.5 bottom-2.5 rounded-full bg-[#000b] px-1.5 text-white'
          : ['end-2.5 bottom-1.5 compact:bottom-1', metaColor(delivery, isOutgoing)].join(' '),
      )}
    >
      {row.kind === 'pending' && delivery === 'uploading' && (
        <UploadPercent conversationId={row.message.conversation_id} />
      )}
      {(delivery === 'uploading' || delivery === 'sending') && (
        <Clock role="img" aria-label={t('Sending')} size={12} />
      )}
      {(delivery === 'sent' || delivery === 'read') && (
        <time dateTime={createdAt}>{clockTime(createdAt)}</time>
      )}
      {delivery === 'read' && isOutgoing && (
        <Check
          role="img"
          aria-label={t('Read')}
          size={13}
          strokeWidth={2.25}
          className={isBare ? undefined : 'text-accent-text'}
        />
      )}
    </span>
  );
}

/** Returns the color of the time and state. Messages being sent are faded, so their progress needs a stronger color. */
function metaColor(delivery: Delivery, isOutgoing: boolean): string {
  if (delivery === 'uploading' || delivery === 'sending') return 'text-fg';
  return isOutgoing ? 'text-fg-2' : 'text-fg-3';
}

interface QuoteProps {
  target: ReplyTarget;
  /** Scrolls to the quoted message. */
  onOpen: (id: string) => void;
}

function Quote({ target, onOpen }: QuoteProps) {
  const { id, sender, preview } = shownTarget(target);
  // Wraps the visible text, so that voice control users can say the words they see on the button.
  const [before, after] = t('Show the quoted message from {name}', { name: '\n' }).split('\n');
  return (
    <button
      type="button"
      onClick={() => onOpen(id)}
      className="mb-1 block w-full min-w-0 rounded-[6px] border-s-[3px] border-accent bg-accent/8 py-1 pe-2 ps-2 text-start text-control transition-colors duration-80 hover:bg-accent/14"
    >
      <span className="block truncate font-medium text-accent-text">
        <span className="sr-only">{before}</span>
        {sender}
        <span className="sr-only">{after}: </span>
      </span>
      <span dir="auto" className="block truncate text-fg-2">
        {preview}
      </span>
    </button>
  );
}

/** The upload progress of a conversation's files, weighted by size. */
function UploadPercent({ conversationId }: { conversationId: string }) {
  const { files } = useStrip(conversationId);
  const weight = ({ size }: { size: number | null }) => size ?? 1;
  const all = files.reduce((sum, file) => sum + weight(file), 0);
  const done = files.reduce((sum, file) => sum + weight(file) * file.progress, 0);
  return t('{percent}%', { percent: all === 0 ? 0 : Math.floor((done / all) * 100) });
}
