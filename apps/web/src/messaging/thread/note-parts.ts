import type { StaffNote } from '@stagedoor/contract/messaging/staff-notes';
import type { ReactNode, Ref } from 'react';

/** A staff note's state in the thread. */
export interface NoteRowState {
  rowKey: string;
  isHighlighted: boolean;
  isTabStop: boolean;
  onEdit: (note: StaffNote) => void;
}

export interface NoteComposerControls {
  focus: () => void;
}

/** The props of the note composer. */
export interface NoteComposerState {
  conversationId: string;
  fanName: string;
  /** The note being edited; null for a new one. */
  editing: StaffNote | null;
  /** Whether the field is focused when it mounts. */
  takesFocus: boolean;
  onStopEditing: () => void;
  onAdded: () => void;
  onEscape: () => void;
  ref: Ref<NoteComposerControls>;
}

/** Renders staff notes among the messages, and the composer for them. */
export interface NoteParts {
  row: (note: StaffNote, state: NoteRowState) => ReactNode;
  composer: (state: NoteComposerState) => ReactNode;
  /** Returns whether the conversation has an unsaved note. */
  isBegun: (conversationId: string) => boolean;
}
