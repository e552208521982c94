import type { ReactionEmoji } from '@stagedoor/contract/messaging/messages';
import type { ThreadMessage } from '../messages/cache.ts';
import type { PendingMessage } from '../messages/outbox.ts';
import type { AttachmentHandlers } from './attachments.tsx';

/** The actions on messages, stable for the lifetime of the thread. */
export interface MessageHandlers extends Pick<AttachmentHandlers, 'refresh' | 'onDownload'> {
  onOpenPicture: (attachmentId: string) => void;
  onOpenQuote: (id: string) => void;
  onOpenMenu: (message: ThreadMessage, anchor: HTMLElement, kind: 'reactions' | 'all') => void;
  onReact: (message: ThreadMessage, emoji: ReactionEmoji) => void;
  onReply: (message: ThreadMessage) => void;
  onCopy: (text: string) => void;
  /** Saves the message as a statement of the creator. */
  onPin: (message: ThreadMessage) => void;
  /** Asks whether to unsend the message. */
  onUnsend: (message: ThreadMessage) => void;
  onRetry: (message: PendingMessage) => void;
  onEdit: (message: PendingMessage) => void;
  onDiscard: (message: PendingMessage) => void;
}
