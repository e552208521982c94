import type { FanNotes } from '@stagedoor/contract/fans/fans';
import { t } from '../../lib/text/i18n.ts';

/** The fields of the profile notes, in order. */
export const NOTE_FIELDS = [
  { name: 'dob', label: t('Date of birth') },
  { name: 'location', label: t('Location') },
  { name: 'marital_status', label: t('Marital status') },
  { name: 'years_of_support', label: t('Years of support') },
  { name: 'notes', label: t('Notes') },
] as const;

export type NoteField = (typeof NOTE_FIELDS)[number]['name'];
export type NoteTexts = Pick<FanNotes, NoteField>;

/** An edit of profile notes, and the stored version that it is based on. */
export interface NotesEdit {
  base: FanNotes;
  texts: NoteTexts;
}

export function textsOf(notes: NoteTexts): NoteTexts {
  const { dob, location, marital_status, years_of_support, notes: text } = notes;
  return { dob, location, marital_status, years_of_support, notes: text };
}

/** Returns the changed fields. A save sends only these. */
export function changedTexts({ base, texts }: NotesEdit): Partial<NoteTexts> {
  const changed = NOTE_FIELDS.filter(({ name }) => texts[name] !== base[name]);
  return Object.fromEntries(changed.map(({ name }) => [name, texts[name]]));
}

export function hasChanges(edit: NotesEdit): boolean {
  return Object.keys(changedTexts(edit)).length > 0;
}

/**
 * Rebases an edit onto a teammate's newer version. A field changed by one side takes that side's text. `conflicts` lists the
 * fields that both changed differently: they keep the edit's text until the user decides.
 */
export function rebase(
  { base, texts }: NotesEdit,
  stored: FanNotes,
): { edit: NotesEdit; conflicts: NoteField[] } {
  const merged = { ...texts };
  const conflicts: NoteField[] = [];
  for (const { name } of NOTE_FIELDS) {
    if (texts[name] === base[name]) merged[name] = stored[name];
    else if (stored[name] !== base[name] && stored[name] !== texts[name]) conflicts.push(name);
  }
  return { edit: { base: stored, texts: merged }, conflicts };
}
