import { useEffect } from 'react';
import { useLocation, useMatch, useNavigate } from 'react-router';

const behind = (noteId: string | undefined) =>
  noteId === undefined ? '' : `?note=${encodeURIComponent(noteId)}`;

/** The path of a conversation beside the list. @param noteId a note to jump to */
export const inboxPath = (id: string, noteId?: string) =>
  `/inbox/${encodeURIComponent(id)}${behind(noteId)}`;
/** The path of a conversation shown without the list. @param noteId a note to jump to */
export const messagesPath = (id: string, noteId?: string) =>
  `/messages/${encodeURIComponent(id)}${behind(noteId)}`;

/** Returns the id of the conversation in the URL. Redirects to the path that fits the width. */
export function useOpenConversation(isSplit: boolean): string | null {
  const navigate = useNavigate();
  const { state, search } = useLocation();
  const inInbox = useMatch('/inbox/:id')?.params.id ?? null;
  const alone = useMatch('/messages/:id')?.params.id ?? null;
  const id = inInbox ?? alone;
  const isMisplaced = isSplit ? alone !== null : inInbox !== null;
  useEffect(() => {
    if (id !== null && isMisplaced) {
      const path = isSplit ? inboxPath(id) : messagesPath(id);
      void navigate(path + search, { replace: true, state });
    }
  }, [id, isMisplaced, isSplit, navigate, search, state]);
  return id;
}
