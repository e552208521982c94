// Sends over one socket and receives over others, on orders from the parent process: first `connect`, then any number of `rate`
// and `latency` orders. Sends one reply to each order.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerOrders } from '../lib/live/orders.mjs';
import { connectLive } from '../lib/live/socket.mjs';

/** Milliseconds without progress after which a message counts as lost. */
const PATIENCE_MS = 15_000;
/** The maximum number of pending messages. A server may refuse more from one socket. */
const UNDERWAY_MAX = 48;
const TEXT = 'Thank you so much for the lovely message, I will be live again on Friday evening!';

/** Pending messages by `tempId`: the number of outstanding deliveries, and the time of sending. */
const underway = new Map();
let bare = false;
let sender = null;
let watchers = 0;
let conversations = [];
let sent = 0;
let progressAt = 0;
/** Fails the current order. */
let fail = (reason) => {
  throw new Error(reason);
};
/** Called with the milliseconds that a message took to reach all sockets. @type {(took: number) => void} */
let whole = () => undefined;

const orders = {
  async connect({ address, tokens, bare: isBare, conversations: ids }) {
    bare = isBare;
    conversations = ids;
    watchers = tokens.length - 1;
    for (const [index, token] of tokens.entries()) {
      const onFrame =
        bare || index > 0 ? countDelivery('new_message') : countDelivery('message_sent');
      const socket = await connectLive({ address, token, bare }, onFrame, () =>
        fail('a socket was closed'),
      );
      if (index === 0) sender = socket;
    }
  },

  /** Keeps `window` messages pending for `seconds` seconds. */
  async rate({ window, seconds }) {
    const started = performance.now();
    const until = started + seconds * 1000;
    let done = 0;
    await watched((end) => {
      whole = () => {
        done++;
        if (performance.now() < until) send();
        else if (underway.size === 0) end();
      };
      for (let index = 0; index < window; index++) send();
    });
    return { messages: done, seconds: (performance.now() - started) / 1000 };
  },

  /** Sends at a fixed rate, however fast the messages are delivered. */
  async latency({ perSecond, seconds }) {
    const times = [];
    const count = perSecond * seconds;
    const started = performance.now();
    await watched(async (end) => {
      whole = (took) => {
        times.push(took);
        if (times.length === count) end();
      };
      for (let index = 0; index < count; index++) {
        const wait = started + (index * 1000) / perSecond - performance.now();
        if (wait > 0) await sleep(wait);
        // Waits only on a machine too busy for this rate, whose latencies mean nothing. The server refuses clients that flood it.
        while (underway.size >= UNDERWAY_MAX) await sleep(1);
        send();
      }
    });
    return { times };
  },
};

/** Resolves once `end` is called; rejects when a socket is refused or closed, or progress stops. */
async function watched(run) {
  progressAt = performance.now();
  let timer;
  try {
    await new Promise((resolve, reject) => {
      fail = (reason) => reject(new Error(reason));
      timer = setInterval(() => {
        if (performance.now() - progressAt > PATIENCE_MS) {
          fail(`${underway.size} messages did not reach everyone`);
        }
      }, 1_000);
      run(resolve);
    });
  } finally {
    clearInterval(timer);
  }
}

function send() {
  const tempId = `temp-${randomUUID()}`;
  const conversation_id = conversations[sent++ % conversations.length];
  const event = { conversation_id, content: TEXT, attachments: [], tempId };
  // Each watcher receives the message. The sender gets a confirmation or, from a bare server, the message itself.
  underway.set(tempId, { left: watchers + 1, since: performance.now() });
  sender.send(bare ? JSON.stringify(event) : `42["send_message",${JSON.stringify(event)}]`);
}

function countDelivery(event) {
  const start = bare ? '{' : `42["${event}",`;
  const length = start.length;
  return (frame) => {
    if (frame.latin1Slice(0, length) !== start) {
      if (frame.includes('"message_error"')) fail(frame.toString());
      return;
    }
    const at = frame.indexOf('temp-', 0, 'latin1');
    const tempId = frame.latin1Slice(at, at + 41);
    const message = underway.get(tempId);
    if (message === undefined || --message.left > 0) return;
    underway.delete(tempId);
    progressAt = performance.now();
    whole(progressAt - message.since);
  };
}

answerOrders(orders);
