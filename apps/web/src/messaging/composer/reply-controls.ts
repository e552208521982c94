import type { PendingMessage } from '../messages/outbox.ts';
import type { ReplyTarget } from '../messages/reply-target.ts';

/** The parts of an unsent message that can be edited again. */
export type TakenBack = Pick<PendingMessage, 'content' | 'replyTo' | 'attachments'>;

/** Lets the rest of the pane control the reply. */
export interface ReplyControls {
  focus: () => void;
  replyTo: (target: ReplyTarget) => void;
  /** Takes an unsent message back for editing, its text before the text already written. */
  takeBack: (message: TakenBack) => void;
  addFiles: (files: readonly File[]) => void;
  /** Goes one step out: first cancels the quote, then focuses the conversation's row. */
  leave: () => void;
}
