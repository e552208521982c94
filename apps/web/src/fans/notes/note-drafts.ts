import { createStored } from '../../lib/server/stored.ts';
import type { NotesEdit } from './merge.ts';

type NoteDrafts = Readonly<Record<string, NotesEdit>>;

const NONE: NoteDrafts = {};

const drafts = createStored<NoteDrafts>({
  name: 'note_drafts',
  empty: NONE,
  parse: (text) => JSON.parse(text) as NoteDrafts,
  isEmpty: (value) => Object.keys(value).length === 0,
});

/** Returns the unsaved profile notes of a conversation, or null. */
export function readNoteDraft(conversationId: string): NotesEdit | null {
  return drafts.get()[conversationId] ?? null;
}

/** Stores unsaved profile notes across reloads; null removes them. */
export function writeNoteDraft(conversationId: string, edit: NotesEdit | null): void {
  const { [conversationId]: previous, ...others } = drafts.get();
  if (edit !== null) drafts.set({ ...others, [conversationId]: edit });
  else if (previous) drafts.set(others);
}

/** Returns whether there are unsaved profile notes, so that signing out asks first. */
export function hasAnyNoteDraft(): boolean {
  return Object.keys(drafts.get()).length > 0;
}

/** Deletes the signed-in admin's unsaved profile notes. Call it before a sign-out clears the session. */
export function clearNoteDrafts(): void {
  drafts.set(NONE);
}
