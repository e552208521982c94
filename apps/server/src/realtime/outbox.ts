import type { Database } from '../db/database.ts';

/** Events are swept up once they are this old: their node died between the commit and the emit. Milliseconds. */
const SWEEP_AFTER_MS = 1_000;
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
  /** Ends the timers, after the notes so far are written. */
  close(): Promise<void>;
}

/**
 * @param reemitters asked at each sweep; receivers drop what they have seen already
 */
export function startOutbox(
  db: Database,
  reemitters: () => Reemitters,
  log: (error: unknown) => void,
): Outbox {
  let done: number[] = [];
  const flush = async () => {
    if (done.length === 0) return;
    const ids = done;
    done = [];
    await db.run(
      { name: 'outbox_delete', text: 'delete from outbox where id = any($1::bigint[])' },
      [ids],
    );
  };
  const sweep = async () => {
    await flush();
    let after = 0;
    // What can't be told stays behind, in whatever numbers, and holds up none of those after it.
    for (let swept = SWEEP_BATCH; swept === SWEEP_BATCH; ) {
      const rows = await db.run<OutboxRow>(
        {
          name: 'outbox_sweep',
          text: `select id, event, payload from outbox
            where id > $1 and created_at < now() - interval '${SWEEP_AFTER_MS} milliseconds'
            order by id limit ${SWEEP_BATCH}`,
        },
        [after],
      );
      for (const row of rows) await tellAgain(row);
      after = rows.at(-1)?.id ?? after;
      swept = rows.length;
    }
  };
  async function tellAgain({ id, event, payload }: OutboxRow): Promise<void> {
    try {
      const emit = reemitters()[event];
      if (emit === undefined) throw new Error(`the outbox holds an unknown event: ${event}`);
      await emit(payload as never);
      done.push(id);
    } catch (error) {
      log(error);
    }
  }
  const flushing = every(DELETE_EVERY_MS, flush, log);
  const sweeping = every(SWEEP_EVERY_MS, sweep, log);
  return {
    emitted: (ids) => void done.push(...ids),
    async close() {
      await Promise.all([flushing.stop(), sweeping.stop()]);
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
