/** The lazy code for signing out. */

export { eraseAnswers } from '../lib/server/kept-answers.ts';
export { hasFiles, removeAllFiles, restoreFiles } from '../messaging/attachments/chosen-files.ts';
export { deleteStoredDrafts } from '../messaging/composer/draft-sync.ts';
export { clearNoteTexts, hasAnyNoteText } from '../messaging/staff-notes/note-texts.ts';
