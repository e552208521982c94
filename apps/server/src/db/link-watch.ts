import type { Socket } from 'node:net';
import pg from 'pg';

const LOOK_MS = 500;
/** A statement that has waited so long without a byte from the database is asked after. Milliseconds. */
const SILENT_MS = 2_000;
/** The database says within this whether it is there. Milliseconds. */
const ANSWER_MS = 2_000;

/** What the driver keeps of a connection and does not declare. */
type Connection = pg.PoolClient & {
  readonly processID: number | null;
  readonly readyForQuery: boolean | null;
  readonly connection: { readonly stream: Socket };
};

interface Silence {
  read: number;
  since: number;
}

/**
 * Ends connections on which no answer will come. A link that swallows what is sent looks to the driver like a statement that
 * takes long, and its caller would wait for ever. So the database is asked on a new connection: where it does not answer, or
 * is not working on what the silent connection asked for, that connection is broken, its caller is told, and the pool goes on.
 * Statements that do take long are left alone.
 * @param probe how that new connection is made
 */
export function watchLink(pool: pg.Pool, probe: pg.ClientConfig): { stop(): void } {
  const used = new Map<Connection, Silence | null>();
  const idle = new Set<Connection>();
  pool.on('acquire', (client) => {
    idle.delete(client as Connection);
    used.set(client as Connection, null);
  });
  pool.on('release', (_error, client) => {
    used.delete(client as Connection);
    idle.add(client as Connection);
  });
  pool.on('remove', (client) => {
    used.delete(client as Connection);
    idle.delete(client as Connection);
  });

  let asking = false;
  const timer = setInterval(() => {
    const silent = [...used.keys()].filter(isSilent);
    if (silent.length === 0 || asking) return;
    asking = true;
    void endLost(silent).finally(() => {
      asking = false;
    });
  }, LOOK_MS);
  timer.unref();

  function isSilent(client: Connection): boolean {
    const read = client.connection.stream.bytesRead;
    const known = used.get(client);
    if (client.readyForQuery !== false) used.set(client, null);
    else if (known?.read !== read) used.set(client, { read, since: Date.now() });
    else return Date.now() - known.since >= SILENT_MS;
    return false;
  }

  async function endLost(silent: readonly Connection[]): Promise<void> {
    const unasked = await idleAmong(silent.map(({ processID }) => processID ?? 0));
    const lost = silent.filter(
      (client) =>
        (unasked === 'none answers' || unasked.has(client.processID ?? 0)) &&
        // An answer may have come meanwhile.
        isSilent(client),
    );
    // Those that nobody uses are no better, and whoever took one next would wait as long again.
    const suspect = lost.length > 0 ? [...lost, ...idle] : [];
    for (const { connection } of suspect) connection.stream.destroy();
  }

  /** Those of the database's processes that have nothing to do. */
  async function idleAmong(pids: readonly number[]): Promise<ReadonlySet<number> | 'none answers'> {
    const client = new pg.Client({ ...probe, connectionTimeoutMillis: ANSWER_MS });
    client.on('error', () => undefined);
    const late = setTimeout(() => streamOf(client).destroy(), ANSWER_MS);
    try {
      await client.connect();
      const { rows } = await client.query<{ pid: number }>(
        `select pid from pg_stat_activity where pid = any($1::int[]) and state like 'idle%'`,
        [pids],
      );
      return new Set(rows.map(({ pid }) => pid));
    } catch (error) {
      // A database that says no, because it is full or starting, is there.
      return error instanceof pg.DatabaseError ? new Set() : 'none answers';
    } finally {
      clearTimeout(late);
      streamOf(client).destroy();
    }
  }

  return { stop: () => clearInterval(timer) };
}

/** The socket of a connection, which the driver keeps to itself. */
export const streamOf = (client: pg.Client): Socket =>
  (client as unknown as Connection).connection.stream;
