import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

/** Events are swept up once they are this old: their node died between the commit and the emit, or reached no other. */
const OVERDUE = "interval '1 second'";
/** Older ones are not told any more once nodes that had lost each other are together again. */
const STALE = "interval '1 minute'";
/** From an event's first emit to its last: fans are told after staff. Milliseconds. */
const EMITTED_WITHIN_MS = 10_000;
const SWEEP_EVERY_MS = 1_000;
const SWEEP_BATCH = 200;
/** Events that still can't be emitted by then never will be: their rows are deleted. */
const EXPIRES = "interval '1 hour'";
/** Emitted events' rows are deleted together, this often. */
const DELETE_EVERY_MS = 50;

/** An event as the transaction that caused it wrote it down. */
interface OutboxRow {
  readonly id: number;
  readonly event: string;
  readonly payload: unknown;
}

interface SweptRow extends OutboxRow {
  readonly is_expired: boolean;
}

/** By event name: emits an event from its payload, which the feature's own transaction wrote. */
export type Reemitters = Readonly<Record<string, (payload: never) => Promise<void> | void>>;

/** Makes sure that what was committed is told: by the node that did it at once, or else by a sweep of any node. */
export interface Outbox {
  /**
   * Emits committed events and has their rows deleted. A failure is logged, and a sweep emits them later: the call that caused
   * them is complete and does not fail.
   */
  emit(ids: readonly number[], work: () => Promise<void> | void): Promise<void>;
  /** Begins to sweep. Receivers drop what they have seen already. */
  start(reemitters: Reemitters): void;
  /** Ends the timers, after the notes so far are written. */
  close(): Promise<void>;
}

/** Whether what is emitted reaches the sockets of all nodes; where there is one node, it does. */
export interface Reach {
  isUp(): boolean;
  /** Whether everything that was emitted since a time of `performance.now()` got there, once that is known. */
  accepted(since: number): Promise<boolean>;
}

export const ONE_NODE: Reach = { isUp: () => true, accepted: async () => true };

interface OutboxDependencies {
  readonly db: Database;
  readonly reach: Reach;
  readonly log: (error: unknown) => void;
  /** Counts events that expired. */
  readonly expired: (count: number) => void;
}

/**
 * Only what reached all nodes leaves the outbox. While other nodes are out of reach, each tells its own sockets what the others
 * have written there.
 */
export function createOutbox({ db, reach, log, expired }: OutboxDependencies): Outbox {
  let reemitters: Reemitters = {};
  let timers: { stop(): Promise<void> }[] = [];
  let done: number[] = [];
  /** What this node's sockets were told while the others were out of reach, of what is not too old to be told again. */
  let toldHere: ReadonlySet<number> | null = null;
  const flush = async () => {
    if (done.length === 0) return;
    const ids = done;
    done = [];
    // The sweep tells again what did not get through.
    if (!(await reach.accepted(performance.now() - EMITTED_WITHIN_MS))) return;
    await db.run(
      { name: 'outbox_delete', text: 'delete from outbox where id = any($1::bigint[])' },
      [ids],
    );
  };
  const sweep = async () => {
    await flush();
    if (!reach.isUp()) {
      toldHere = await tellHere(toldHere ?? new Set());
      return;
    }
    if (toldHere !== null) {
      // Whoever was connected meanwhile was told by their own node, or is about to fetch everything anew.
      await db.runPlanned(`delete from outbox where created_at < now() - ${STALE}`, []);
      toldHere = null;
    }
    let after = 0;
    // What can't be told stays behind, in whatever numbers, and holds up none of those after it.
    for (let full = true; full; ) {
      const batch = await tellBatch(after);
      after = batch.last;
      full = batch.count === SWEEP_BATCH;
    }
  };

  /** Tells what lies there for too long. What another node is just telling is left to it. */
  async function tellBatch(after: number): Promise<{ last: number; count: number }> {
    const { dropped, ...batch } = await db.kysely.transaction().execute(async (tx) => {
      // Idle while it emits; nobody waits for these rows.
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
      const told: number[] = [];
      const dropped: Dropped[] = [];
      for (const row of rows) {
        const failure = await tellAgain(row);
        if (failure === null) told.push(row.id);
        else if (row.is_expired) dropped.push({ ...row, ...failure });
      }
      const reached = told.length > 0 && (await reach.accepted(begun));
      const done = [...(reached ? told : []), ...dropped.map(({ id }) => id)];
      if (done.length > 0) await tx.deleteFrom('outbox').where('id', 'in', done).execute();
      return { last: rows.at(-1)?.id ?? after, count: rows.length, dropped };
    });
    if (dropped.length > 0) {
      expired(dropped.length);
      log(droppedError(dropped));
    }
    return batch;
  }

  /** @returns what this node's sockets have been told by now */
  async function tellHere(before: ReadonlySet<number>): Promise<ReadonlySet<number>> {
    const rows = await db.run<OutboxRow>(
      {
        name: 'outbox_meanwhile',
        text: `select id, event, payload from outbox
          where created_at < now() - ${OVERDUE} and created_at > now() - ${STALE} order by id`,
      },
      [],
    );
    const told = new Set<number>();
    for (const row of rows)
      if (before.has(row.id) || (await tellAgain(row)) === null) told.add(row.id);
    return told;
  }

  /** @returns why it could not be told; null where it was. Said once, when it expires, and not at each try */
  async function tellAgain({ event, payload }: OutboxRow): Promise<{ error: unknown } | null> {
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

/** One line for all that expired together: which events, and why the first of each could not be emitted. */
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
 * Runs a task again and again, never twice at once; a failure is logged and the next run is its retry.
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
    /** Resolves once no run is under way and none will follow. */
    async stop() {
      stopped = true;
      wake();
      await loop;
    },
  };
}
