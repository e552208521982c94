import type { ServerEvent } from '@stagedoor/contract/realtime';
import { threadIn } from '../../messaging/messages/queries.ts';
import type { EventTools } from './event-tools.ts';
import { changeConversations } from './live-inbox.ts';

/**
 * Shows the messages that a campaign sent or unsent. The server emits no event per message: rows get their new state from this
 * event, and open threads are refetched.
 */
export function takeProgress(
  { conversation_ids, states }: ServerEvent<'campaign_progress'>,
  { client, onGap, onConversation }: EventTools,
): void {
  const changes = new Map(conversation_ids.map((id, index) => [id, states?.[index]]));
  changeConversations(client, (held) => {
    const change = changes.get(held.id);
    if (change?.version !== held.version + 1) return held;
    const next = { ...held, ...change };
    onConversation(next);
    return next;
  });
  for (const id of conversation_ids) if (threadIn(client, id)) onGap(id);
}
