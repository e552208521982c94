import { type ReactNode, useEffect, useState } from 'react';
import { leaveSession } from '../features/auth/queries.ts';
import { restoreFiles } from '../features/conversation/chosen-files.ts';
import { clearDrafts, hasAnyDraft } from '../features/conversation/drafts.ts';
import { clearNoteDrafts, hasAnyNoteDraft } from '../features/notes/note-drafts.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';

/** Signing out, which takes the drafts along and so asks first where there are any: the action, and its dialog. */
export function useSignOut(): { signOut: () => void; dialog: ReactNode } {
  const [isAsking, setIsAsking] = useState(false);
  // Asked about is also what was chosen before the page was loaded.
  useEffect(restoreFiles, []);
  const leave = () => {
    clearDrafts();
    clearNoteDrafts();
    leaveSession();
  };
  const dialog = isAsking && (
    <ConfirmDialog
      title="Sign out?"
      text="You have unsent drafts. Signing out deletes them from this device."
      confirmLabel="Sign Out"
      onConfirm={leave}
      onCancel={() => setIsAsking(false)}
    />
  );
  return {
    signOut: () => (hasAnyDraft() || hasAnyNoteDraft() ? setIsAsking(true) : leave()),
    dialog,
  };
}
