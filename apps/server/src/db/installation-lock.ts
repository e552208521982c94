import pg from 'pg';
import type { Logger } from '../log.ts';
import type { ConnectionOptions } from './database.ts';

/** Any number, the same for every version: it names this lock in PostgreSQL. */
const LOCK = 7_238_411;
/** A process that was killed a moment ago may still be letting go. Milliseconds. */
const WAIT_MS = 10_000;
const RETRY_MS = 250;
/** Without it a link that swallows what is sent would hold up each try for ever. Milliseconds. */
const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Keeps a second process off the installation: each process tells only its own sockets what happened, so that two would
 * leave half of the staff behind. Held by a connection of its own, so that it ends with the process however it ends.
 * @returns the way to let go
 * @throws Error when another process holds it
 */
export async function holdInstallation(
  connectionOptions: ConnectionOptions,
  log: Logger,
): Promise<() => Promise<void>> {
  let released = false;
  let client = await acquire(connectionOptions, onLost);

  function onLost(error: Error): void {
    if (released) return;
    log.warn({ err: error }, 'lost the lock on the installation; taking it again');
    void (async () => {
      while (!released) {
        try {
          client = await acquire(connectionOptions, onLost);
          return;
        } catch (failure) {
          log.warn({ err: failure }, 'the lock on the installation is not back yet');
          await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
        }
      }
    })();
  }

  return async () => {
    released = true;
    await client.end();
  };
}

async function acquire(
  connectionOptions: ConnectionOptions,
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
  const deadline = Date.now() + WAIT_MS;
  for (;;) {
    const result = await client.query<{ held: boolean }>(
      'select pg_try_advisory_lock($1) as held',
      [LOCK],
    );
    if (result.rows[0]?.held) {
      held = true;
      return client;
    }
    if (Date.now() > deadline) {
      await client.end();
      throw new Error('another Stagedoor process is running on this database. Stop it first.');
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}
