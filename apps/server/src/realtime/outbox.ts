import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { Row } from '../db/tables.ts';

/** Age at which the sweep takes over an event: its node died between commit and emit, or could not reach the other nodes. */
const OVERDUE = "interval '1 second'";
/** When separated nodes are connected again, events older than this are deleted without being emitted. */
const STALE = "interval '1 minute'";
/** Maximum time between emitting an event to staff and emitting it to fans, which happens later. Milliseconds. */
const EMITTED_WITHIN_MS = 10_000;
const SWEEP_EVERY_MS = 1_000;
const SWEEP_BATCH = 200;
/** Age at which the row of an event that can't be emitted is deleted. */
const EXPIRES = "interval '1 hour'";
/** How often the rows of emitted events are deleted, in one statement. Milliseconds. */
const DELETE_EVERY_MS = 50;

/** An event as stored by the transaction that caused it. */
type OutboxRow = Row<'outbox', 'id' | 'event' | 'payload'>;

interface SweptRow extends OutboxRow {
  readonly is_expired: boolean;
}

/** Functions, keyed by event name, each of which emits an event from its payload in the outbox. */
export type Reemitters = Readonly<Record<string, (payload: never) => Promise<void> | void>>;

/** Makes sure that every committed event is emitted: immediately by the node that caused it, or else by any node's sweep. */
export interface Outbox {
  /**
   * Emits committed events and deletes their rows. A failure is logged, and a sweep retries: the call that caused the events is
   * complete and does not fail.
   */
  emit(ids: readonly number[], work: () => Promise<void> | void): Promise<void>;
  /** Starts the sweep. It can emit an event twice; clients ignore duplicates. */
  start(reemitters: Reemitters): void;
  /** Stops the timers, after pending deletions are written. */
  close(): Promise<void>;
}

/** Whether emitted events reach the sockets of all nodes; always true for a single node. */
export interface Reach {
  isUp(): boolean;
  /** Waits for pending deliveries. Returns whether everything emitted after `since` (`performance.now()`) was delivered. */
  accepted(since: number): Promise<boolean>;
}

export const ONE_NODE: Reach = { isUp: () => true, accepted: async () => true };

interface OutboxDependencies {
  readonly db: Database;
  readonly reach: Reach;
  readonly log: (error: unknown) => void;
  readonly expired: (count: number) => void;
}

/**
 * Creates the outbox. A row is deleted only once its event has reached all nodes. While other nodes are unreachable, each node
 * reads their new events from the outbox and emits them to its own sockets.
 */
