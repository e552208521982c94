import { type FanTagInput, replaceTags } from '@stagedoor/contract/fans/fans';
import type { QueryClient } from '@tanstack/react-query';
import { call } from '../../lib/server/api.ts';
import type { Board } from '../../messaging/messages/board.ts';
import { knownConversation, putConversation, refreshConversation } from './live-inbox.ts';

/** Every place of the cache at once that shows a conversation, as one admin sees it. */
export function boardOf(client: QueryClient, adminId: string): Board {
  return {
    known: (id) => knownConversation(client, id),
    show: (conversation) =>
      putConversation(client, adminId, conversation, knownConversation(client, conversation.id)),
    refresh: (id) => refreshConversation(client, adminId, id),
  };
}

/** Saves the tags of a conversation's fan, and shows what was stored. */
export async function saveTags(board: Board, id: string, tags: FanTagInput[]): Promise<void> {
  const before = board.known(id)?.version;
  const { data: saved } = await call(replaceTags, { params: { id }, body: { tags } });
  const known = board.known(id);
  // What an event told meanwhile is newer than the reply, or the same.
  if (known && known.version === before)
    board.show({ ...known, fan: { ...known.fan, admin_tags: saved } });
}
