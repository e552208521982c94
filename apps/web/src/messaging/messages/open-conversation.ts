import type { StaffNote } from '@stagedoor/contract/messaging/staff-notes';
import type { Template } from '@stagedoor/contract/messaging/templates';
import { createContext, type RefObject } from 'react';
import { useProvided } from '../../lib/use-provided.ts';
import type { Board } from './board.ts';
import type { ThreadMessage } from './cache.ts';
import type { PendingMessage } from './outbox.ts';
import type { ReplyTarget } from './reply-target.ts';

/** Controls the messages on screen. */
export interface ThreadControls {
  scrollToEnd: () => void;
  showMessage: (id: string) => void;
  showNote: (id: string) => void;
}

/** The parts of an unsent message that can be edited again. */
export type TakenBack = Pick<PendingMessage, 'content' | 'replyTo' | 'attachments'>;

/** Controls the reply or note being written. */
export interface WritingControls {
  replyTo: (target: ReplyTarget) => void;
  /** Moves an unsent message back into the composer. Its text goes before the text already there. */
  takeBack: (message: TakenBack) => void;
  addFiles: (files: readonly File[]) => void;
  editNote: (note: StaffNote) => void;
}

/** Data and controls shared by the parts of the open conversation. Stable while it is open, so that messages don't re-render. */
export interface OpenConversation {
  id: string;
  fanName: string;
  board: Board;
  thread: RefObject<ThreadControls | null>;
  writing: RefObject<WritingControls | null>;
  /** Jumps to a message; null jumps back to the newest. */
  jumpTo: (messageId: string | null) => void;
  pin: (message: ThreadMessage) => void;
  /** Shows teammates that a reply is being typed. A blank text means that typing has stopped. */
  reportTyping: (text: string) => void;
  /** Opens the templates. `onUse` inserts the chosen one. */
  openTemplates: (onUse: (template: Template) => void) => void;
  openScheduled: () => void;
}

export const OpenConversationContext = createContext<OpenConversation | null>(null);

export const useOpenConversation = () => useProvided(OpenConversationContext);
