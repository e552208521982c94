/** The lazy code for signing out. */

import * as files from '../messaging/attachments/chosen-files.ts';
import * as forms from '../selling/campaigns/kept-forms.ts';

export { eraseAnswers } from '../lib/server/kept-answers.ts';
export { restoreFiles } from '../messaging/attachments/chosen-files.ts';
export { deleteStoredDrafts } from '../messaging/composer/draft-sync.ts';
export { clearNoteTexts, hasAnyNoteText } from '../messaging/staff-notes/note-texts.ts';

/** Whether there are chosen files or unsaved campaigns. */
export const hasFiles = () => files.hasFiles() || forms.hasForms();

export function removeAllFiles(): void {
  files.removeAllFiles();
  forms.clearForms();
}
