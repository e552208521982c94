import type { ServerEvent } from '@stagedoor/contract/realtime';
import type { QueryClient } from '@tanstack/react-query';
import { applyChange, type ConversationChange, newerOf } from '../../inbox/list/cache.ts';
import { withPart } from '../../lib/lazy-loads.ts';
import { t, translated } from '../../lib/text/i18n.ts';
import {
  addMessage,
  applyFanRead,
  applyMessageRead,
  applyOwnership,
  applyReaction,
  applyUnsent,
  newestSeq,
  noteVersion,
} from '../../messaging/messages/cache.ts';
import { setNotice } from '../../messaging/messages/notice.ts';
import {
  changeMessages,
  threadIn,
  updateSpans,
  updateThread,
} from '../../messaging/messages/queries.ts';
import { type EventTable, type EventTools, ownPosition } from './event-tools.ts';
import { knownConversation, putConversation, removeConversation } from './live-inbox.ts';
import { mentionsChanged } from './note-events.ts';

const loadAnnouncement = () => import('./announce-purchase.ts');

/**
 * Applies the change wherever the conversation is shown. Returns false if the conversation is not cached, or if its cached state
 * lacks the previous change, as happens when a response is older than the events.
 */
function changeConversation(tools: EventTools, change: ConversationChange): boolean {
  const known = knownConversation(tools.client, change.id);
  if (!known || known.version < change.version - 1) {
    tools.onUnseen(change.id, change.version);
    return false;
  }
  const next = applyChange(known, change);
  putConversation(tools.client, tools.adminId, next, known);
  tools.onConversation(next);
  return true;
}

/** Returns whether this admin has an open promise to the fan; undefined if the promises are not loaded. */
const hasPromise = (client: QueryClient, id: string): boolean | undefined =>
  client
    .getQueryData<{ conversation_id: string }[]>(['statements', 'promises'])
    ?.some(({ conversation_id }) => conversation_id === id);

/** Refetches the facts about a fan, if they are cached. */
function fanChanged({ client, refetchSoon }: EventTools, id: string): void {
  if (client.getQueryState(['fan', id, 'facts'])) refetchSoon(['fan', id]);
}

/** Handles a change of statements or promises, or of the admin who must keep them. */
export function statementsChanged({ refetchSoon }: EventTools): void {
  refetchSoon(['statements']);
  // Handovers show promises too.
  refetchSoon(['handovers']);
}

/** Handles a purchase or refund of a product by the fan. */
function ownershipChanged(
  event: ServerEvent<'purchase_recorded' | 'purchase_refunded'>,
  tools: EventTools,
): void {
  const { conversation_id: id, version } = event;
  changeMessages(tools.client, id, (thread) => applyOwnership(thread, event));
  changeConversation(tools, { id, version });
  tools.refetch(['offers', id]);
  tools.refetchSoon(['analytics']);
  fanChanged(tools, id);
}

/** Handles a tip from the fan, or its refund. */
function tipsChanged(
  { conversation_id: id, version }: ServerEvent<'tip_recorded' | 'tip_refunded'>,
  tools: EventTools,
): void {
  changeMessages(tools.client, id, (thread) => noteVersion(thread, version));
  changeConversation(tools, { id, version });
  tools.refetchSoon(['analytics']);
  tools.refetchSoon(['fan', id]);
}

