import { type ReactNode, Suspense, useState } from 'react';
import { leaveSession } from '../features/auth/queries.ts';
import { clearDrafts, hasAnyDraft } from '../features/conversation/drafts.ts';
import { clearNoteDrafts, hasAnyNoteDraft } from '../features/notes/note-drafts.ts';
import { t } from '../lib/i18n.ts';
import { lazyPart } from '../lib/lazy-part.ts';

const ConfirmDialog = lazyPart(
  async () => (await import('../ui/confirm-dialog.tsx')).ConfirmDialog,
);

/** Not part of the first load. Where it can't be loaded now, signing out goes on without it. */
const loadFiles = () =>
  import('../features/conversation/chosen-files.ts').catch((error: unknown) => {
    console.error('Failed to look for chosen files', error);
    return null;
  });

/** As little is. */
const loadNoteTexts = () =>
  import('../features/staff-notes/note-texts.ts').catch((error: unknown) => {
    console.error('Failed to look for notes that were begun', error);
    return null;
  });
/** What was kept for times without a network, also where what keeps it was not loaded yet. */
async function eraseKept(): Promise<void> {
  try {
    const { eraseAnswers } = await import('../lib/kept-answers.ts');
    await eraseAnswers();
  } catch (error) {
    console.error('Failed to erase what was kept', error);
  }
}

/** What other devices have of the drafts. Where it can't be told now, it is forgotten with time. */
const forgetOnServer = () =>
  import('../features/conversation/draft-sync.ts').then(
    ({ forgetStoredDrafts }) => forgetStoredDrafts(),
    (error: unknown) => console.error('Failed to forget drafts', error),
  );

/** Signing out, which takes the drafts along and so asks first where there are any: the action, and its dialog. */
export function useSignOut(): { signOut: () => void; dialog: ReactNode } {
  const [isAsking, setIsAsking] = useState(false);
  const leave = async () => {
    const [files, noteTexts] = await Promise.all([loadFiles(), loadNoteTexts()]);
    if (hasAnyDraft()) await forgetOnServer();
    clearDrafts();
    clearNoteDrafts();
    noteTexts?.clearNoteTexts();
    files?.forgetAllFiles();
    leaveSession();
    await eraseKept();
  };
  const begin = async () => {
    const [files, noteTexts] = await Promise.all([loadFiles(), loadNoteTexts()]);
    // Those that were chosen before the page was loaded count too.
    await files?.restoreFiles();
    const hasText = hasAnyDraft() || hasAnyNoteDraft() || noteTexts?.hasAnyNoteText();
    if (hasText || files?.hasFiles()) setIsAsking(true);
    else await leave();
  };
  const dialog = isAsking && (
    <Suspense fallback={null}>
      <ConfirmDialog
        title={t('Sign out?')}
        text={t('You have unsent drafts. Signing out deletes them.')}
        confirmLabel={t('Sign Out')}
        onConfirm={() => void leave()}
        onCancel={() => setIsAsking(false)}
      />
    </Suspense>
  );
  return { signOut: () => void begin(), dialog };
}
