import { CircleAlert } from 'lucide-react';
import { FailedActions } from './failed-actions.tsx';
import type { UnsentMessage } from './unsent.ts';

interface UnsentTrayProps {
  messages: readonly UnsentMessage[];
  onRetry: (message: UnsentMessage) => void;
  onEdit: (message: UnsentMessage) => void;
  onDiscard: (message: UnsentMessage) => void;
}

/** What could not be sent, kept until it is sent, edited or discarded. */
export function UnsentTray({ messages, onRetry, onEdit, onDiscard }: UnsentTrayProps) {
  if (messages.length === 0) return null;
  return (
    <ul
      aria-label="Unsent messages"
      className="mb-2 flex max-h-40 flex-col gap-1.5 overflow-y-auto"
    >
      {messages.map((message) => (
        <li
          key={message.tempId}
          className="flex flex-wrap items-center gap-x-2.5 gap-y-1.5 rounded-control border border-danger/30 bg-flagged px-2.5 py-1.5 text-control"
        >
          <CircleAlert
            aria-hidden="true"
            size={16}
            strokeWidth={1.75}
            className="shrink-0 text-danger-text"
          />
          <div className="min-w-40 flex-1">
            <p className="truncate text-fg">{message.content}</p>
            <p role="alert" className="truncate text-meta text-danger-text">
              {message.error ?? 'Not confirmed as sent'}
            </p>
          </div>
          <FailedActions
            onRetry={() => onRetry(message)}
            onEdit={() => onEdit(message)}
            onDiscard={() => onDiscard(message)}
          />
        </li>
      ))}
    </ul>
  );
}
