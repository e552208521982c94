import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { io, type Socket } from 'socket.io-client';
import { percentiles } from '../lib/statistics.ts';

interface Flood {
  readonly url: string;
  /** The session tokens of the flooder and of a teammate. */
  readonly flooder: string;
  readonly other: string;
  readonly conversation: string;
  readonly seconds: number;
}

/** Events that the flooder sends in one burst, and the pause in milliseconds between bursts. */
const BURST = 500;
const PAUSE_MS = 20;
/** Milliseconds between the teammate's messages, and the timeout for each confirmation. */
const TYPING_MS = 100;
const PATIENCE_MS = 10_000;

const connect = (url: string, token: string): Socket =>
  io(url, {
    auth: { token },
    transports: ['websocket'],
    reconnectionDelay: 1,
    reconnectionDelayMax: 1,
  });

/** Measures how fast a teammate's messages are confirmed while another socket sends without pause. */
export async function measureFlood({ url, flooder, other, conversation, seconds }: Flood) {
  const [flooding, typing] = [connect(url, flooder), connect(url, other)];
  let cutOff = 0;
  let refused = 0;
  let taken = 0;
  flooding.on('disconnect', (reason) => {
    cutOff++;
    // Socket.IO's client doesn't reconnect by itself when the server closes the connection.
    if (reason === 'io server disconnect') flooding.connect();
  });
  flooding.on('message_error', () => refused++);
  flooding.on('message_sent', () => taken++);
  await Promise.all(
    [flooding, typing].map(
      (socket) => new Promise<void>((done) => socket.once('connect', () => done())),
    ),
  );

  const until = Date.now() + seconds * 1_000;
  let sent = 0;
  const flood = (async () => {
    while (Date.now() < until) {
      for (let number = 0; flooding.connected && number < BURST; number++) {
        flooding.emit('send_message', message(conversation));
        sent++;
      }
      await sleep(PAUSE_MS);
    }
  })();
  const times: number[] = [];
  while (Date.now() < until) {
    const started = performance.now();
    await confirmed(typing, conversation);
    times.push(performance.now() - started);
    await sleep(TYPING_MS);
  }
  await flood;
  flooding.close();
  typing.close();
  const { p50, p99 } = percentiles(times);
  return {
    'flooder sent': sent,
    'of them taken': taken,
    'of them refused': refused,
    'flooder cut off': cutOff,
    'others sent': times.length,
    'others, p50 ms': p50,
    'others, p99 ms': p99,
  };
}

const message = (conversation_id: string) => ({
  conversation_id,
  content: 'x',
  tempId: `temp-${randomUUID()}`,
});

function confirmed(socket: Socket, conversation: string): Promise<void> {
  const own = message(conversation);
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('a message was not confirmed')), PATIENCE_MS);
    const onSent = ({ tempId }: { tempId: string }) => {
      if (tempId !== own.tempId) return;
      clearTimeout(late);
      socket.off('message_sent', onSent);
      resolve();
    };
    socket.on('message_sent', onSent);
    socket.emit('send_message', own);
  });
}
