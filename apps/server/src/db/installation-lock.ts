import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../log.ts';
import { ADVISORY_LOCKS } from './advisory-locks.ts';
import type { ConnectionOptions } from './database.ts';
import { ServerClient } from './servers.ts';

/** How often the connection that holds the lock is checked. Milliseconds. */
const BEAT_MS = 1_500;
/** A connection that does not answer within this time is replaced. Milliseconds. */
const ANSWER_MS = 4_000;
/** How long a process may serve after it sent the last heartbeat that was answered. Milliseconds. */
const LEASE_MS = 7_000;
/**
 * PostgreSQL frees the lock after this time without a heartbeat, because the holder is frozen or unreachable. Well above {@link
 * LEASE_MS}, so that the holder has stopped serving before another process can start. Milliseconds.
 */
const FREED_AFTER_MS = 12_000;
/**
 * How long a starting process waits for the lock: longer than PostgreSQL takes to free the lock of a vanished process.
 * Milliseconds.
 */
const WAIT_MS = 20_000;
/** If another process has held the lock for this long, this one exits. Milliseconds. */
const REGAIN_MS = 5_000;
const RETRY_MS = 250;
const WATCH_MS = 100;

/** Whether a process serves its installation alone, or next to other nodes that exchange events through a broker. */
export type Mode = 'alone' | 'node';

const TAKE: Record<Mode, string> = {
  alone: 'select pg_try_advisory_lock($1) as held',
  node: 'select pg_try_advisory_lock_shared($1) as held',
};

const REFUSAL: Record<Mode, string> = {
  alone:
    'another Stagedoor process is running on this database. Stop it first, or give all processes the same REDIS_URL to run several at once.',
  node: 'a Stagedoor process without REDIS_URL is running on this database. Stop it first, or restart it with the same REDIS_URL.',
};

/** Thrown when the lock is held by a process that this one may not run next to. */
class Refused extends Error {}

export interface Hold {
  /** Checks whether this process may serve. Compares times, so that a frozen process notices the loss before serving. */
  isHeld(): boolean;
  /** Shows the other nodes that this process has joined. */
  joined(): Promise<void>;
  /** Calls `listener` each time the lease expires. The lock is then retaken as soon as possible. */
  onLapse(listener: () => void): void;
  release(): Promise<void>;
}

/**
 * Takes the instance lock. It prevents two processes from serving if their events can't reach each other's sockets: a standalone
 * process must be the only one, while nodes can run together. The lock is a lease: PostgreSQL frees it when its holder falls
 * silent, and by then the holder has stopped serving.
 * @param patience milliseconds to wait for the lock
 * @throws Error if the other kind of process, or a second standalone one, is running
 */
export async function holdInstallation(
  connectionOptions: ConnectionOptions,
  mode: Mode,
  log: Logger,
  patience = WAIT_MS,
): Promise<Hold> {
  /** Identifies the lock's connection, so that the next connection can terminate it if PostgreSQL has not noticed the loss. */
  const name = `stagedoor lock ${randomUUID()}`;
  let client: ServerClient | null = null;
  /** When the last answered heartbeat was sent. */
  let provenAt = performance.now();
  let isJoined = false;
  let isReleased = false;
  let isLapsed = false;
  let whenLapsed = () => {};
  let wake = () => {};

  async function connect(): Promise<ServerClient> {
    const opened = new ServerClient({
      ...connectionOptions,
      application_name: name,
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
      options: `-c idle_session_timeout=${FREED_AFTER_MS}`,
    });
    opened.on('end', () => {
      if (client !== opened) return;
      client = null;
      wake();
    });
    await opened.connect();
    return opened;
  }

  const showJoined = (on: ServerClient) =>
    on.query('select pg_advisory_lock_shared($1)', [ADVISORY_LOCKS.joined]);

  /** @throws Refused if another process holds the lock for longer than `within` milliseconds */
  async function acquire(within: number): Promise<void> {
    const opened = await connect();
    try {
      await opened.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where application_name = $1 and pid <> pg_backend_pid()`,
        [name],
      );
      const deadline = performance.now() + within;
      for (let sentAt = performance.now(); !isReleased; sentAt = performance.now()) {
        const { rows } = await opened.query<{ held: boolean }>(TAKE[mode], [
          ADVISORY_LOCKS.installation,
        ]);
        if (rows[0]?.held) {
          if (isJoined) await showJoined(opened);
          provenAt = sentAt;
          client = opened;
          return;
        }
        if (sentAt > deadline) throw new Refused(REFUSAL[mode]);
        await pause(RETRY_MS);
      }
      throw new Error('the lock was released');
    } catch (error) {
      opened.destroy();
      throw error;
    }
  }

  async function beat(): Promise<void> {
    const sentAt = performance.now();
    if (client === null) throw new Error('the connection that holds the lock broke');
    await client.query('select 1');
    provenAt = sentAt;
  }

  /** Resolves once the lock is held again, or was given up for good. */
  async function regain(): Promise<void> {
    while (!isReleased) {
      try {
        await acquire(REGAIN_MS);
        log.info({}, 'holding the instance lock again');
        return;
      } catch (error) {
        if (error instanceof Refused) {
          await release();
          log.error({ err: error }, 'another process has taken over; stopping this one');
          process.exit(1);
        } else await pause(RETRY_MS);
      }
    }
  }

  async function keep(): Promise<void> {
    while (!isReleased) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, BEAT_MS);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      if (isReleased) return;
      try {
        await beat();
      } catch (error) {
        log.warn({ err: error }, 'lost the instance lock; trying to take it again');
        client?.destroy();
        client = null;
        await regain();
      }
    }
  }

  async function release(): Promise<void> {
    isReleased = true;
    clearInterval(watch);
    wake();
    await client?.end();
  }

  const deadline = performance.now() + patience;
  while (client === null) {
    await acquire(deadline - performance.now()).catch(async (error: unknown) => {
      // An embedded database ends with the previous process; this process then starts it again.
      if (error instanceof Refused || performance.now() > deadline) throw error;
      await pause(RETRY_MS);
    });
  }
  const watch = setInterval(() => {
    const wasLapsed = isLapsed;
    isLapsed = performance.now() - provenAt >= LEASE_MS;
    if (isLapsed && !wasLapsed) whenLapsed();
  }, WATCH_MS);
  watch.unref();
  void keep();

  return {
    isHeld: () => client !== null && performance.now() - provenAt < LEASE_MS,
    async joined() {
      isJoined = true;
      if (client !== null) await showJoined(client);
    },
    onLapse(listener) {
      whenLapsed = listener;
    },
    release,
  };
}

/** Counts the processes that serve an installation, including this one once it has joined. */
export const COUNT_JOINED = `select count(*)::int as nodes from pg_locks
  where locktype = 'advisory' and objid = ${ADVISORY_LOCKS.joined} and classid = 0 and objsubid = 1 and granted
    and database = (select oid from pg_database where datname = current_database())`;
