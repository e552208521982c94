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
/** Emitted events' rows are deleted together, this often. */
const DELETE_EVERY_MS = 50;

/** An event as the transaction that caused it wrote it down. */
interface OutboxRow {
  readonly id: number;
  readonly event: string;
  readonly payload: unknown;
}

/** By event name: emits an event from its payload, which the feature's own transaction wrote. */
export type Reemitters = Readonly<Record<string, (payload: never) => Promise<void> | void>>;

/** Makes sure that what was committed is told: by the node that did it at once, or else by a sweep of any node. */
export interface Outbox {
  /** Notes that these were emitted. */
  emitted(ids: readonly number[]): void;
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
}

/**
 * Only what reached all nodes leaves the outbox. While other nodes are out of reach, each tells its own sockets what the others
 * have written there.
 */
export function createOutbox({ db, reach, log }: OutboxDependencies): Outbox {
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
  function tellBatch(after: number): Promise<{ last: number; count: number }> {
    return db.kysely.transaction().execute(async (tx) => {
      const rows = await tx
        .selectFrom('outbox')
        .select(['id', 'event', 'payload'])
        .where('id', '>', after)
        .where('created_at', '<', sql<Date>`now() - ${sql.raw(OVERDUE)}`)
        .orderBy('id')
        .limit(SWEEP_BATCH)
        .forUpdate()
        .skipLocked()
        .execute();
      const begun = performance.now();
      const told: number[] = [];
      for (const row of rows) if (await tellAgain(row)) told.push(row.id);
      if (told.length > 0 && (await reach.accepted(begun))) {
        await tx.deleteFrom('outbox').where('id', 'in', told).execute();
      }
      return { last: rows.at(-1)?.id ?? after, count: rows.length };
    });
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
    for (const row of rows) if (before.has(row.id) || (await tellAgain(row))) told.add(row.id);
    return told;
  }

  /** @returns whether it could be told */
  async function tellAgain({ event, payload }: OutboxRow): Promise<boolean> {
    try {
      const emit = reemitters[event];
      if (emit === undefined) throw new Error(`the outbox holds an unknown event: ${event}`);
      await emit(payload as never);
      return true;
    } catch (error) {
      log(error);
      return false;
    }
  }
  return {
    emitted: (ids) => void done.push(...ids),
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
