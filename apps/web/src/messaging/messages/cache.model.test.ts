import type { Message, MessagePage } from '@stagedoor/contract/messaging/messages';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createEventOrder } from '../../lib/server/event-order.ts';
import { at, buildMessage, buildReply, FAN_ID } from '../../testing/build-message.ts';
import {
  addMessage,
  addOlderPage,
  applyFanRead,
  applyMessageRead,
  applyReaction,
  applyUnsent,
  mergePages,
  newestSeq,
  noteVersion,
  type Thread,
  threadOf,
} from './cache.ts';

/** Small, so that a dozen messages take several pages. */
const PAGE = 3;
const USERS = [FAN_ID, 'admin', 'other'];
const EMOJI = ['👍', '🔥'] as const;

type Event = { version: number } & (
  | { name: 'new_message'; message: Message }
  | { name: 'message_read' | 'fan_read'; up_to_seq: number; read_at: string }
  | { name: 'reaction_toggled'; payload: Parameters<typeof applyReaction>[1] }
  | { name: 'message_unsent'; payload: Parameters<typeof applyUnsent>[1] }
  | { name: 'conversation_updated' }
);

/** A minimal server that follows the contract. */
class Server {
  messages: Message[] = [];
  version = 1;

  write(fromFan: boolean): Event {
    this.version += 1;
    const seq = this.messages.length + 1;
    const quoted = this.messages.at(-1);
    const reply_to = quoted
      ? {
          id: quoted.id,
          content: quoted.content,
          created_at: quoted.created_at,
          attachments: [],
          sender: { id: quoted.sender_id, username: 'Ana' },
          is_unsent: quoted.unsent !== null,
        }
      : null;
    const fields = { seq, reply_to, reply_to_message_id: reply_to?.id ?? null };
    const message = fromFan ? buildMessage(fields) : buildReply(fields);
    this.messages.push(message);
    return { name: 'new_message', message, version: this.version };
  }

  read(byStaff: boolean, up_to_seq: number): Event {
    this.version += 1;
    const read_at = at(1000 + this.version);
    this.messages = this.messages.map((message) =>
      message.seq <= up_to_seq && message.read_at === null && (message.author === null) === byStaff
        ? { ...message, read_at }
        : message,
    );
    return {
      name: byStaff ? 'message_read' : 'fan_read',
      up_to_seq,
      read_at,
      version: this.version,
    };
  }

  react(position: number, user_id: string, emoji: (typeof EMOJI)[number]): Event | null {
    const message = this.messages[position % Math.max(1, this.messages.length)];
    if (!message || message.unsent !== null) return null;
    this.version += 1;
    const held = message.reactions.find((r) => r.user_id === user_id);
    const reaction = { id: `r${this.version}`, user_id, emoji, message_id: message.id };
    const action = held?.emoji === emoji ? ('removed' as const) : ('added' as const);
    const others = message.reactions.filter((r) => r !== held);
    const reactions = action === 'added' ? [...others, reaction] : others;
    this.messages = this.messages.map((m) => (m.id === message.id ? { ...m, reactions } : m));
    const payload = {
      action,
      message_id: message.id,
      conversation_id: 'c1',
      user_id,
      reaction,
      version: this.version,
    };
    return { name: 'reaction_toggled', payload, version: this.version } as const;
  }

  unsend(position: number): Event | null {
    const message = this.messages[position % Math.max(1, this.messages.length)];
    if (!message || message.author === null || message.read_at !== null) return null;
    this.version += 1;
    const { version } = this;
    const unsent = { at: at(1000 + version), by: message.author };
    this.messages = this.messages.map((held) => {
      if (held.reply_to?.id === message.id)
        return { ...held, reply_to: { ...held.reply_to, content: '', is_unsent: true } };
      if (held.id !== message.id) return held;
      const gone = { content: '', attachments: [], reactions: [], read_at: unsent.at };
      return { ...held, ...gone, reply_to: null, reply_to_message_id: null, unsent };
    });
    const payload = {
      conversation_id: 'c1',
      message_id: message.id,
      seq: message.seq,
      unsent,
      last_message_content: null,
      last_message_by: null,
      waiting_since: null,
      version,
    };
    return { name: 'message_unsent', payload, version };
  }

  update(): Event {
    this.version += 1;
    return { name: 'conversation_updated', version: this.version };
  }

  page(before: string | null, limit = PAGE): MessagePage {
    const end =
      before === null ? this.messages.length : this.messages.findIndex(({ id }) => id === before);
    const start = Math.max(0, end - limit);
    return { data: this.messages.slice(start, end), has_more: start > 0, version: this.version };
  }
}

/** A client behind a network that drops, repeats and reorders events and delays responses. */
class Client {
  thread: Thread;
  network: Event[] = [];
  replies: (() => void)[] = [];
  timers: (() => void)[] = [];
  refetching = false;

  order = createEventOrder<Event>({
    cachedVersion: () => this.thread.version,
    deliver: (event) => {
      this.thread = this.apply(event);
    },
    onGap: () => this.refetch(),
    schedule: (callback) => {
      this.timers.push(callback);
      return () => {
        this.timers = this.timers.filter((timer) => timer !== callback);
      };
    },
  });

  readonly server: Server;

  constructor(server: Server) {
    this.server = server;
    this.thread = threadOf(server.page(null));
  }

  apply(event: Event): Thread {
    switch (event.name) {
      case 'new_message':
        if (event.message.seq > newestSeq(this.thread) + 1) this.refetch();
        return addMessage(this.thread, event.message, event.version);
      case 'message_read':
        return applyMessageRead(this.thread, event);
      case 'fan_read':
        return applyFanRead(this.thread, event);
      case 'reaction_toggled':
        return applyReaction(this.thread, event.payload);
      case 'message_unsent':
        return applyUnsent(this.thread, event.payload);
      case 'conversation_updated':
        return noteVersion(this.thread, event.version);
    }
  }

