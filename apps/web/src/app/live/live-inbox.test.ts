import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { inboxSearchOptions } from '../../inbox/list/queries.ts';
import { buildConversation } from '../../testing/build-conversation.ts';
import { at } from '../../testing/build-message.ts';
import { putConversation } from './live-inbox.ts';

it('search results are updated in place and keep their match', () => {
  const client = new QueryClient();
  const { queryKey } = inboxSearchOptions('found');
  const match = { message_id: 'm', excerpt: 'found', created_at: at(1) };
  const [a, b] = ['a', 'b'].map((id) => ({ ...buildConversation({ id, unread_count: 1 }), match }));
  if (a && b) client.setQueryData(queryKey, [a, b]);
  const read = buildConversation({ id: 'a', version: 2, unread_count: 0 });
  putConversation(client, 'me', read, null);
  expect(client.getQueryData(queryKey)).toEqual([{ ...read, match }, b]);
});
