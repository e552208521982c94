import { useEffect } from 'react';
import { useLocation, useMatch, useNavigate } from 'react-router';
import { useIsSplit } from '../../lib/media-query.ts';

const behind = (noteId: string | undefined) =>
  noteId === undefined ? '' : `?note=${encodeURIComponent(noteId)}`;

/** Returns the path of a conversation shown beside the list. @param noteId a note to jump to */
export const inboxPath = (id: string, noteId?: string) =>
  `/inbox/${encodeURIComponent(id)}${behind(noteId)}`;
/** Returns the path of a conversation shown without the list. @param noteId a note to jump to */
export const messagesPath = (id: string, noteId?: string) =>
  `/messages/${encodeURIComponent(id)}${behind(noteId)}`;

/** Returns a function that maps a conversation's id to its path, which depends on whether the list fits beside it. */
export const useConversationPath = () => (useIsSplit() ? inboxPath : messagesPath);

/** Returns the id of the conversation in the URL, or null. */
export function useOpenId(): string | null {
  const inInbox = useMatch('/inbox/:id')?.params.id ?? null;
  const alone = useMatch('/messages/:id')?.params.id ?? null;
  return inInbox ?? alone;
}

/** Redirects to the path that fits the window's width. */
export function useFittingPath(): void {
  const navigate = useNavigate();
  const { state, pathname, search } = useLocation();
  const id = useOpenId();
  const fitting = useConversationPath();
  useEffect(() => {
    if (id !== null && pathname !== fitting(id))
      void navigate(fitting(id) + search, { replace: true, state });
  }, [id, pathname, fitting, navigate, search, state]);
}
