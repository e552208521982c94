import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { t } from '../../lib/text/i18n.ts';
import { showToast } from '../../ui/overlay/toast.ts';
import { useOpenConversation } from '../messages/open-conversation.ts';
import { hasNote } from '../staff-notes/queries.ts';

/** Shows the note whose id is in the URL as `?note=`. */
export function useShownNote(): void {
  const { id, thread } = useOpenConversation();
  const client = useQueryClient();
  const { search, key } = useLocation();
  const wanted = new URLSearchParams(search).get('note');
  // Runs for each navigation that asks for a note.
  useEffect(() => {
    if (wanted === null) return;
    const aborter = new AbortController();
    // Checks that the note exists, because otherwise all messages would be loaded to find it.
    hasNote(client, id, wanted, aborter.signal).then(
      (isThere) => {
        if (aborter.signal.aborted) return;
        if (isThere) thread.current?.showNote(wanted);
        else showToast({ text: t('This note was deleted') });
      },
      (error: unknown) => {
        if (!aborter.signal.aborted) console.error('Failed to load the note', error);
      },
    );
    return () => aborter.abort();
  }, [client, id, thread, wanted, key]);
}
