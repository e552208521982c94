import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Server } from 'socket.io';
import { io as connect } from 'socket.io-client';
import { expect, test } from 'vitest';
import { buildConversation, buildFanMessage, buildStaff } from '../../test/factories.ts';
import { sharedApp } from '../../test/test-app.ts';
import { dropStalledReaders } from './stalled-readers.ts';

const app = await sharedApp();
const staff = await buildStaff(app);

/** Opens a polling client that answers pings but never fetches its events. */
async function openWithoutReading() {
  const at = `${app.url}/socket.io/?EIO=4&transport=polling`;
  const opened = await (await fetch(at)).text();
  const { sid } = JSON.parse(opened.slice(1)) as { sid: string };
  const post = async (body: string) =>
    (await fetch(`${at}&sid=${sid}`, { method: 'POST', body })).status;
  expect(await post(`40${JSON.stringify({ token: staff.token })}`)).toBe(200);
  // The reply to the handshake.
  expect(await (await fetch(`${at}&sid=${sid}`)).text()).toContain('"sid"');
  return { livesOn: async () => (await post('3')) === 200 };
}

test('a polling client that fetches nothing is disconnected once a megabyte waits, even if it answers pings', async () => {
  const reader = await app.connectSocket(staff.token);
  const silent = await openWithoutReading();
  const { fan } = await buildConversation(app, { messages: [] });
  expect(await silent.livesOn()).toBe(true);
  let written = 0;
  await expect
    .poll(
      async () => {
        await Promise.all(
          Array.from({ length: 20 }, () =>
            buildFanMessage(app, fan, { content: '語'.repeat(5_000) }),
          ),
        );
        written += 20;
        return silent.livesOn();
      },
      { interval: 10 },
    )
    .toBe(false);
  await expect.poll(() => reader.received('new_message').length).toBe(written);
  expect(reader.socket.connected).toBe(true);
});

test('a WebSocket with a stalled reader is disconnected, and others are not', async () => {
  const http = createServer().listen(0, '127.0.0.1');
  await once(http, 'listening');
  const server = new Server(http);
  const watch = dropStalledReaders(server);
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const open = () => connect(url, { transports: ['websocket'], forceNew: true });
  const [stalled, reading] = [open(), open()];
  await expect.poll(() => server.sockets.sockets.size).toBe(2);
  const gone = new Promise((resolve) =>
    server.sockets.sockets.get(stalled.id ?? '')?.on('disconnect', resolve),
  );
  const { ws } = stalled.io.engine.transport as unknown as { ws: { _socket: Socket } };
  ws._socket.pause();
  let updates = 0;
  reading.on('update', () => updates++);
  for (let index = 0; index < 32; index++) server.emit('update', 'x'.repeat(500_000));
  expect(await gone).toMatch(/transport/);
  await expect.poll(() => updates).toBe(32);
  stalled.disconnect();
  reading.disconnect();
  watch.stop();
  await server.close();
});