/** Handlers for events about conversations and their messages, and for the server's replies to sent messages. */
export const conversationEvents = {
  new_message: {
    position: ownPosition,
    apply(event, tools) {
      const { conversation_id: id, message, version, tempId } = event;
      const thread = threadIn(tools.client, id);
      if (thread && message.seq > newestSeq(thread) + 1) tools.onGap(id);
      updateThread(tools.client, id, (held) => addMessage(held, message, version));
      updateSpans(tools.client, id, (span) => noteVersion(span, version));
      if (tempId !== null) tools.sender.confirm(tempId, message);
      if (!changeConversation(tools, event.conversation)) tools.onUnknown(id, version);
      fanChanged(tools, id);
      tools.refetchSoon(['inbox', 'stats']);
    },
  },
  message_unsent: {
    position: ownPosition,
    apply(event, tools) {
      const { conversation_id: id, version } = event;
      const { last_message_content, last_message_by, waiting_since } = event;
      changeMessages(tools.client, id, (thread) => applyUnsent(thread, event));
      changeConversation(tools, {
        id,
        version,
        last_message_content,
        last_message_by,
        waiting_since,
      });
      fanChanged(tools, id);
      tools.refetchSoon(['inbox', 'stats']);
      tools.refetchSoon(['analytics']);
    },
  },
  message_sent({ tempId, message }, { sender }) {
    sender.confirm(tempId, message);
  },
  message_error(event, { client, sender }) {
    if (event.tempId !== undefined)
      sender.refuse(event.tempId, translated(event.error), event.code);
    // A failed presence update has a conversation id, and needs no notice.
    else if (event.conversation_id === undefined)
      setNotice(client, translated(event.error) || t('Socket error occurred'));
  },
  message_read: {
    position: ownPosition,
    apply(event, tools) {
      const { conversation_id: id, version, unread_count } = event;
      changeMessages(tools.client, id, (thread) => applyMessageRead(thread, event));
      changeConversation(tools, { id, version, unread_count, marked_unread: false });
      tools.refetchSoon(['inbox', 'stats']);
    },
  },
  fan_read: {
    position: ownPosition,
    apply(event, tools) {
      const { conversation_id: id, version } = event;
      changeMessages(tools.client, id, (thread) => applyFanRead(thread, event));
      changeConversation(tools, { id, version });
    },
  },
  reaction_toggled: {
    position: ownPosition,
    apply(event, tools) {
      const { conversation_id: id, version } = event;
      changeMessages(tools.client, id, (thread) => applyReaction(thread, event));
      changeConversation(tools, { id, version });
    },
  },
  purchase_recorded: {
    position: ownPosition,
    apply(event, tools) {
      ownershipChanged(event, tools);
      withPart(loadAnnouncement, ({ announcePurchase }) => announcePurchase(event, tools.client));
    },
  },
  purchase_refunded: { position: ownPosition, apply: ownershipChanged },
  tip_recorded: {
    position: ownPosition,
    apply(event, tools) {
      tipsChanged(event, tools);
      withPart(loadAnnouncement, ({ announceTip }) => announceTip(event, tools.client));
    },
  },
  tip_refunded: { position: ownPosition, apply: tipsChanged },
  conversation_updated: {
    position: ({ conversation: { id, version } }) => ({ id, version }),
    apply(event, tools) {
      const { client, adminId } = tools;
      const conversation = tools.withTags(event.conversation);
      const { id, version } = conversation;
      const known = knownConversation(client, id);
      const latest = tools.latestVersion(id);
      changeMessages(client, id, (thread) => noteVersion(thread, version));
      // The event is out of order: applying it could put the row back into a list that it has left.
      if (Math.max(version, known?.version ?? 0) < latest) {
        tools.onUnknown(id, latest);
        return;
      }
      const newest = known === null ? conversation : newerOf(known, conversation);
      putConversation(client, adminId, newest, known);
      tools.onConversation(newest);
      tools.refetchSoon(['inbox', 'stats']);
      // The admin who has claimed a conversation must keep its promises, so a claim may change this admin's promises.
      if (conversation.claimed_by === adminId || hasPromise(client, id)) statementsChanged(tools);
    },
  },
  conversation_removed({ conversation_id: id }, tools) {
    removeConversation(tools.client, id);
    tools.client.removeQueries({ queryKey: ['fan', id] });
    tools.client.removeQueries({ queryKey: ['statements', 'of', id] });
    tools.onRemoved(id);
    statementsChanged(tools);
    tools.refetchSoon(['inbox', 'stats']);
    mentionsChanged(tools);
  },
} satisfies Partial<EventTable>;
