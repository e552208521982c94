/** What signing out asks, and clears away, beside what the first load has. */

export { forgetAllFiles, hasFiles, restoreFiles } from '../features/conversation/chosen-files.ts';
export { forgetStoredDrafts } from '../features/conversation/draft-sync.ts';
export { clearNoteTexts, hasAnyNoteText } from '../features/staff-notes/note-texts.ts';
export { eraseAnswers } from '../lib/kept-answers.ts';
