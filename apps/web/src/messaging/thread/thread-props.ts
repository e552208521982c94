import type { StaffNote } from '@stagedoor/contract/messaging/staff-notes';
import type { ReactNode, Ref } from 'react';
import type { MessageHandlers } from '../bubble/message-row.tsx';
import type { Thread } from '../messages/cache.ts';
import type { Outbox } from '../messages/outbox.ts';
import type { NoteRowState } from './note-parts.ts';

/** What the pane can ask of its thread. */
export interface ThreadControls {
  scrollToEnd: () => void;
  /** Shows a message and highlights it. */
  showMessage: (id: string) => void;
  /** Shows a note and highlights it, loading older messages where needed. */
  showNote: (id: string) => void;
  /** The message that has the focus, else the newest; null without messages. */
  currentMessageId: () => string | null;
}

/** What a thread shows, and whom it tells of what is done with it. */
export interface ThreadProps {
  thread: Thread;
  /** What staff noted among the messages. */
  notes: readonly StaffNote[];
  /** Some of them are on their way. */
  isAwaitingNotes: boolean;
  noteRow: (note: StaffNote, state: NoteRowState) => ReactNode;
  onEditNote: (note: StaffNote) => void;
  outbox: Outbox;
  /** How many of the fan's messages staff have not read. */
  unreadCount: number;
  myId: string;
  fanName: string;
  canWrite: boolean;
  handlers: Omit<MessageHandlers, 'onOpenQuote'>;
  /** The message whose menu is open, or null. */
  menuOf: string | null;
  /** Loads the page before; whether that succeeded. */
  loadOlder: () => Promise<boolean>;
  isLoadingOlder: boolean;
  olderError: string | null;
  onAtEnd: (isAtEnd: boolean) => void;
  /** A message that is to be shown is not among these. */
  onMissing: (messageId: string) => void;
  /** The message at which it opens, where it is not the newest ones that are shown. */
  around?: Around;
  ref: Ref<ThreadControls>;
}

/** A message among others, at which a thread opens. */
interface Around {
  messageId: string;
  /** The end of what is loaded is near. */
  onNearEnd: (isAtEnd: boolean) => void;
  /** Shows the newest messages again. */
  onBack: () => void;
}
