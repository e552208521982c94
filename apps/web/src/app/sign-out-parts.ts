/** The lazy code for signing out. */

import { noteTexts } from '../messaging/staff-notes/note-texts.ts';
import { keptForms } from '../selling/campaigns/kept-forms.ts';

export { eraseAnswers } from '../lib/server/kept-answers.ts';
export { hasFiles, removeAllFiles, restoreFiles } from '../messaging/attachments/chosen-files.ts';
export { deleteStoredDrafts } from '../messaging/composer/draft-sync.ts';

/** Returns whether there are unsaved staff notes or mass messages. */
export const hasAnyText = (): boolean => noteTexts.hasAny() || keptForms.hasAny();

/** Deletes unsaved staff notes and mass messages. */
export function clearTexts(): void {
  noteTexts.clear();
  keptForms.clear();
}
