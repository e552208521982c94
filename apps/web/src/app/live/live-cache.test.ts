import { QueryClient } from '@tanstack/react-query';
import { expect, it, onTestFinished } from 'vitest';
import { conversationOptions, threadOptions } from '../../messaging/messages/queries.ts';
import { buildConversation } from '../../testing/build-conversation.ts';
import { at } from '../../testing/build-message.ts';
import { buildSender } from '../../testing/build-sender.ts';
import { createLiveCache } from './live-cache.ts';

it('an event waits for the previous one if the conversation lacks it, even if the messages include it', () => {
  const client = new QueryClient();
  const { queryKey } = conversationOptions('a');
  client.setQueryData(queryKey, buildConversation({ id: 'a', version: 8, unread_count: 1 }));
  client.setQueryData(threadOptions('a').queryKey, {
    messages: [],
    version: 10,
    has_more: false,
  });
  const sender = buildSender(client);
  const live = createLiveCache({ client, adminId: 'me', sender });
  onTestFinished(live.start());
  const event = { conversation_id: 'a', up_to_seq: 1, read_at: at(1) };
  live.receive('message_read', { ...event, version: 10, unread_count: 0 });
  live.receive('fan_read', { ...event, version: 9 });
  expect(client.getQueryData(queryKey)).toMatchObject({ version: 10, unread_count: 0 });
});
