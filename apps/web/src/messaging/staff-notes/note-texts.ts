import { uuid } from '@stagedoor/browser/uuid';
import { createStoredInput } from '../../lib/server/stored.ts';

interface NoteText {
  text: string;
  /** The id that the note is saved with. Retries use the same id, so that the note is stored once. */
  clientId: string;
}

/** Unsaved texts of staff notes, by the conversation's id for a new note, by the note's id for an edit. */
export const noteTexts = createStoredInput<NoteText>('staff_note_texts');

/** Stores a note's unsaved text; null removes it. A changed text gets a new id. */
export function writeNoteText(id: string, text: string | null): void {
  noteTexts.write(id, text === null ? null : { text, clientId: uuid() });
}
