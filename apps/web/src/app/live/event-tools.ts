import type { FanTag } from '@stagedoor/contract/fans/fans';
import type { Conversation } from '@stagedoor/contract/inbox/conversations';
import type { ServerEvent, ServerEventName } from '@stagedoor/contract/realtime';
import type { QueryClient } from '@tanstack/react-query';
import type { KeyPrefix } from '../../lib/server/query-keys.ts';
import type { Sender } from '../../messaging/messages/sender.ts';

/** The functions and data that event handlers use. */
export interface EventTools {
  client: QueryClient;
  adminId: string;
  sender: Sender;
  /** Called when events before this one are missing in the conversation. */
  onGap: (conversationId: string) => void;
  /** The newest version of a conversation in any event so far; 0 before the first. */
  latestVersion: (conversationId: string) => number;
  /** Called for new content in a conversation that is not cached and must therefore be fetched. */
  onUnknown: (conversationId: string, version: number) => void;
  /** Called for an event if its conversation is not cached, or cached only in an older state. `version` is the event's version. */
  onUnseen: (conversationId: string, version: number) => void;
  /** Called with the conversation after an event was applied. */
  onConversation: (conversation: Conversation) => void;
  onRemoved: (conversationId: string) => void;
  /** Called when a tag of the library changed. `change` applies it to a fan's tags. */
  onTag: (tagId: string, change: (tags: FanTag[]) => FanTag[]) => void;
  withTags: (conversation: Conversation) => Conversation;
  refetch: (queryKey: KeyPrefix) => void;
  /** Refetches within a second. All calls until then share that refetch, because changes come in bursts. */
  refetchSoon: (queryKey: KeyPrefix) => void;
  /** Called when an admin joined, left, or changed their name or color. */
  onStaffChanged: () => void;
}

/** An event's position in its conversation's sequence. Events of a conversation are applied in the order of their versions. */
export interface Position {
  id: string;
  version: number;
}

/** Returns the position of an event that carries its conversation's id and version. */
export const ownPosition = (event: { conversation_id: string; version: number }): Position => ({
  id: event.conversation_id,
  version: event.version,
});

type Apply<N extends ServerEventName> = (event: ServerEvent<N>, tools: EventTools) => void;

/**
 * How each event is applied to the cache. If an event has a conversation's version, `position` returns its position in the
 * conversation's sequence. Events with a null `position`, and events without a version, are applied immediately.
 */
export type EventTable = {
  [N in ServerEventName]: ServerEvent<N> extends
    | { conversation_id: string; version: number }
    | { conversation: { version: number } }
    ? { position: ((event: ServerEvent<N>) => Position) | null; apply: Apply<N> }
    : Apply<N>;
};
