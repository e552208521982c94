import type { SignedInAdmin } from '@stagedoor/contract/team/auth';
import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { endSession, startSession } from '../../lib/server/session.ts';
import type { Connection } from '../../lib/server/socket.ts';
import { buildReply } from '../../testing/build-message.ts';
import { threadOf } from './cache.ts';
import { outboxOptions, threadIn } from './queries.ts';
import { CONFIRMATION_TIMEOUT_MS, createSender, GIVE_UP_AFTER_MS } from './sender.ts';

const stored = () => buildReply({ seq: 1, content: 'Hello' });

const ADMIN = { id: 'a1' } as SignedInAdmin;

/** Returns a sender with a silent socket and a scripted HTTP server. */
function setUp({ connected = true } = {}) {
  const client = new QueryClient();
  client.setQueryData(
    ['conversation', 'c1', 'messages'],
    threadOf({ data: [], has_more: false, version: 1 }),
  );
  let connection: Connection = { status: connected ? 'connected' : 'reconnecting', error: null };
  const listeners = new Set<() => void>();
  const emitted: unknown[] = [];
  const requests: { key: string | null; body: unknown }[] = [];
  let answer = (): Response | Error => new TypeError('Failed to fetch');
  vi.stubGlobal('location', { origin: 'http://console.test' });
  vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
    const key = new Headers(init.headers).get('idempotency-key');
    requests.push({ key, body: JSON.parse(init.body as string) });
    const result = answer();
    if (result instanceof Error) throw result;
    return result;
  });
  const sender = createSender({
    client,
    socket: {
      emit: (_name, payload) => {
        if (connection.status !== 'connected') return false;
        emitted.push(payload);
        return true;
      },
      getConnection: () => connection,
      subscribe: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
  });
  return {
    sender,
    emitted,
    requests,
    send: (tempId = 'temp-1') =>
      sender.send({ conversation_id: 'c1', content: 'Hello', replyTo: null, tempId }),
    answerWith: (next: typeof answer) => {
      answer = next;
    },
    drop: () => {
      connection = { status: 'reconnecting', error: null };
      for (const listener of listeners) listener();
    },
    outbox: () => client.getQueryData(outboxOptions('c1').queryKey),
    ids: () => threadIn(client, 'c1')?.messages.map(({ id }) => id),
  };
}

const reply =
  (body: unknown, status = 200) =>
  () =>
    new Response(JSON.stringify(body), { status });

