import { type ReactNode, Suspense, useState } from 'react';
import { clearNoteDrafts, hasAnyNoteDraft } from '../fans/notes/note-drafts.ts';
import { lazyPart } from '../lib/lazy-part.ts';
import { t } from '../lib/text/i18n.ts';
import { clearDrafts, hasAnyDraft } from '../messaging/composer/drafts.ts';
import { leaveSession } from '../team/auth/queries.ts';

const ConfirmDialog = lazyPart(
  async () => (await import('../ui/overlay/confirm-dialog.tsx')).ConfirmDialog,
);

/** Not part of the first load. Where they can't be loaded now, signing out goes on without them. */
const loadParts = () =>
  import('./sign-out-parts.ts').catch((error: unknown) => {
    console.error('Failed to look for what was begun', error);
    return null;
  });

/** Signing out, which takes the drafts along and so asks first where there are any: the action, and its dialog. */
export function useSignOut(): { signOut: () => void; dialog: ReactNode } {
  const [isAsking, setIsAsking] = useState(false);
  const leave = async () => {
    const parts = await loadParts();
    // What other devices have of the drafts.
    if (hasAnyDraft()) await parts?.forgetStoredDrafts();
    clearDrafts();
    clearNoteDrafts();
    parts?.clearNoteTexts();
    parts?.forgetAllFiles();
    leaveSession();
    // What was kept for times without a network, also where what keeps it was not loaded yet.
    await parts
      ?.eraseAnswers()
      .catch((error: unknown) => console.error('Failed to erase what was kept', error));
  };
  const begin = async () => {
    const parts = await loadParts();
    // Those that were chosen before the page was loaded count too.
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
