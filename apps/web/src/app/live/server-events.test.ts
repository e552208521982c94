import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { inboxListOptions } from '../../inbox/list/queries.ts';
import { noticeOptions } from '../../messaging/messages/notice.ts';
import { outboxOptions } from '../../messaging/messages/queries.ts';
import { buildConversation, buildPage } from '../../testing/build-conversation.ts';
import { buildSender } from '../../testing/build-sender.ts';
import type { EventTools } from './event-tools.ts';
import { applyEvent } from './server-events.ts';

/** The cache and the sender that an event can affect. */
function setUp() {
  const client = new QueryClient();
  const sender = buildSender(client);
  const unused = () => undefined;
  const tools: EventTools = {
    client,
    sender,
    adminId: 'admin',
    onGap: unused,
    onUnknown: unused,
    onUnseen: unused,
    latestVersion: () => 0,
    onConversation: unused,
    onRemoved: unused,
    onTag: unused,
    withTags: (conversation) => conversation,
    onStaffChanged: unused,
    refetch: unused,
    refetchSoon: unused,
  };
  return {
    client,
    tools,
    sender,
    receive: (payload: unknown) => applyEvent({ name: 'message_error', payload }, tools),
    notice: () => client.getQueryData(noticeOptions.queryKey) ?? null,
    pending: () => client.getQueryData(outboxOptions('c1').queryKey)?.pending ?? [],
  };
}

describe('an error event', () => {
  beforeEach(() => {
    const storage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };
    vi.stubGlobal('sessionStorage', storage);
    vi.stubGlobal('localStorage', storage);
  });
  afterEach(() => vi.unstubAllGlobals());

  it('shows its own text', () => {
    const { receive, notice } = setUp();
    receive({ error: 'Message not found', code: 'message_not_found' });
    expect(notice()).toBe('Message not found');
  });

  it('shows a default text if it has none', () => {
    const { receive, notice } = setUp();
    receive({ error: '', code: 'internal' });
    expect(notice()).toBe('Socket error occurred');
  });

  it('marks its message as failed if it names one', () => {
    const { sender, receive, notice, pending } = setUp();
    sender.send({ conversation_id: 'c1', content: 'Hello', replyTo: null, tempId: 'temp-1' });
    receive({ error: 'Conversation not found', code: 'conversation_not_found', tempId: 'temp-1' });
    expect(pending()).toMatchObject([{ status: 'failed', error: 'Conversation not found' }]);
    expect(notice()).toBeNull();
  });
});

describe('an event of a conversation', () => {
  it('changes nothing if the cached state lacks the previous change: a refetch brings both', () => {
    const { client, tools } = setUp();
    const { queryKey } = inboxListOptions({
      filter: 'unread',
      sort: 'newest',
      tag: null,
      segment: null,
    });
    // In version 5 it was marked read. That event arrived before this older response.
    const row = buildConversation({ id: 'a', version: 4, unread_count: 1 });
    const list = { pages: [buildPage([row])], pageParams: [null] };
    client.setQueryData(queryKey, list);
    const onUnseen = vi.fn();
    const payload = { conversation_id: 'a', version: 6, up_to_seq: 2, read_at: row.created_at };
    applyEvent({ name: 'fan_read', payload }, { ...tools, onUnseen });
    expect(client.getQueryData(queryKey)).toBe(list);
    expect(onUnseen).toHaveBeenCalledWith('a', 6);
  });
});
