import { type ReactNode, Suspense, useState } from 'react';
import { clearNoteDrafts, hasAnyNoteDraft } from '../fans/notes/note-drafts.ts';
import { lazyPart } from '../lib/lazy-part.ts';
import { t } from '../lib/text/i18n.ts';
import { clearDrafts, hasAnyDraft } from '../messaging/composer/drafts.ts';
import { leaveSession } from '../team/auth/queries.ts';

const ConfirmDialog = lazyPart(
  async () => (await import('../ui/overlay/confirm-dialog.tsx')).ConfirmDialog,
);

/** Loads the lazy parts of signing out. If they can't be loaded, signing out continues without them. */
const loadParts = () =>
  import('./sign-out-parts.ts').catch((error: unknown) => {
    console.error('Failed to look for what was begun', error);
    return null;
  });

/** Signs out, which deletes drafts, so it asks first if there are any. Returns the action and its dialog. */
export function useSignOut(): { signOut: () => void; dialog: ReactNode } {
  const [isAsking, setIsAsking] = useState(false);
  const leave = async () => {
    const parts = await loadParts();
    // The server's copies of the drafts, for other devices.
    if (hasAnyDraft()) await parts?.deleteStoredDrafts();
    clearDrafts();
    clearNoteDrafts();
    parts?.clearNoteTexts();
    parts?.removeAllFiles();
    leaveSession();
    // Data stored for offline use, even if the code that stores it has not loaded yet.
    await parts
      ?.eraseAnswers()
      .catch((error: unknown) => console.error('Failed to erase what was kept', error));
  };
  const begin = async () => {
    const parts = await loadParts();
    // Files chosen before the last reload count too.
    await parts?.restoreFiles();
    const hasText = hasAnyDraft() || hasAnyNoteDraft() || parts?.hasAnyNoteText();
    if (hasText || parts?.hasFiles()) setIsAsking(true);
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