beforeEach(() => {
  vi.useFakeTimers();
  const kept = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('a send', () => {
  it('is shown immediately and becomes the stored message when the socket confirms it', async () => {
    const { sender, send, emitted, requests, outbox, ids } = setUp();
    expect(send()).toBe(true);
    expect(outbox()?.pending).toHaveLength(1);
    expect(emitted).toEqual([
      {
        conversation_id: 'c1',
        content: 'Hello',
        attachments: [],
        reply_to_message_id: null,
        tempId: 'temp-1',
      },
    ]);
    sender.confirm('temp-1', stored());
    sender.confirm('temp-1', stored());
    await vi.advanceTimersByTimeAsync(CONFIRMATION_TIMEOUT_MS + GIVE_UP_AFTER_MS);
    expect(outbox()).toEqual({ pending: [], tempIds: { m1: 'temp-1' } });
    expect(ids()).toEqual(['m1']);
    expect(requests).toEqual([]);
  });

  it('blocks others while it is in progress', () => {
    const { sender, send, emitted } = setUp();
    send('temp-1');
    expect(send('temp-2')).toBe(false);
    sender.confirm('temp-1', stored());
    expect(send('temp-2')).toBe(true);
    expect(emitted).toHaveLength(2);
  });

  it('falls back to HTTP with the same id when no confirmation arrives in time', async () => {
    const { send, answerWith, requests, outbox, ids } = setUp();
    answerWith(reply({ data: stored() }, 201));
    send();
    await vi.advanceTimersByTimeAsync(CONFIRMATION_TIMEOUT_MS - 1);
    expect(requests).toEqual([]);
    await vi.advanceTimersByTimeAsync(2);
    expect(requests.map(({ key }) => key)).toEqual(['temp-1']);
    expect(outbox()?.pending).toEqual([]);
    expect(ids()).toEqual(['m1']);
  });

  it('falls back to HTTP immediately when the socket is lost or was never connected', async () => {
    const lost = setUp();
    lost.answerWith(reply({ data: stored() }));
    lost.send();
    lost.drop();
    await vi.advanceTimersByTimeAsync(1);
    expect(lost.requests).toHaveLength(1);

    const never = setUp({ connected: false });
    never.answerWith(reply({ data: stored() }));
    never.send();
    await vi.advanceTimersByTimeAsync(1);
    expect(never.requests).toHaveLength(1);
    expect(never.emitted).toEqual([]);
  });

  it('is retried until it succeeds, always as the same message', async () => {
    const { send, answerWith, requests, ids } = setUp({ connected: false });
    send();
    await vi.advanceTimersByTimeAsync(4_000);
    answerWith(reply({ data: stored() }));
    await vi.advanceTimersByTimeAsync(6_000);
    expect(requests.length).toBeGreaterThan(2);
    expect(new Set(requests.map(({ key }) => key))).toEqual(new Set(['temp-1']));
    expect(ids()).toEqual(['m1']);
  });

  it('fails after 30 seconds without an outcome: its bubble disappears', async () => {
    const { send, outbox } = setUp({ connected: false });
    send();
    await vi.advanceTimersByTimeAsync(GIVE_UP_AFTER_MS / 2);
    expect(outbox()?.pending).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(GIVE_UP_AFTER_MS / 2 + 1);
    expect(outbox()?.pending).toEqual([]);
    expect(send('temp-1')).toBe(true);
  });

  it('is not retried after another admin has signed in', async () => {
    vi.stubGlobal('window', { addEventListener: () => undefined });
    vi.stubGlobal('localStorage', sessionStorage);
    startSession('token-1', ADMIN);
    const { send, answerWith, requests } = setUp({ connected: false });
    send();
    await vi.advanceTimersByTimeAsync(1);
    expect(requests).toHaveLength(1);
    startSession('token-2', { ...ADMIN, id: 'a2' });
    answerWith(reply({ data: stored() }));
    await vi.advanceTimersByTimeAsync(GIVE_UP_AFTER_MS);
    endSession();
    expect(requests).toHaveLength(1);
  });

  it('fails immediately when the server rejects it', async () => {
    const { send, answerWith, requests, outbox } = setUp({ connected: false });
    answerWith(reply({ error: 'Conversation not found', code: 'conversation_not_found' }, 404));
    send();
    await vi.advanceTimersByTimeAsync(1);
    expect(requests).toHaveLength(1);
    expect(outbox()?.pending).toEqual([]);
  });

  it('keeps its bubble and shows the reason when the socket rejects it', async () => {
    const { sender, send, requests, outbox } = setUp();
    send();
    sender.refuse('temp-1', 'You do not have message privileges.');
    await vi.advanceTimersByTimeAsync(CONFIRMATION_TIMEOUT_MS + GIVE_UP_AFTER_MS);
    expect(outbox()?.pending).toMatchObject([
      { status: 'failed', error: 'You do not have message privileges.' },
    ]);
    expect(requests).toEqual([]);
    for (const message of outbox()?.pending ?? []) sender.discard(message);
    expect(outbox()?.pending).toEqual([]);
  });

  it('includes the last message seen, and asks when a teammate replied first', () => {
    const { sender, emitted, outbox } = setUp();
    const message = { conversation_id: 'c1', content: 'Hello', replyTo: null, tempId: 'temp-1' };
    sender.send({ ...message, lastSeenId: 'm1' });
    sender.refuse('temp-1', 'A teammate just replied. Send anyway?', 'teammate_replied');
    expect(outbox()?.pending).toMatchObject([{ status: 'failed', isStale: true }]);
    sender.send({ ...message, lastSeenId: 'm1', sendAnyway: true });
    expect(emitted).toMatchObject([{ last_seen_message_id: 'm1' }, { send_anyway: true }]);
    expect(emitted[1]).not.toHaveProperty('last_seen_message_id');
  });

  it.each(['unavailable', 'internal_error', 'rate_limited'] as const)(
    'falls back to HTTP with the same id when the socket is temporarily unable to send: %s',
    async (code) => {
      const { sender, send, requests, answerWith, outbox } = setUp();
      answerWith(reply({ data: stored() }));
      send();
      sender.refuse('temp-1', 'Please try again.', code);
      await vi.advanceTimersByTimeAsync(1);
      expect(requests).toMatchObject([{ key: 'temp-1' }]);
      expect(outbox()?.pending).toEqual([]);
    },
  );
});
