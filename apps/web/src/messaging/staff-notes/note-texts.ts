import { uuid } from '@stagedoor/browser/uuid';
import { createStored } from '../../lib/server/stored.ts';

export interface NoteText {
  text: string;
  /** The id that the note is saved with. Retries use the same id, so that the note is stored once. */
  clientId: string;
}

type NoteTexts = Readonly<Record<string, NoteText>>;

const NONE: NoteTexts = {};

const texts = createStored<NoteTexts>({
  name: 'staff_note_texts',
  empty: NONE,
  parse: (text) => JSON.parse(text) as NoteTexts,
  isEmpty: (value) => Object.keys(value).length === 0,
});

/** Returns a note's unsaved text, or null. @param id the conversation's id for a new note, the note's id for an edit */
export function readNoteText(id: string): NoteText | null {
  return texts.get()[id] ?? null;
}

/** Stores the unsaved text across reloads; null removes it. A changed text gets a new id. */
export function writeNoteText(id: string, text: string | null): void {
  const { [id]: previous, ...others } = texts.get();
  if (text !== null) texts.set({ ...others, [id]: { text, clientId: uuid() } });
  else if (previous) texts.set(others);
}

/** Returns whether there is unsaved text, so that signing out asks first. */
export function hasAnyNoteText(): boolean {
  return Object.keys(texts.get()).length > 0;
}

/** Deletes the signed-in admin's unsaved texts. Call it before a sign-out clears the session. */
export function clearNoteTexts(): void {
  texts.set(NONE);
}
