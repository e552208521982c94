import type { FanTag } from '@stagedoor/contract/fans/fans';
import type { Conversation } from '@stagedoor/contract/inbox/conversations';
import type { QueryClient } from '@tanstack/react-query';
import {
  changeFanTags,
  knownConversation,
  putNewer,
  takeOutGone,
  withFanTags,
} from './live-inbox.ts';

/** Longer than any fetch takes: an event older than that is in every answer. */
const RECENT_MS = 60_000;

type ChangeTags = (tags: FanTag[]) => FanTag[];

/** What events told lately: answers of fetches that were under way may be older. */
export interface ToldLately {
  /** Also what was fetched for itself: a page of a list that was asked for before does not know of it. */
  conversation: (conversation: Conversation) => void;
  /** An event told of this version of a conversation that nothing shows. */
  unseen: (id: string, version: number) => void;
  /** The conversations that an answer, asked for at this time, brought older than events told meanwhile. */
  overtaken: (since: number) => string[];
  removed: (id: string) => void;
  /** A tag of the library is shown differently, or not any more, on whichever fans have it. */
  tag: (id: string, change: ChangeTags) => void;
  /** The conversation with its fan's tags as they were told of. What tells of tags raises no version. */
  withTags: (conversation: Conversation) => Conversation;
  /** Corrects what an answer brought that was asked for at this time, in milliseconds. */
  correct: (since: number) => void;
  /** What was missed may be newer than what was told of tags before. */
  forgetTags: () => void;
  /** Begins to forget what is too old; returns how to stop, and forgets all. */
  start: () => () => void;
}

export function createToldLately(client: QueryClient, adminId: string): ToldLately {
  const conversations = new Map<string, { conversation: Conversation; at: number }>();
  const unseen = new Map<string, { version: number; at: number }>();
  const tags = new Map<string, { change: ChangeTags; at: number }>();

  function forgetOld(): void {
    const limit = Date.now() - RECENT_MS;
    for (const told of [conversations, unseen, tags])
      for (const [id, { at }] of told) if (at < limit) told.delete(id);
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
    overtaken: (since) =>
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
      for (const [held, told] of conversations) {
        conversations.set(held, { ...told, conversation: withFanTags(told.conversation, change) });
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
      takeOutGone(client);
    },
    forgetTags: () => tags.clear(),
    start() {
      const sweeper = setInterval(forgetOld, RECENT_MS);
      return () => {
        clearInterval(sweeper);
        conversations.clear();
        unseen.clear();
        tags.clear();
      };
    },
  };
}
