import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { uploadFiles } from '@stagedoor/contract/media';
import { sendMessage } from '@stagedoor/contract/messaging/messages';
import { currentAdmin } from '@stagedoor/contract/team/auth';
import { Manager } from 'socket.io-client';
import { afterEach, expect, test } from 'vitest';
import { buildConversation, buildStaff } from '../../test/factories.ts';
import { uploadAsStaff } from '../../test/files.ts';
import { sharedApp, startTestApp } from '../../test/test-app.ts';

/** Milliseconds. A slow client sends a byte far more often than this. */
const PATIENCE = { request: 2_000, idle: 1_500, keepAlive: 300, handshake: 400, upload: 60_000 };
const DRIBBLE_MS = 50;
/** The state's code in /proc/net/tcp. */
const ESTABLISHED = '01';

const mediaKey = randomBytes(32);
const app = await sharedApp({ patience: PATIENCE, mediaKey });
/** The same installation with longer timeouts, because a large upload from this process takes a while. */
const patient = await sharedApp({
  databaseUrl: app.databaseUrl,
  storage: app.storage,
  mediaKey,
});
const staff = await buildStaff(app);
const { id: conversation } = await buildConversation(app);

const open: RawClient[] = [];
afterEach(() => {
  for (const client of open.splice(0)) client.leave();
});

interface RawClient {
  readonly socket: Socket;
  text(): string;
  /** Sends part of this text at short intervals. */
  dribble(text: string): void;
  readonly closed: Promise<unknown>;
  leave(): void;
}

function rawClient(server: { readonly url: string } = app): RawClient {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  let text = '';
  let timer: NodeJS.Timeout | undefined;
  socket.on('data', (chunk) => {
    text += chunk.toString();
  });
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve)).finally(() =>
    clearInterval(timer),
  );
  const client: RawClient = {
    socket,
    text: () => text,
    dribble(what) {
      let sent = 0;
      timer = setInterval(() => {
        if (socket.writable) socket.write(what.slice(sent, ++sent));
      }, DRIBBLE_MS);
    },
    closed,
    leave() {
      clearInterval(timer);
      socket.destroy();
    },
  };
  open.push(client);
  return client;
}

/** Checks whether the operating system reports the server's end of a client's connection as open. */
async function isHeldByServer({ localPort }: Socket): Promise<boolean> {
  const hex = (port: number) => port.toString(16).toUpperCase().padStart(4, '0');
  const ends = new RegExp(
    `:${hex(Number(new URL(app.url).port))} \\w+:${hex(localPort ?? 0)} ${ESTABLISHED} `,
  );
  return ends.test(await readFile('/proc/net/tcp', 'utf8'));
}

const head = (method: string, path: string, ...headers: string[]) =>
  [`${method} ${path} HTTP/1.1`, 'host: x', ...headers, '', ''].join('\r\n');
const bearer = `authorization: Bearer ${staff.token}`;

test('a client that never completes its headers, or sends nothing, is disconnected', async () => {
  const [slow, silent] = [rawClient(), rawClient()];
  slow.dribble(head('GET', currentAdmin.path, `x-slow: ${'x'.repeat(10_000)}`));
  await slow.closed;
  expect(slow.text()).toMatch(/^HTTP\/1\.1 4|^$/);
  await silent.closed;
});

test('a body that never completes is cut off, and a stranger’s is not waited for', async () => {
  const body = JSON.stringify({ conversation_id: conversation, content: 'x'.repeat(5_000) });
  const headers = ['content-type: application/json', `content-length: ${body.length}`];
  const slow = rawClient();
  slow.socket.write(head('POST', sendMessage.path, bearer, 'idempotency-key: temp-1', ...headers));
  slow.dribble(body);
  const stranger = rawClient();
  stranger.socket.write(head('POST', sendMessage.path, ...headers));
  await expect.poll(() => stranger.text()).toContain('HTTP/1.1 401');
  await slow.closed;
  expect(slow.text()).not.toContain('HTTP/1.1 2');
});

test('an upload may take longer than other calls, as long as it makes progress', async () => {
  const file = 'y'.repeat(Math.ceil((1.3 * PATIENCE.request) / DRIBBLE_MS));
  const part = (name: string, value: string) =>
    `--line\r\ncontent-disposition: form-data; name="${name}"${value}\r\n`;
  const before =
    part('conversation_id', `\r\n\r\n${conversation}`) +
    part('files', '; filename="a.bin"\r\ncontent-type: application/octet-stream\r\n\r\n').slice(
      0,
      -2,
    );
  const after = '\r\n--line--\r\n';
  const upload = rawClient();
  const length = before.length + file.length + after.length;
  const type = 'content-type: multipart/form-data; boundary=line';
  upload.socket.write(
    head('POST', uploadFiles.path, bearer, type, `content-length: ${length}`) + before,
  );
  upload.dribble(file + after);
  await expect.poll(() => upload.text()).toContain('HTTP/1.1 200');
});

test('a connection that waits for its next request is closed after a while', async () => {
  const client = rawClient();
  client.socket.write(head('GET', '/api/health'));
  await expect.poll(() => client.text()).toContain('HTTP/1.1 200');
  await client.closed;
});

// More than both ends' socket buffers, which can grow to 40 MB.
const large = { data: Buffer.alloc(96 * 1024 * 1024), filename: 'large.bin' };
const uploadLarge = () =>
  uploadAsStaff({ ...staff, client: patient.staff(staff.token) }, conversation, large);

test('a client that requests a file and does not read it is disconnected', async () => {
  const [file] = await uploadLarge();
  const client = rawClient();
  client.socket.write(head('GET', file?.url ?? '', bearer));
  await once(client.socket, 'data');
  client.socket.pause();
  // The duration depends on the system: its buffers keep filling for a while, and Node extends the timeout of a connection whose
  // queue shrank. Reading earlier would make this an active client.
  await expect.poll(() => isHeldByServer(client.socket)).toBe(false);
  client.socket.resume();
  await client.closed;
  expect(client.text().length).toBeLessThan(large.data.length);
});

test('a download that nobody reads does not keep the server from closing', async () => {
  const leaving = await startTestApp({
    databaseUrl: app.databaseUrl,
    storage: app.storage,
    mediaKey,
    patience: { closing: 100 },
  });
  const [file] = await uploadLarge();
  const client = rawClient(leaving);
  client.socket.write(head('GET', file?.url ?? '', bearer));
  await once(client.socket, 'data');
  client.socket.pause();
  await leaving.close();
  client.socket.resume();
  await client.closed;
});

test('a socket that does not authenticate is closed', async () => {
  const manager = new Manager(app.url, { transports: ['websocket'], reconnection: false });
  const closed = new Promise((resolve) => manager.on('close', resolve));
  manager.open();
  expect(await closed).toBe('transport close');
});

test('hundreds of idle connections delay nobody', async () => {
  const idle = Array.from({ length: 400 }, () => rawClient());
  await Promise.all(idle.map(({ socket }) => once(socket, 'connect')));
  expect((await staff.client.call(currentAdmin)).status).toBe(200);
  await Promise.all(idle.map(({ closed }) => closed));
});
