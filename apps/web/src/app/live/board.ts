import { type FanTagInput, replaceTags } from '@stagedoor/contract/fans/fans';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../../lib/server/api.ts';
import { useAdmin } from '../../lib/server/session.ts';
import type { Board } from '../../messaging/messages/board.ts';
import { knownConversation, putConversation, refreshConversation } from './live-inbox.ts';

/** Creates the functions that read and update conversations in all of an admin's cached queries. */
export function boardOf(client: QueryClient, adminId: string): Board {
  return {
    known: (id) => knownConversation(client, id),
    show: (conversation) =>
      putConversation(client, adminId, conversation, knownConversation(client, conversation.id)),
    refresh: (id) => refreshConversation(client, adminId, id),
  };
}

/** Returns the viewer's board. */
export function useBoard(): Board {
  const client = useQueryClient();
  const { id } = useAdmin();
  return useMemo(() => boardOf(client, id), [client, id]);
}

/** Saves the tags of a conversation's fan, and shows the stored tags. */
export async function saveTags(board: Board, id: string, tags: FanTagInput[]): Promise<void> {
  const before = board.known(id)?.version;
  const { data: saved } = await call(replaceTags, { params: { id }, body: { tags } });
  const known = board.known(id);
  // If an event changed the conversation during the save, its data is at least as new as the response.
  if (known && known.version === before)
    board.show({ ...known, fan: { ...known.fan, admin_tags: saved } });
}
