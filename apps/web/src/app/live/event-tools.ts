import type { FanTag } from '@stagedoor/contract/fans/fans';
import type { Conversation } from '@stagedoor/contract/inbox/conversations';
import type { ServerEvent, ServerEventName } from '@stagedoor/contract/realtime';
import type { QueryClient } from '@tanstack/react-query';
import type { Sender } from '../../messaging/messages/sender.ts';

/** What the event handlers work with. */
export interface EventTools {
  client: QueryClient;
  adminId: string;
  sender: Sender;
  /** Called when events before this one are missing in the conversation. */
  onGap: (conversationId: string) => void;
  /** The newest version of a conversation in any event so far; 0 before the first. */
  latestVersion: (conversationId: string) => number;
  /** Called for new content in a conversation that is not cached: it must be looked up. */
  onUnknown: (conversationId: string, version: number) => void;
  /** Called for an event with this version of a conversation that is not cached. */
  onUnseen: (conversationId: string, version: number) => void;
  /** Called with the conversation after an event was applied. */
  onConversation: (conversation: Conversation) => void;
  /** Called when the conversation was removed. */
  onRemoved: (conversationId: string) => void;
  /** Called when a tag of the library changed. `change` applies it to a fan's tags. */
  onTag: (tagId: string, change: (tags: FanTag[]) => FanTag[]) => void;
  /** Applies all recent tag events to the conversation's fan. */
  withTags: (conversation: Conversation) => Conversation;
  /** Called when the counts in the tiles and tabs may have changed. */
  onCountsChanged: () => void;
  /** Called when the admin pinned or unpinned a conversation, on any device. */
  onPinsChanged: () => void;
  /** Called after a sale or a refund. */
  onSalesChanged: () => void;
  /** Called when the facts about a fan may have changed. */
  onFanChanged: (conversationId: string) => void;
  /** Called when statements or promises changed, or who must keep them. */
  onStatementsChanged: () => void;
  /** Called when a teammate's name or color changed. */
  onStaffChanged: () => void;
}

/** The handler for each event, which updates the cache. */
export type EventHandlers = {
  [N in ServerEventName]: (event: ServerEvent<N>, tools: EventTools) => void;
};