export function createOutbox({ db, reach, log, expired }: OutboxDependencies): Outbox {
  let reemitters: Reemitters = {};
  let timers: { stop(): Promise<void> }[] = [];
  let done: number[] = [];
  /** Recent events that were emitted only to this node's sockets; null while the other nodes are reachable. */
  let emittedHere: ReadonlySet<number> | null = null;
  const flush = async () => {
    if (done.length === 0) return;
    const ids = done;
    done = [];
    // If some events were not delivered, the sweep emits them again.
    if (!(await reach.accepted(performance.now() - EMITTED_WITHIN_MS))) return;
    await db.run(
      { name: 'outbox_delete', text: 'delete from outbox where id = any($1::bigint[])' },
      [ids],
    );
  };
  const sweep = async () => {
    await flush();
    if (!reach.isUp()) {
      emittedHere = await emitHere(emittedHere ?? new Set());
      return;
    }
    if (emittedHere !== null) {
      // Sockets that were connected in the meantime got these events from their own node, or are about to reload everything.
      await db.runPlanned(`delete from outbox where created_at < now() - ${STALE}`, []);
      emittedHere = null;
    }
    let after = 0;
    // Events that can't be emitted stay in the outbox, and don't block those after them.
    for (let full = true; full; ) {
      const batch = await emitBatch(after);
      after = batch.last;
      full = batch.count === SWEEP_BATCH;
    }
  };

  /** Emits overdue events, except those that another node has locked because it is emitting them. */
  async function emitBatch(after: number): Promise<{ last: number; count: number }> {
    const { dropped, ...batch } = await db.kysely.transaction().execute(async (tx) => {
      // Idle while it emits; only deletions of these rows wait for it.
      await sql`set local idle_in_transaction_session_timeout = '1min'`.execute(tx);
      const rows: SweptRow[] = await tx
        .selectFrom('outbox')
        .select(['id', 'event', 'payload'])
        .select(sql<boolean>`created_at < now() - ${sql.raw(EXPIRES)}`.as('is_expired'))
        .where('id', '>', after)
        .where('created_at', '<', sql<Date>`now() - ${sql.raw(OVERDUE)}`)
        .orderBy('id')
        .limit(SWEEP_BATCH)
        .forUpdate()
        .skipLocked()
        .execute();
      const begun = performance.now();
      const emitted: number[] = [];
      const dropped: Dropped[] = [];
      for (const row of rows) {
        const failure = await reemit(row);
        if (failure === null) emitted.push(row.id);
        else if (row.is_expired) dropped.push({ ...row, ...failure });
      }
      const reached = emitted.length > 0 && (await reach.accepted(begun));
      const done = [...(reached ? emitted : []), ...dropped.map(({ id }) => id)];
      if (done.length > 0) await tx.deleteFrom('outbox').where('id', 'in', done).execute();
      return { last: rows.at(-1)?.id ?? after, count: rows.length, dropped };
    });
    if (dropped.length > 0) {
      expired(dropped.length);
      log(droppedError(dropped));
    }
    return batch;
  }

  /** @returns the events that have now been emitted to this node's sockets */
  async function emitHere(before: ReadonlySet<number>): Promise<ReadonlySet<number>> {
    const rows = await db.run<OutboxRow>(
      {
        name: 'outbox_meanwhile',
        text: `select id, event, payload from outbox
          where created_at < now() - ${OVERDUE} and created_at > now() - ${STALE} order by id`,
      },
      [],
    );
    const emitted = new Set<number>();
    for (const row of rows)
      if (before.has(row.id) || (await reemit(row)) === null) emitted.add(row.id);
    return emitted;
  }

  /** @returns null if the event was emitted, otherwise the error. Errors are logged once, when the event expires */
  async function reemit({ event, payload }: OutboxRow): Promise<{ error: unknown } | null> {
    try {
      const emit = reemitters[event];
      if (emit === undefined) throw new Error(`the outbox holds an unknown event: ${event}`);
      await emit(payload as never);
      return null;
    } catch (error) {
      return { error };
    }
  }
  return {
    async emit(ids, work) {
      try {
        await work();
        done.push(...ids);
      } catch (error) {
        log(error);
      }
    },
    start(given) {
      reemitters = given;
      timers = [every(DELETE_EVERY_MS, flush, log), every(SWEEP_EVERY_MS, sweep, log)];
    },
    async close() {
      await Promise.all(timers.map((timer) => timer.stop()));
      await flush();
    },
  };
}

interface Dropped extends OutboxRow {
  readonly error: unknown;
}

/** Builds one error for all events that expired together: their names, and for each name the first reason. */
function droppedError(dropped: readonly Dropped[]): Error {
  const reasons = new Map<string, { count: number; reason: string }>();
  for (const { event, error } of dropped) {
    const known = reasons.get(event);
    if (known) known.count++;
    else
      reasons.set(event, {
        count: 1,
        reason: error instanceof Error ? error.message : String(error),
      });
  }
  const list = [...reasons].map(([event, { count, reason }]) => `${count} ${event} (${reason})`);
  return new Error(`events expired before they could be emitted: ${list.join('; ')}`);
}

/**
 * Runs a task repeatedly, never twice at once. A failure is logged, and the next run is the retry.
 * @param pauseMs between the end of a run and the start of the next
 */
export function every(
  pauseMs: number,
  task: () => Promise<unknown>,
  log: (error: unknown) => void,
) {
  let stopped = false;
  let wake = () => {};
  const loop = (async () => {
    while (!stopped) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pauseMs);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      if (stopped) return;
      await task().catch(log);
    }
  })();
  return {
    /** Resolves once no run is in progress and none will follow. */
    async stop() {
      stopped = true;
      wake();
      await loop;
    },
  };
}
