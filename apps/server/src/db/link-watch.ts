import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import pg from 'pg';
import { ServerClient, type ServerOptions } from './servers.ts';

const POLL_MS = 500;
/**
 * A statement is checked after this many consecutive polls in which the database sent nothing. Polls are counted instead of time:
 * after this process or its machine was suspended, answers may have arrived that were not read yet.
 */
const SILENT_POLLS = 4;
/** The number of polls within which the database must answer the check. */
const ANSWER_POLLS = 8;

/** Fields of the driver's connection that its types omit. */
type Connection = ServerClient & {
  readonly processID: number | null;
  readonly readyForQuery: boolean | null;
  readonly connection: { readonly stream: Socket };
};

interface Silence {
  readonly read: number;
  readonly polls: number;
}

/**
 * Destroys connections that will never answer. If the network drops everything silently, the driver sees only a slow statement, and
 * its caller would wait forever. So a new connection asks the database whether it is still working on the statement. If not, or if
 * the database doesn't answer, the silent connection is destroyed: its caller gets an error, and the pool opens a new connection.
 * Slow statements are left alone.
 * @param probe the settings of the new connection
 */
export function watchLink(pool: pg.Pool, probe: ServerOptions): { stop(): void } {
  const used = new Map<Connection, Silence | null>();
  const idle = new Set<Connection>();
  pool.on('acquire', (client) => {
    idle.delete(client as unknown as Connection);
    used.set(client as unknown as Connection, null);
  });
  pool.on('release', (_error, client) => {
    used.delete(client as unknown as Connection);
    idle.add(client as unknown as Connection);
  });
  pool.on('remove', (client) => {
    used.delete(client as unknown as Connection);
    idle.delete(client as unknown as Connection);
  });

  let probing: { readonly client: ServerClient; polls: number } | null = null;
  const timer = setInterval(() => {
    if (probing !== null && ++probing.polls > ANSWER_POLLS) probing.client.destroy();
    for (const client of used.keys()) poll(client);
    const [first, ...others] = [...used.keys()].filter(isSilent);
    if (first === undefined || probing !== null) return;
    const silent = [first, ...others.filter(({ server }) => server === first.server)];
    void endLost(silent);
  }, POLL_MS);
  timer.unref();

  function poll(client: Connection): void {
    const read = client.connection.stream.bytesRead;
    const known = used.get(client);
    if (client.readyForQuery !== false) used.set(client, null);
    else used.set(client, { read, polls: known?.read === read ? known.polls + 1 : 0 });
  }

  const isSilent = (client: Connection): boolean => {
    const known = used.get(client);
    return (
      client.readyForQuery === false &&
      known?.read === client.connection.stream.bytesRead &&
      known.polls >= SILENT_POLLS
    );
  };

  async function endLost(silent: readonly Connection[]): Promise<void> {
    const unasked = await idleAmong(silent);
    // Gives the event loop a turn to read answers that have arrived.
    await turn();
    const lost = silent.filter(
      (client) =>
        (unasked === 'none answers' || unasked.has(client.processID ?? 0)) && isSilent(client),
    );
    // Idle connections are probably dead too, and their next caller would wait just as long.
    const suspect = lost.length > 0 ? [...lost, ...idle] : [];
    for (const client of suspect) client.destroy();
  }

  /** Returns the ids of the clients' server processes that are idle. */
  async function idleAmong(
    clients: readonly Connection[],
  ): Promise<ReadonlySet<number> | 'none answers'> {
    const pids = clients.map(({ processID }) => processID);
    const server = clients[0]?.server ?? null;
    const client = new ServerClient({ ...probe, server });
    probing = { client, polls: 0 };
    try {
      await client.connect();
      const { rows } = await client.query<{ pid: number }>(
        `select pid from pg_stat_activity where pid = any($1::int[]) and state like 'idle%'`,
        [pids],
      );
      return new Set(rows.map(({ pid }) => pid));
    } catch (error) {
      // A database that answers with an error, because it is full or starting, is reachable.
      return error instanceof pg.DatabaseError ? new Set() : 'none answers';
    } finally {
      probing = null;
      client.destroy();
    }
  }

  return { stop: () => clearInterval(timer) };
}
