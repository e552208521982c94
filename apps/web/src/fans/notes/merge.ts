import type { FanNotes } from '@stagedoor/contract/fans/fans';
import { t } from '../../lib/text/i18n.ts';

/** The fields of the notes in their order. */
export const NOTE_FIELDS = [
  { name: 'dob', label: t('Date of birth') },
  { name: 'location', label: t('Location') },
  { name: 'marital_status', label: t('Marital status') },
  { name: 'years_of_support', label: t('Years of support') },
  { name: 'notes', label: t('Notes') },
] as const;

export type NoteField = (typeof NOTE_FIELDS)[number]['name'];
export type NoteTexts = Pick<FanNotes, NoteField>;

/** Notes that are being written, and the stored ones that they began with. */
export interface NotesEdit {
  base: FanNotes;
  texts: NoteTexts;
}

export function textsOf(notes: NoteTexts): NoteTexts {
  const { dob, location, marital_status, years_of_support, notes: text } = notes;
  return { dob, location, marital_status, years_of_support, notes: text };
}

/** What a save must send: the fields that were changed. */
export function changedTexts({ base, texts }: NotesEdit): Partial<NoteTexts> {
  const changed = NOTE_FIELDS.filter(({ name }) => texts[name] !== base[name]);
  return Object.fromEntries(changed.map(({ name }) => [name, texts[name]]));
}

export function hasChanges(edit: NotesEdit): boolean {
  return Object.keys(changedTexts(edit)).length > 0;
}

/**
 * Puts an edit on top of what a colleague saved meanwhile. Fields that only one side changed have that side's text; in
 * `conflicts` are those that both changed, differently: there the edit's own text stands until somebody chooses.
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
