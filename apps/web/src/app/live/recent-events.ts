import type { FanTag } from '@stagedoor/contract/fans/fans';
import type { Conversation } from '@stagedoor/contract/inbox/conversations';
import type { QueryClient } from '@tanstack/react-query';
import {
  changeFanTags,
  dropRemoved,
  knownConversation,
  putNewer,
  showPending,
  withFanTags,
} from './live-inbox.ts';

/** How long events are kept. Longer than any fetch takes, because a response may lack events since its request. Milliseconds. */
const RECENT_MS = 60_000;

type ChangeTags = (tags: FanTag[]) => FanTag[];

/** Recent events, to correct responses of fetches that started before them. */
export interface RecentEvents {
  /** Adds a conversation from an event or a fetch. It may be newer than a list page requested earlier. */
  conversation: (conversation: Conversation) => void;
  /** Adds an event whose conversation is not cached, or cached only in an older state. `version` is the event's version. */
  unseen: (id: string, version: number) => void;
  /** Returns the ids of conversations that are cached in a version older than an event received since this time. */
  outdated: (since: number) => string[];
  removed: (id: string) => void;
  /** Adds a changed or deleted tag of the library. `change` applies it to a fan's tags. */
  tag: (id: string, change: ChangeTags) => void;
  /** Returns the conversation with all recent tag changes applied. Tag events don't raise its version. */
  withTags: (conversation: Conversation) => Conversation;
  /** Applies pending actions, and the events since this time (milliseconds), to a response requested at this time. */
  correct: (since: number) => void;
  /** Drops all tag changes, because missed events may have changed the tags since. */
  dropTags: () => void;
  /** Starts dropping old events regularly. Returns a function that stops this and drops them all. */
  start: () => () => void;
}

export function createRecentEvents(client: QueryClient, adminId: string): RecentEvents {
  const conversations = new Map<string, { conversation: Conversation; at: number }>();
  const unseen = new Map<string, { version: number; at: number }>();
  const tags = new Map<string, { change: ChangeTags; at: number }>();

  function dropOld(): void {
    const limit = Date.now() - RECENT_MS;
    for (const kept of [conversations, unseen, tags])
      for (const [id, { at }] of kept) if (at < limit) kept.delete(id);
  }

  return {
    conversation(conversation) {
      const { id, version } = conversation;
      if ((conversations.get(id)?.conversation.version ?? 0) > version) return;
      conversations.set(id, { conversation, at: Date.now() });
    },
    unseen(id, version) {
      if ((unseen.get(id)?.version ?? 0) > version) return;
      unseen.set(id, { version, at: Date.now() });
    },
    outdated: (since) =>
      [...unseen].flatMap(([id, { version, at }]) => {
        const known = at < since ? null : knownConversation(client, id);
        return known !== null && known.version < version ? [id] : [];
      }),
    removed(id) {
      conversations.delete(id);
      unseen.delete(id);
    },
    tag(id, change) {
      tags.set(id, { change, at: Date.now() });
      for (const [held, entry] of conversations) {
        conversations.set(held, {
          ...entry,
          conversation: withFanTags(entry.conversation, change),
        });
      }
    },
    withTags: (conversation) =>
      [...tags.values()].reduce((held, { change }) => withFanTags(held, change), conversation),
    correct(since) {
      for (const { conversation, at } of conversations.values())
        if (at >= since) putNewer(client, adminId, conversation);
      for (const [id, { version, at }] of unseen) {
        const known = at < since ? null : knownConversation(client, id);
        if (known !== null && known.version >= version) putNewer(client, adminId, known);
      }
      for (const { change, at } of tags.values()) if (at >= since) changeFanTags(client, change);
      dropRemoved(client);
      showPending(client, adminId);
    },
    dropTags: () => tags.clear(),
    start() {
      const sweeper = setInterval(dropOld, RECENT_MS);
      return () => {
        clearInterval(sweeper);
        conversations.clear();
        unseen.clear();
        tags.clear();
      };
    },
  };
}
