import { createStored } from '../../lib/server/stored.ts';
import { uuid } from '../../lib/text/uuid.ts';

/** A text that was begun and not added. */
export interface NoteText {
  text: string;
  /** The id under which this text is added, however often that is tried. */
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

/** What was begun for a conversation, or as a note's new text, by the id of either; null for nothing. */
export function readNoteText(id: string): NoteText | null {
  return texts.get()[id] ?? null;
}

/** Keeps what was begun over a reload; null forgets it. Another text gets another id. */
export function writeNoteText(id: string, text: string | null): void {
  const { [id]: previous, ...others } = texts.get();
  if (text !== null) texts.set({ ...others, [id]: { text, clientId: uuid() } });
  else if (previous) texts.set(others);
}

/** Whether anything was begun and not added: signing out then asks first. */
export function hasAnyNoteText(): boolean {
  return Object.keys(texts.get()).length > 0;
}

/** Forgets what the signed-in admin began. To be called before a sign-out clears the session. */
export function clearNoteTexts(): void {
  texts.set(NONE);
}
