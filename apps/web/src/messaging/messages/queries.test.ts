import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, it, vi } from 'vitest';
import { buildMessage } from '../../testing/build-message.ts';
import { shows } from '../thread/span.ts';
import { applyMessageRead, noteVersion, type Thread } from './cache.ts';
import {
  changeMessages,
  type LoadedSpan,
  refreshThread,
  type SpanPage,
  updateSpans,
} from './queries.ts';

afterEach(() => vi.unstubAllGlobals());

const run = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => ({
    ...buildMessage({ seq: from + index }),
    version: 1,
  }));
const span = (...pages: SpanPage[]): LoadedSpan => ({ pages, pageParams: [] });
const page = (from: number, to: number): SpanPage => ({
  messages: run(from, to),
  has_more: from > 1,
  has_newer: true,
  version: 1,
});

function loaded() {
  const client = new QueryClient();
  const thread: Thread = { messages: run(41, 50), has_more: true, version: 1 };
  client.setQueryData(['conversation', 'c1', 'messages'], thread);
  client.setQueryData(['conversation', 'c1', 'span', 'm15'], span(page(10, 19), page(20, 25)));
  client.setQueryData(['conversation', 'c2', 'span', 'm15'], span(page(10, 19)));
  const threadNow = () => client.getQueryData<Thread>(['conversation', 'c1', 'messages']);
  const spanNow = (id: string) =>
    client.getQueryData<LoadedSpan>(['conversation', id, 'span', 'm15'])?.pages ?? [];
  return { client, threadNow, spanNow };
}

it('a change applies to every loaded range of its conversation, and to no other conversation', () => {
  const { client, threadNow, spanNow } = loaded();
  const event = { up_to_seq: 22, read_at: '2026-11-21T14:00:00.000Z', version: 2 };
  changeMessages(client, 'c1', (thread) => applyMessageRead(thread, event));
  const read = spanNow('c1').flatMap(({ messages }) =>
    messages.flatMap(({ seq, read_at }) => (read_at === null ? [] : [seq])),
  );
  expect(read).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22]);
  expect(threadNow()).toMatchObject({ version: 2 });
  expect(spanNow('c2').every(({ messages }) => messages.every((m) => m.read_at === null))).toBe(
    true,
  );
  expect(spanNow('c1').map(({ has_newer }) => has_newer)).toEqual([true, true]);
});

it('a new message is added to the newest messages only, not to a range loaded around another message', () => {
  const { client, spanNow } = loaded();
  updateSpans(client, 'c1', (held) => noteVersion(held, 5));
  expect(spanNow('c1').map(({ version }) => version)).toEqual([5, 5]);
  expect(spanNow('c1').flatMap(({ messages }) => messages.map(({ seq }) => seq))).toEqual(
    Array.from({ length: 16 }, (_, index) => index + 10),
  );
});

it('the oldest loaded message is not shown until older ones load', () => {
  const thread: Thread = { messages: run(41, 50), has_more: true, version: 1 };
  expect(shows(thread, 'm41')).toBe(false);
  expect(shows(thread, 'm42')).toBe(true);
  expect(shows({ ...thread, has_more: false }, 'm41')).toBe(true);
  expect(shows(thread, 'm9')).toBe(false);
});

it('a refresh requested during another one fetches again, because the first response may be outdated', async () => {
  const { client, threadNow } = loaded();
  let fetches = 0;
  vi.stubGlobal('location', { origin: 'http://console.test' });
  vi.stubGlobal('fetch', async () => {
    fetches += 1;
    // Requested while the first fetch is running.
    if (fetches === 1) void refreshThread(client, 'c1');
    const data = run(41, 50).map(({ version: _version, ...message }) => message);
    return Response.json({ data, has_more: true, version: fetches });
  });
  await refreshThread(client, 'c1');
  expect(threadNow()?.version).toBe(2);
});
