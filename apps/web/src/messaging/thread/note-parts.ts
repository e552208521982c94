import type { StaffNote } from '@stagedoor/contract/messaging/staff-notes';
import type { ReactNode, Ref } from 'react';

/** How a note stands in its thread. */
export interface NoteRowState {
  rowKey: string;
  isHighlighted: boolean;
  isTabStop: boolean;
  onEdit: (note: StaffNote) => void;
}

export interface NoteComposerControls {
  focus: () => void;
}

/** What a note is written for. */
export interface NoteComposerState {
  conversationId: string;
  fanName: string;
  /** The note that is being changed; null where a new one is written. */
  editing: StaffNote | null;
  /** Once it is there it has the focus. */
  takesFocus: boolean;
  onStopEditing: () => void;
  onAdded: () => void;
  onEscape: () => void;
  ref: Ref<NoteComposerControls>;
}

/** How staff's notes are shown among the messages, and where they are written. */
export interface NoteParts {
  row: (note: StaffNote, state: NoteRowState) => ReactNode;
  composer: (state: NoteComposerState) => ReactNode;
  /** Whether one was begun in the conversation. */
  isBegun: (conversationId: string) => boolean;
}
