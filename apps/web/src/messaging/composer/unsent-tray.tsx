import { CircleAlert } from 'lucide-react';
import { t } from '../../lib/text/i18n.ts';
import { FailedActions } from '../bubble/failed-actions.tsx';
import { quotePreview, shownPreview } from '../messages/message-text.ts';
import { isEditable } from '../messages/outbox.ts';
import type { UnsentMessage } from '../messages/unsent.ts';

interface UnsentTrayProps {
  messages: readonly UnsentMessage[];
  onRetry: (message: UnsentMessage) => void;
  onEdit: (message: UnsentMessage) => void;
  onDiscard: (message: UnsentMessage) => void;
}

function nameOf({ content, attachments }: UnsentMessage): string {
  const product = attachments.find(({ shown }) => shown.product_id !== null);
  if (product) return product.shown.title ?? t('Product');
  const shown = attachments.map((attachment) => attachment.shown);
  return content.trim() || shownPreview(quotePreview({ content, attachments: shown }));
}

/** Messages that could not be sent, kept until they are sent, edited or discarded. */
export function UnsentTray({ messages, onRetry, onEdit, onDiscard }: UnsentTrayProps) {
  if (messages.length === 0) return null;
  return (
    <ul
      aria-label={t('Messages not sent')}
      className="mb-2 flex max-h-40 flex-col gap-1.5 overflow-y-auto"
    >
      {messages.map((message) => (
        <li
          key={message.tempId}
          className="flex flex-wrap items-center gap-x-2.5 gap-y-1.5 rounded-control border border-danger/30 bg-flagged px-2.5 py-1.5 text-control"
        >
          <CircleAlert className="text-danger-text" />
          <div className="min-w-40 flex-1">
            <p dir="auto" className="truncate text-fg">
              {nameOf(message)}
            </p>
            <p role="alert" className="truncate text-meta text-danger-text">
              {message.error ?? t('Delivery not confirmed')}
            </p>
          </div>
          <FailedActions
            isStale={message.isStale}
            onRetry={() => onRetry(message)}
            onEdit={isEditable(message) ? () => onEdit(message) : undefined}
            onDiscard={() => onDiscard(message)}
          />
        </li>
      ))}
    </ul>
  );
}
