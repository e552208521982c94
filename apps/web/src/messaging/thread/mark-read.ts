import { markRead } from '@stagedoor/contract/inbox/conversations';
import type { QueryClient } from '@tanstack/react-query';
import { call } from '../../lib/server/api.ts';
import type { RealtimeSocket } from '../../lib/server/socket.ts';
import type { Board } from '../messages/board.ts';
import { applyOwnRead } from '../messages/cache.ts';
import { updateThread } from '../messages/queries.ts';

interface Reading {
  client: QueryClient;
  socket: Pick<RealtimeSocket, 'getConnection'>;
  board: Board;
  conversationId: string;
  /** The id of the last message that was read. */
  upToId: string;
}

/** Marks messages as read and applies the response itself, because no event arrives without a live connection. */
export async function markReadUpTo(reading: Reading): Promise<void> {
  const { client, socket, board, conversationId, upToId } = reading;
  const before = board.known(conversationId)?.version;
  const options = { params: { id: conversationId }, body: { up_to_message_id: upToId } };
  const { read_at, unread_count } = (await call(markRead, options)).data;
  if (read_at !== null)
    updateThread(client, conversationId, (held) => applyOwnRead(held, upToId, read_at));
  const known = board.known(conversationId);
  // An event that arrived during the call is at least as new as the response.
  if (known && known.version === before)
    board.show({ ...known, unread_count, marked_unread: false });
  if (socket.getConnection().status !== 'connected')
    await client.invalidateQueries({ queryKey: ['inbox', 'stats'] });
}
