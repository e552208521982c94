// Sends over one socket and watches over others, on the orders of the process that forked it: `connect` first, then `rate` and
// `latency` as often as it likes, an answer each.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerOrders } from '../lib/live/orders.mjs';
import { connectLive } from '../lib/live/socket.mjs';

/** Milliseconds without any progress after which something was lost. */
const PATIENCE_MS = 15_000;
/** Of one socket a server need not take more. */
const UNDERWAY_MAX = 48;
const TEXT = 'Thank you so much for the lovely message, I will be live again on Friday evening!';

/** Messages under way by the sender's id: how often each is still to be heard of, and since when. */
const underway = new Map();
let bare = false;
let sender = null;
let watchers = 0;
let conversations = [];
let sent = 0;
let heardAt = 0;
/** Ends the order at hand. */
let fail = (reason) => {
  throw new Error(reason);
};
/** @type {(took: number) => void} */
let whole = () => undefined;

const orders = {
  async connect({ address, tokens, bare: isBare, conversations: ids }) {
    bare = isBare;
    conversations = ids;
    watchers = tokens.length - 1;
    for (const [index, token] of tokens.entries()) {
      const hear = bare || index > 0 ? heardBy('new_message') : heardBy('message_sent');
      const socket = await connectLive({ address, token, bare }, hear, () =>
        fail('a socket was closed'),
      );
      if (index === 0) sender = socket;
    }
  },

  /** So many under way at a time, for so long. */
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

  /** So many a second, however quick they are told. */
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
        // A machine that is too busy for the rate is none to take latencies on, but a client that floods is refused.
        while (underway.size >= UNDERWAY_MAX) await sleep(1);
        send();
      }
    });
    return { times };
  },
};

/** Resolves once `end` was called; rejects when a socket is refused or closed, or nothing comes any more. */
async function watched(run) {
  heardAt = performance.now();
  let timer;
  try {
    await new Promise((resolve, reject) => {
      fail = (reason) => reject(new Error(reason));
      timer = setInterval(() => {
        if (performance.now() - heardAt > PATIENCE_MS) {
          fail(`${underway.size} messages were not heard of by all`);
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
  // Heard of by each watcher and, as confirmed or as a watcher too, by the sender.
  underway.set(tempId, { left: watchers + 1, since: performance.now() });
  sender.send(bare ? JSON.stringify(event) : `42["send_message",${JSON.stringify(event)}]`);
}

function heardBy(event) {
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
    heardAt = performance.now();
    whole(heardAt - message.since);
  };
}

answerOrders(orders);
