import type { Invariant } from './check.ts';
import type { Fault } from './fault.ts';
import { calm } from './kinds/calm.ts';
import { killDatabase } from './kinds/kill-database.ts';
import { killServer } from './kinds/kill-server.ts';
import { networkFaults } from './kinds/network.ts';

/** A passage in the server's sources and its replacement. */
export interface Change {
  /** Path below `apps/server/src`. */
  readonly file: string;
  /** Must occur exactly once, so that an outdated variant fails to build. */
  readonly find: string;
  readonly put: string;
}

/** A server that is broken on purpose, to prove that a run of its fault detects the bug. */
export interface Variant {
  readonly name: string;
  readonly title: string;
  readonly fault: Fault;
  readonly changes: readonly Change[];
  /** The invariant that must catch the variant; null if the server must cope with the change. */
  readonly caughtBy: Invariant | null;
}

const SEND = 'messaging/messages/send.service.ts';
const FUNCTION = 'messaging/messages/send.sql';
const READS = 'messaging/messages/reads.store.ts';

/** Gives each attempt a new key, so that the database sees a new message. */
const KEY_IGNORED: Change = {
  file: SEND,
  find: `      clientMessageId: draft.clientMessageId,
      payloadHash,`,
  put: `      clientMessageId: draft.clientMessageId + randomUUID(),
      payloadHash,`,
};

const MUTE: Change = {
  file: SEND,
  find: `() => publishMessage(message, stored, draft)`,
  put: `() => Promise.reject(new Error('not emitted'))`,
};

export const VARIANTS: readonly Variant[] = [
  {
    name: 'no-key',
    title: 'repeated sends are not recognized',
    fault: killServer,
    changes: [KEY_IGNORED],
    caughtBy: 'doubled',
  },
  {
    name: 'no-key-network',
    title: 'the same, where replies are lost on their way',
    fault: networkFaults.dropAfterCommit,
    changes: [KEY_IGNORED],
    caughtBy: 'doubled',
  },
  {
    name: 'key-in-memory',
    title: 'repeated sends are recognized from memory only',
    fault: killServer,
    changes: [
      KEY_IGNORED,
      {
        file: SEND,
        find: `    const payloadHash = hashPayload(draft);`,
        put: `    const payloadHash = hashPayload(draft);
    const known = remembered.get(draft.clientMessageId);
    if (known !== undefined) return { message: known, created: false };`,
      },
      {
        file: SEND,
        find: `    if (draft.author !== null) webhooks.wake();`,
        put: `    remembered.set(draft.clientMessageId, message);`,
      },
      {
        file: SEND,
        find: `function hashPayload(draft: Draft): Buffer {`,
        put: `const remembered = new Map<string, MessageRecord>();

function hashPayload(draft: Draft): Buffer {`,
      },
    ],
    caughtBy: 'doubled',
  },
  {
    name: 'confirmed-early',
    title: 'sends are confirmed before their commit',
    fault: killServer,
    changes: [
      {
        file: 'db/pool.ts',
        find: `  async run<Row>(statement: Statement, values: readonly unknown[]) {`,
        put: `  async run<Row>(statement: Statement, values: readonly unknown[]) {
    if (statement.name === 'messages_send') {
      const [rows] = await commitLate(open(), [{ statement, values }]);
      return rows as Row[];
    }`,
      },
      {
        file: 'db/pool.ts',
        find: `    open().query(new Together(calls)) as unknown as Promise<Row[][]>,`,
        put: `    commitLate(open(), calls) as Promise<Row[][]>,`,
      },
      {
        file: 'db/pool.ts',
        find: `export interface Runner {`,
        put: `async function commitLate(pool: pg.Pool, calls: readonly Call[]): Promise<unknown[][]> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const all: unknown[][] = [];
    for (const { statement, values } of calls) all.push((await client.query(statement.text, [...values])).rows);
    // Long enough for a kill to come first even if the bench's process is held up.
    setTimeout(() => client.query('commit').then(() => client.release(), () => client.release(true)), 1_000);
    return all;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

export interface Runner {`,
      },
    ],
    caughtBy: 'lost',
  },
  {
    name: 'unflushed',
    title: 'sends are confirmed before their commit is on disk',
    fault: killDatabase,
    changes: [
      {
        file: 'db/pool.ts',
        find: `options: SESSION_OPTIONS,`,
        put: `options: SESSION_OPTIONS + ' -c synchronous_commit=off',`,
      },
    ],
    caughtBy: 'lost',
  },
  {
    name: 'plain-now',
    title: 'a message’s time is when its transaction began',
    fault: calm,
    changes: [
      {
        file: FUNCTION,
        find: `greatest(
    date_trunc('milliseconds', clock_timestamp()), conversation.last_message_at + interval '1 ms',
    conversation.mass_message_at + interval '1 ms'
  );`,
        put: `date_trunc('milliseconds', now());`,
      },
    ],
    caughtBy: 'order',
  },
  {
    name: 'unread-zeroed',
    title: 'marking as read sets the count to 0',
    fault: calm,
    changes: [
      {
        file: READS,
        find: `unread_count = unread_count - (select count from last_marked m where m.conversation_id = c.id)
          - marked_unread::int,`,
        put: `unread_count = 0,`,
      },
      {
        file: FUNCTION,
        find: `conversation.unread_count := conversation.unread_count - newly_read;`,
        put: `conversation.unread_count := 0;`,
      },
    ],
    caughtBy: 'unread',
  },
  {
    name: 'no-outbox',
    title: 'events are neither stored nor emitted',
    fault: calm,
    changes: [
      MUTE,
      {
        file: FUNCTION,
        find: `  )) returning id into outbox_id;
  outbox_ids := outbox_ids || outbox_id;`,
        put: `  )) returning id into outbox_id;
  delete from outbox where id = outbox_id;
  outbox_ids := outbox_ids || outbox_id;`,
      },
    ],
    caughtBy: 'clients',
  },
  {
    name: 'mute',
    title: 'events are not emitted after the commit, and the outbox emits them',
    fault: calm,
    changes: [MUTE],
    caughtBy: null,
  },
];
