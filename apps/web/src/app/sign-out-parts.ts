/** The lazy code for signing out. */

export { eraseAnswers } from '../lib/server/kept-answers.ts';
export { forgetAllFiles, hasFiles, restoreFiles } from '../messaging/attachments/chosen-files.ts';
export { forgetStoredDrafts } from '../messaging/composer/draft-sync.ts';
export { clearNoteTexts, hasAnyNoteText } from '../messaging/staff-notes/note-texts.ts';
