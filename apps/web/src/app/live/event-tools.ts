import type { FanTag } from '@stagedoor/contract/fans/fans';
import type { Conversation } from '@stagedoor/contract/inbox/conversations';
import type { ServerEvent, ServerEventName } from '@stagedoor/contract/realtime';
import type { QueryClient } from '@tanstack/react-query';
import type { Sender } from '../../messaging/messages/sender.ts';

/** What handlers work with. */
export interface EventTools {
  client: QueryClient;
  adminId: string;
  sender: Sender;
  /** Events before this one are missing in the conversation. */
  onGap: (conversationId: string) => void;
  /** The newest version of a conversation that an event told of; 0 before the first. */
  latestTold: (conversationId: string) => number;
  /** What came into a conversation that nothing loaded shows has to be looked up. */
  onUnknown: (conversationId: string, version: number) => void;
  /** An event told of this version of a conversation that nothing loaded shows. */
  onUnseen: (conversationId: string, version: number) => void;
  /** The conversation as an event left it. */
  onConversation: (conversation: Conversation) => void;
  /** The conversation is gone. */
  onRemoved: (conversationId: string) => void;
  /** A tag of the library changed, on whichever fans have it. */
  onTag: (tagId: string, change: (tags: FanTag[]) => FanTag[]) => void;
  /** The conversation with its fan's tags as they were told of by now. */
  withTags: (conversation: Conversation) => Conversation;
  /** What the tiles and tabs count may have changed. */
  onCountsChanged: () => void;
  /** The admin pinned or unpinned something, here or elsewhere. */
  onPinsChanged: () => void;
  /** Something was sold or refunded. */
  onSalesChanged: () => void;
  /** Something about a fan changed that is shown at a glance. */
  onFanChanged: (conversationId: string) => void;
  /** What fans were told or promised changed, or whose it is to keep. */
  onStatementsChanged: () => void;
  /** A colleague is shown differently from now on, wherever they are shown. */
  onStaffChanged: () => void;
}

/** What each event does to what is cached. */
export type EventHandlers = {
  [N in ServerEventName]: (event: ServerEvent<N>, tools: EventTools) => void;
};
