import { inbox } from '@stagedoor/contract/inbox/conversations';
import { listMessages, sendMessage } from '@stagedoor/contract/messaging/messages';
import { requestOtp } from '@stagedoor/contract/team/auth';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../test/database.ts';
import { buildConversation, buildStaff, unique } from '../../test/factories.ts';
import { proxiedDatabase } from '../../test/servers/proxied-database.ts';
import type { TcpProxy } from '../../test/servers/tcp-proxy.ts';
import type { TestDatabase } from '../../test/template-database.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

/** Milliseconds that any caller may wait while the database is unreachable. */
const BOUND_MS = 60_000;

let database: TestDatabase;
let proxy: TcpProxy;
let app: TestApp;

beforeAll(async () => {
  database = await createTestDatabase();
  const proxied = await proxiedDatabase(database.url);
  proxy = proxied.proxy;
  app = await startTestApp({ databaseUrl: proxied.url });
});

afterAll(async () => {
  proxy.restore();
  await app.close();
  await proxy.close();
  await database.drop();
});

afterEach(() => proxy.restore());

/** @returns the promise's result; fails if it takes too long */
async function soon<T>(what: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('kept waiting')), BOUND_MS);
  });
  return Promise.race([what, late]).finally(() => clearTimeout(timer));
}

test.each<[string, (wire: TcpProxy) => void]>([
  ['cut', (wire) => wire.cut()],
  ['half open', (wire) => wire.freeze()],
])(
  'while the link to the database is %s every call gets 503 in bounded time, and afterwards everything works again',
  async (_how, breakLink) => {
    const { client, token } = await buildStaff(app);
    const { id } = await buildConversation(app);
    const socket = await app.connectSocket(token);
    // More calls at once than there are connections.
    await Promise.all(Array.from({ length: 24 }, () => client.call(inbox)));
    const body = { conversation_id: id, content: 'while it is broken' };
    const headers = { 'idempotency-key': unique('temp') };

    breakLink(proxy);
    const tempId = unique('temp');
    socket.socket.emit('send_message', { conversation_id: id, content: 'x', tempId });
    const answers = await soon(
      Promise.all([
        ...Array.from({ length: 24 }, () => client.raw('GET', inbox.path)),
        client.raw('POST', sendMessage.path, { headers, body }),
        app.anonymous.raw('GET', '/api/health'),
      ]),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    const refused = () => socket.received('message_error').find((event) => event.tempId === tempId);
    await expect.poll(refused).toMatchObject({ code: 'unavailable' });

    proxy.restore();
    await expect.poll(async () => (await app.anonymous.raw('GET', '/api/health')).status).toBe(200);
    expect((await client.call(sendMessage, { headers, body })).body.data.content).toBe(
      body.content,
    );
    const { body: page } = await client.call(listMessages, { params: { id } });
    expect(page.data.filter(({ content }) => content === body.content)).toHaveLength(1);
    await client.call(inbox);
  },
);

test('a slow link only makes calls slower', async () => {
  const { client } = await buildStaff(app);
  proxy.slow({ latency: 40, jitter: 40 });
  await Promise.all(Array.from({ length: 8 }, () => client.call(inbox)));
  await app.anonymous.call(requestOtp, { body: { email: 'nobody@staff.example' } });
  proxy.restore();
});

test('a long-running statement is left alone, even if the database answers slowly', async () => {
  proxy.slow({ latency: 600 });
  const { rows } = await sql<{ done: boolean }>`
    select true as done from pg_sleep(6)`.execute(app.db.kysely);
  expect(rows).toEqual([{ done: true }]);
});

test('connections that died unnoticed are dropped even if new ones work', async () => {
  const { client } = await buildStaff(app);
  await Promise.all(Array.from({ length: 24 }, () => client.call(inbox)));
  proxy.strand();
  await soon(client.raw('GET', inbox.path));
  await expect.poll(() => client.raw('GET', inbox.path).then(({ status }) => status)).toBe(200);
});
