import pg from 'pg';
import type { Logger } from '../log.ts';
import { ADVISORY_LOCKS } from './advisory-locks.ts';
import type { ConnectionOptions } from './database.ts';

/** A process that was killed a moment ago may still be letting go. Milliseconds. */
const WAIT_MS = 10_000;
const RETRY_MS = 250;
/** Without it a link that swallows what is sent would hold up each try for ever. Milliseconds. */
const CONNECT_TIMEOUT_MS = 5_000;

/** Whether a process serves its installation by itself, or beside others to whose sockets events reach by a broker. */
export type Mode = 'alone' | 'node';

const TAKE: Record<Mode, string> = {
  alone: 'select pg_try_advisory_lock($1) as held',
  node: 'select pg_try_advisory_lock_shared($1) as held',
};

const REFUSAL: Record<Mode, string> = {
  alone:
    'another Stagedoor process is running on this database. Stop it first, or let several serve together: each with the same REDIS_URL.',
  node: 'a Stagedoor process without REDIS_URL is running on this database. Stop it, or restart it with this REDIS_URL, first.',
};

export interface Hold {
  /** Shows the others that this process serves, from now on. */
  joined(): Promise<void>;
  release(): Promise<void>;
}

/**
 * Keeps processes apart that would not hear each other: one that serves alone tells only its own sockets what happened, so that
 * beside it nobody else may run; nodes may, beside other nodes. Held by a connection of its own, so that it ends with the process
 * however it ends.
 * @param patience milliseconds
 * @throws Error when the other kind of process, or a second one alone, is there
 */
export async function holdInstallation(
  connectionOptions: ConnectionOptions,
  mode: Mode,
  log: Logger,
  patience = WAIT_MS,
): Promise<Hold> {
  let released = false;
  let isJoined = false;
  let client = await acquire(connectionOptions, mode, patience, onLost);

  function onLost(error: Error): void {
    if (released) return;
    log.warn({ err: error }, 'lost the lock on the installation; taking it again');
    void (async () => {
      while (!released) {
        try {
          client = await acquire(connectionOptions, mode, patience, onLost);
          if (isJoined) await showJoined();
          return;
        } catch (failure) {
          log.warn({ err: failure }, 'the lock on the installation is not back yet');
          await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
        }
      }
    })();
  }

  const showJoined = () =>
    client.query('select pg_advisory_lock_shared($1)', [ADVISORY_LOCKS.joined]);

  return {
    async joined() {
      isJoined = true;
      await showJoined();
    },
    async release() {
      released = true;
      await client.end();
    },
  };
}

/** Counts the processes that serve an installation, this one included once it has joined. */
export const COUNT_JOINED = `select count(*)::int as nodes from pg_locks
  where locktype = 'advisory' and objid = ${ADVISORY_LOCKS.joined} and classid = 0 and objsubid = 1 and granted
    and database = (select oid from pg_database where datname = current_database())`;

async function acquire(
  connectionOptions: ConnectionOptions,
  mode: Mode,
  patience: number,
  onLost: (error: Error) => void,
): Promise<pg.Client> {
  const client = new pg.Client({
    ...connectionOptions,
    application_name: 'stagedoor lock',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  let held = false;
  client.on('error', (error) => {
    if (held) onLost(error);
  });
  await client.connect();
  const deadline = Date.now() + patience;
  for (;;) {
    const result = await client.query<{ held: boolean }>(TAKE[mode], [ADVISORY_LOCKS.installation]);
    if (result.rows[0]?.held) {
      held = true;
      return client;
    }
    if (Date.now() > deadline) {
      await client.end();
      throw new Error(REFUSAL[mode]);
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}
