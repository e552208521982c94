import type { Runner } from './pool.ts';

/** How often the replica's lag is checked. Milliseconds. */
const CHECK_MS = 1_000;
/** A replica further behind than this is not used. Milliseconds. */
const BEHIND_MAX_MS = 5_000;

interface Position {
  readonly at: number;
  /** The length of the writer's log at that time, in bytes. */
  readonly written: number;
}

/**
 * Watches how far a replica is behind. Records the position in the writer's log once a second: the replica is as recent as the
 * newest of these positions that it has applied. This needs no synchronized clocks, and works while nothing is written. A server
 * with another system identifier is never fit: its positions belong to another log.
 * @param log called each time the replica becomes recent enough, or too old, to be read
 */
export function watchReplica(
  replica: Runner,
  writer: Runner,
  log: (isFit: boolean) => void,
): { isFit(): boolean; stop(): void } {
  let positions: Position[] = [];
  /** The replica contains everything that was committed before this time. */
  let asOf = Number.NEGATIVE_INFINITY;
  let wasFit: boolean | null = null;
  let isChecking = false;
  const isFit = () => performance.now() - asOf < BEHIND_MAX_MS;

  async function check(): Promise<void> {
    const at = performance.now();
    const [now] = await writer.run<{ written: number; cluster: string }>(WRITTEN, []);
    if (now === undefined) return;
    // After a failover, the new writer's log may be shorter. Positions beyond its end are dropped.
    const isUseful = (position: Position) =>
      position.written <= now.written && at - position.at < BEHIND_MAX_MS;
    positions = [...positions.filter(isUseful), { at, written: now.written }];
    const [state] = await replica.run<{ applied: number; cluster: string }>(APPLIED, []);
    if (state?.cluster !== now.cluster) {
      asOf = Number.NEGATIVE_INFINITY;
      return;
    }
    const newest = positions.findLast(({ written }) => written <= state.applied);
    if (newest !== undefined) asOf = newest.at;
  }

  const timer = setInterval(() => {
    if (!isChecking) {
      isChecking = true;
      check()
        // If checks keep failing, `asOf` soon makes the replica unfit.
        .catch(() => undefined)
        .finally(() => {
          isChecking = false;
        });
    }
    if (isFit() === wasFit) return;
    wasFit = isFit();
    log(wasFit);
  }, CHECK_MS);
  timer.unref();
  return { isFit, stop: () => clearInterval(timer) };
}

/** The identifier that a server shares with its replicas. Text, because it exceeds JavaScript's safe integers. */
const CLUSTER = '(select system_identifier from pg_control_system())::text as cluster';
const WRITTEN = {
  name: 'log_written',
  text: `select (pg_current_wal_lsn() - '0/0'::pg_lsn)::bigint as written, ${CLUSTER}`,
};
/** The log position that the replica has applied. A promoted replica no longer replays a log; its own write position counts. */
const APPLIED = {
  name: 'log_applied',
  text: `select ((case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end)
      - '0/0'::pg_lsn)::bigint as applied, ${CLUSTER}`,
};
