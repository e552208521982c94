import type { PendingMessage } from '../messages/outbox.ts';
import type { ReplyTarget } from '../messages/reply-target.ts';

/** Of a message that was not sent: what is written anew. */
export type TakenBack = Pick<PendingMessage, 'content' | 'replyTo' | 'attachments'>;

/** What the rest of the pane can ask of the reply. */
export interface ReplyControls {
  focus: () => void;
  replyTo: (target: ReplyTarget) => void;
  /** Takes what was not sent back for editing, its text before what is already written. */
  takeBack: (message: TakenBack) => void;
  addFiles: (files: readonly File[]) => void;
  /** One step out: of the quote, and then to the conversation's row. */
  leave: () => void;
}
