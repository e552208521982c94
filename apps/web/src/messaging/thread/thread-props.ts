import type { StaffNote } from '@stagedoor/contract/messaging/staff-notes';
import type { ReactNode, Ref } from 'react';
import type { MessageHandlers } from '../bubble/message-row.tsx';
import type { Thread } from '../messages/cache.ts';
import type { Outbox } from '../messages/outbox.ts';
import type { NoteRowState } from './note-parts.ts';

/** Lets the pane control its thread. */
export interface ThreadControls {
  scrollToEnd: () => void;
  /** Shows a message and highlights it. */
  showMessage: (id: string) => void;
  /** Shows a note and highlights it, loading older messages if needed. */
  showNote: (id: string) => void;
  /** Returns the focused message, otherwise the newest; null without messages. */
  currentMessageId: () => string | null;
}

/** The data and callbacks of a thread. */
export interface ThreadProps {
  thread: Thread;
  /** Staff notes among the messages. */
  notes: readonly StaffNote[];
  /** Whether some of the notes are still loading. */
  isAwaitingNotes: boolean;
  noteRow: (note: StaffNote, state: NoteRowState) => ReactNode;
  onEditNote: (note: StaffNote) => void;
  outbox: Outbox;
  /** The number of the fan's messages that staff have not read. */
  unreadCount: number;
  myId: string;
  fanName: string;
  canWrite: boolean;
  handlers: Omit<MessageHandlers, 'onOpenQuote'>;
  /** The message whose menu is open, or null. */
  menuOf: string | null;
  /** Loads the previous page. Resolves with whether that succeeded. */
  loadOlder: () => Promise<boolean>;
  isLoadingOlder: boolean;
  olderError: string | null;
  onAtEnd: (isAtEnd: boolean) => void;
  /** Called if a message to show is not loaded. */
  onMissing: (messageId: string) => void;
  /** The message to open at, if the newest ones are not shown. */
  around?: Around;
  ref: Ref<ThreadControls>;
}

/** A message in its context, at which a thread opens. */
interface Around {
  messageId: string;
  /** Called when the end of the loaded messages is near. */
  onNearEnd: (isAtEnd: boolean) => void;
  /** Returns to the newest messages. */
  onBack: () => void;
}