  /** Refetches like the app does: everything that is loaded, and again if newer events arrived meanwhile. */
  refetch(): void {
    if (this.refetching) return;
    this.refetching = true;
    const loaded = Math.max(PAGE, this.thread.messages.length + 4);
    const page = this.server.page(null, loaded);
    this.replies.push(() => {
      this.refetching = false;
      if (page.version < this.thread.version) this.refetch();
      else this.thread = mergePages(this.thread, [page]);
    });
  }

  loadOlder(): void {
    const before = this.thread.messages[0]?.id;
    if (before === undefined || !this.thread.has_more) return;
    const page = this.server.page(before);
    this.replies.push(() => {
      if (page.version < this.thread.version) this.loadOlder();
      else this.thread = addOlderPage(this.thread, before, page);
    });
  }

  receive(event: Event): void {
    this.order.accept('c1', event.version, event);
  }

  settle(): void {
    for (
      let round = 0;
      round < 50 && (this.timers.length > 0 || this.replies.length > 0);
      round += 1
    ) {
      this.timers.shift()?.();
      this.replies.shift()?.();
    }
  }
}

const take = <T>(items: T[], position: number): T | undefined =>
  items.splice(position % Math.max(1, items.length), 1)[0];

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('write' as const), fromFan: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('read' as const),
      byStaff: fc.boolean(),
      upTo: fc.nat(12),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('react' as const),
      position: fc.nat(12),
      user: fc.constantFrom(...USERS),
      emoji: fc.constantFrom(...EMOJI),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('unsend' as const), position: fc.nat(12) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('update' as const) }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'deliver' as const,
        'deliver' as const,
        'repeat' as const,
        'drop' as const,
      ),
      position: fc.nat(3),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('wait' as const, 'reply' as const, 'older' as const, 'refetch' as const),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

function run(client: Client, server: Server, taken: Step): void {
  const emit = (event: Event | null) => event && client.network.push(event);
  if (taken.do === 'write') emit(server.write(taken.fromFan));
  if (taken.do === 'read') emit(server.read(taken.byStaff, taken.upTo));
  if (taken.do === 'react') emit(server.react(taken.position, taken.user, taken.emoji));
  if (taken.do === 'unsend') emit(server.unsend(taken.position));
  if (taken.do === 'update') emit(server.update());
  if (taken.do === 'drop') take(client.network, taken.position);
  if (taken.do === 'deliver' || taken.do === 'repeat') {
    const event = take(client.network, taken.position);
    if (event) client.receive(event);
    if (event && taken.do === 'repeat') client.network.push(event);
  }
  if (taken.do === 'wait') client.timers.shift()?.();
  if (taken.do === 'reply') client.replies.shift()?.();
  if (taken.do === 'older') client.loadOlder();
  if (taken.do === 'refetch') client.refetch();
}

const withoutVersions = (thread: Thread): Message[] =>
  thread.messages.map((message) => {
    const { version, ...rest } = message;
    expect(version).toBeLessThanOrEqual(thread.version);
    return rest;
  });

/** Returns the result of a fresh fetch of the same part of the conversation. */
const freshly = (server: Server, thread: Thread): Message[] =>
  server.page(null, thread.messages.length).data;

const history = fc.nat(8);
const steps = fc.array(step, { maxLength: 60 });

function setUp(messages: number): { server: Server; client: Client } {
  const server = new Server();
  for (let n = 0; n < messages; n += 1) server.write(n % 2 === 0);
  return { server, client: new Client(server) };
}

function expectFresh(server: Server, client: Client): void {
  expect(withoutVersions(client.thread)).toEqual(freshly(server, client.thread));
  expect(client.thread.has_more).toBe(client.thread.messages.length < server.messages.length);
}

it('matches a fresh fetch after any dropped, repeated, reordered or refetched events', () => {
  fc.assert(
    fc.property(history, steps, fc.boolean(), (before, taken, reconnects) => {
      const { server, client } = setUp(before);
      for (const next of taken) run(client, server, next);
      if (reconnects) {
        // Pending events and responses are lost with the connection; reconnecting refetches.
        client.network = [];
        client.settle();
        client.refetch();
      } else {
        // The next event reveals the gap that the lost ones left.
        client.receive(server.write(true));
      }
      client.settle();
      expectFresh(server, client);
    }),
    { numRuns: 1000 },
  );
});

it('needs no refetch for duplicate or late events', () => {
  fc.assert(
    fc.property(history, steps, (before, taken) => {
      const { server, client } = setUp(before);
      for (const next of taken) {
        // Nothing is lost here, so there is nothing to refetch or to wait for.
        if (next.do === 'refetch' || next.do === 'wait') continue;
        run(client, server, next.do === 'drop' ? { ...next, do: 'repeat' } : next);
      }
      for (const event of client.network.splice(0)) client.receive(event);
      expect(client.timers).toEqual([]);
      client.settle();
      expectFresh(server, client);
    }),
    { numRuns: 1000 },
  );
});

it('loses no event that arrives during a refetch', () => {
  fc.assert(
    fc.property(history, fc.array(step, { maxLength: 12 }), (before, taken) => {
      const { server, client } = setUp(before);
      client.refetch();
      for (const next of taken) {
        if (['write', 'react', 'read', 'unsend'].includes(next.do)) run(client, server, next);
        for (const event of client.network.splice(0)) client.receive(event);
      }
      client.settle();
      expectFresh(server, client);
    }),
    { numRuns: 500 },
  );
});
