import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { openPool, type Runner, runnerOn } from './pool.ts';
import { watchReplica } from './replica.ts';
import { Servers, Unavailable } from './servers.ts';
import type { Tables, Tx } from './tables.ts';
import type { Statement } from './together.ts';

// We use int8 for counts and sums, which stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export type { Statement };

/** How to reach PostgreSQL: a URL, or the socket of the embedded server. */
export type ConnectionOptions =
  | { readonly connectionString: string; readonly servers?: Servers }
  | { readonly host: string; readonly user: string; readonly database: string };

/** A database on which statements can be run: the writer or a replica. */
export interface Source extends Runner {
  /** The query builder, for statements that are not written as text. */
  readonly kysely: Kysely<Tables>;
}

/** The installation's database, used by all stores. */
export interface Database extends Source {
  /**
   * Runs `work` on the replica, whose data may be a few seconds old. Without a replica, or if the replica is behind, runs `work` on
   * this database. If the replica becomes unavailable, runs `work` a second time, on this database.
   */
  readStale<T>(work: (source: Source) => Promise<T>): Promise<T>;
  readonly connectionOptions: ConnectionOptions;
  /** Rejects statements from now on while `mayServe` returns false, with an error that {@link isUnavailable} recognizes. */
  fence(mayServe: () => boolean): void;
  /** Returns the number of connections in the pool, of idle connections, and of callers that wait for a connection. */
  poolState(): { total: number; idle: number; waiting: number };
  close(): Promise<void>;
}

const POOL_SIZE = 16;
const REPLICA_POOL_SIZE = 8;

/** A replica of the server that accepts writes. */
export interface Replica {
  readonly url: string;
  /** Called each time the replica becomes recent enough, or too old, to be read. */
  readonly changed: (isFit: boolean) => void;
}

/** Opens the database. @param log called with errors of idle connections, which the pool replaces */
export function openDatabase(
  connectionOptions: ConnectionOptions,
  log: (error: Error) => void,
  replica: Replica | null = null,
): Database {
  const connection =
    'connectionString' in connectionOptions && connectionOptions.servers === undefined
      ? new Servers(connectionOptions.connectionString, 'writer').options()
      : connectionOptions;
  const writing = openPool(connection, POOL_SIZE, log);
  const { pool } = writing;
  let mayServe = () => true;
  const guarded = (opened: pg.Pool) => (): pg.Pool => {
    if (!mayServe()) throw new Unavailable('this process does not hold the instance lock');
    return opened;
  };
  const writer = sourceOn(guarded(pool));
  const reading =
    replica && openPool(new Servers(replica.url, 'any').options(), REPLICA_POOL_SIZE, log);
  const reader = reading && sourceOn(guarded(reading.pool));
  const watch = replica && reader && watchReplica(reader, writer, replica.changed);
  return {
    ...writer,
    async readStale(work) {
      if (reader === null || !watch?.isFit()) return work(writer);
      try {
        return await work(reader);
      } catch (error) {
        if (!isUnavailable(error) || tookTooLong(error)) throw error;
        return work(writer);
      }
    },
    connectionOptions: connection,
    fence(condition) {
      mayServe = condition;
    },
    poolState: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    async close() {
      watch?.stop();
      await Promise.all([writing.close(), reading?.close()]);
    },
  };
}

const sourceOn = (open: () => pg.Pool): Source => ({
  ...runnerOn(open),
  kysely: new Kysely<Tables>({
    dialect: new PostgresDialect({
      // The pool is closed separately.
      pool: { connect: async () => open().connect(), end: async () => undefined, options: {} },
    }),
  }),
});

/** Runs SQL text with its values within a transaction. */
export async function runIn<Row>(tx: Tx, text: string, values: readonly unknown[]): Promise<Row[]> {
  const { rows } = await tx.executeQuery<Row>(CompiledQuery.raw(text, [...values]));
  return rows;
}

/**
 * Runs `work` on one connection without time limits, for schema upgrades and sums over years. The work must not hold a lock that a
 * caller may wait for.
 */
export function unhurried<T>(
  db: Kysely<Tables>,
  work: (connection: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  return db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0`.execute(
      connection,
    );
    try {
      return await work(connection);
    } finally {
      await sql`reset statement_timeout; reset lock_timeout; reset idle_in_transaction_session_timeout`.execute(
        connection,
      );
    }
  });
}

/** Checks whether an error is PostgreSQL's rejection of a row that violates the named unique or foreign key. */
export function violates(error: unknown, constraint: string): boolean {
  if (!(error instanceof pg.DatabaseError) || error.constraint !== constraint) return false;
  return error.code === '23505' || error.code === '23503';
}

const CONNECTION_ERRORS = new Set([
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EAI_AGAIN',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

/** Checks whether the database could not be reached, or is starting, stopping or full, as opposed to rejecting a statement. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // Fatal: the connection has ended, or was never established. Classes: 08 connection, 40 rolled back because of another
  // transaction, such as a schema upgrade, 53 insufficient resources, 57P operator intervention. 25006: the server has stopped
  // taking writes. 55P03 and 57014 are our own time limits.
  if (error instanceof pg.DatabaseError)
    return error.severity === 'FATAL' || /^(08|25006|40|53|55P03|57014|57P)/.test(code);
  return (
    error instanceof Unavailable ||
    CONNECTION_ERRORS.has(code) ||
    /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/.test(
      error.message,
    )
  );
}

/** Checks whether PostgreSQL canceled a statement because of its time limit. */
export const tookTooLong = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '57014';

/** Checks whether PostgreSQL's disk is full. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '53100';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Checks whether a caller's id is a UUID. PostgreSQL answers any other text with an error instead of no row. */
export const isUuid = (value: string): boolean => UUID.test(value);
