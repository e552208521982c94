import type { Conversation, InboxFilter } from '@stagedoor/contract/inbox/conversations';
import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { inboxRows } from '../../inbox/list/cache.ts';
import { type InboxList, inboxListOptions } from '../../inbox/list/queries.ts';
import { buildConversation, buildPage } from '../../testing/build-conversation.ts';
import { createRecentEvents } from './recent-events.ts';

/** Caches an inbox list. Returns a function that reads the ids and versions of its rows. */
function cacheList(client: QueryClient, filter: InboxFilter, rows: readonly Conversation[]) {
  const { queryKey } = inboxListOptions({ filter, sort: 'newest', tag: null, segment: null });
  client.setQueryData(queryKey, { pages: [buildPage([...rows])], pageParams: [null] });
  return () => {
    const list = client.getQueryData<InboxList>(queryKey);
    return list && inboxRows(list).map(({ id, version }) => [id, version]);
  };
}

it('correcting an older response does not put a conversation back into a list that it has left', () => {
  const client = new QueryClient();
  const row = { id: 'a', last_message_at: '2026-01-01T00:00:00.000Z' };
  const unread = buildConversation({ ...row, version: 6, unread_count: 1 });
  const read = buildConversation({ ...row, version: 7, unread_count: 0 });
  const all = cacheList(client, 'all', [read]);
  const left = cacheList(client, 'unread', []);
  const recent = createRecentEvents(client, 'me');
  recent.conversation(unread);
  recent.correct(0);
  expect(all()).toEqual([['a', 7]]);
  expect(left()).toEqual([]);
});
