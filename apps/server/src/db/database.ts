import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { watchLink } from './link-watch.ts';
import type { Tables, Tx } from './tables.ts';
import { type Call, type Statement, Together } from './together.ts';

// Counts and sums; all of ours stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export type { Statement };

/** How to reach PostgreSQL: a URL, or the socket of the embedded server. */
export type ConnectionOptions =
  | { readonly connectionString: string }
  | { readonly host: string; readonly user: string; readonly database: string };

/** The installation's database, used by all stores. */
export interface Database {
  /** The query builder, for statements that the program builds. */
  readonly kysely: Kysely<Tables>;
  /** Runs a frequent statement as a prepared one: planned once per connection instead of once per call. */
  run<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;
  /** Runs several prepared statements in one transaction and one round trip. @returns the rows of each */
  runTogether<Row>(calls: readonly Call[]): Promise<Row[][]>;
  /** Runs a statement whose best plan depends on its values; planned at each call. */
  runPlanned<Row>(text: string, values: readonly unknown[]): Promise<Row[]>;
  readonly connectionOptions: ConnectionOptions;
  /** Refuses statements from now on while `mayServe` returns false, see {@link isUnavailable}. */
  fence(mayServe: () => boolean): void;
  /** The pool's connections, idle connections, and callers waiting for one. */
  poolState(): { total: number; idle: number; waiting: number };
  close(): Promise<void>;
}

const POOL_SIZE = 16;
/** How long a caller waits for a connection before the database counts as unavailable. Milliseconds. */
const CONNECT_TIMEOUT_MS = 5_000;
/** How long a slow, frozen or unreachable caller can block others. Longer work must use {@link unhurried}. */
const LIMITS = {
  statement_timeout: '30s',
  // Longer than a frozen transaction lives, so that callers waiting for its lock still get it.
  lock_timeout: '8s',
  idle_in_transaction_session_timeout: '4s',
  // The locks of an unreachable process are freed after five seconds.
  tcp_keepalives_idle: 3,
  tcp_keepalives_interval: 1,
  tcp_keepalives_count: 2,
};
/**
 * Timestamps are returned as ISO text in UTC whatever the server's time zone. JIT is off, because no statement of ours runs long
 * enough to benefit. `random_page_cost` is low, because the data is in memory or on an SSD; with PostgreSQL's default it would
 * scan a whole table rather than read a few hundred rows by an index.
 */
const SESSION_OPTIONS = Object.entries({
  timezone: 'UTC',
  jit: 'off',
  random_page_cost: 1.1,
  ...LIMITS,
})
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ');

/** Opens the database. @param log called with errors of idle connections, which the pool replaces */
export function openDatabase(
  connectionOptions: ConnectionOptions,
  log: (error: Error) => void,
): Database {
  const pool = new pg.Pool({
    ...connectionOptions,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'stagedoor',
    options: SESSION_OPTIONS,
  });
  const watch = watchLink(pool, connectionOptions);
  let closing = false;
  // Without a listener, an idle connection that breaks would end the process. While closing, such errors are expected.
  pool.on('error', (error) => {
    if (!closing) log(error);
  });
  // The same applies between two statements of a transaction: the next statement fails, and so does the transaction.
  pool.on('connect', (client) => client.on('error', () => undefined));
  let mayServe = () => true;
  const open = (): pg.Pool => {
    if (!mayServe()) throw new Fenced('this process does not hold the instance lock');
    return pool;
  };
  const kysely = new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: {
        connect: async () => open().connect(),
        end: () => pool.end(),
        options: pool.options,
      },
    }),
  });
  return {
    kysely,
    connectionOptions,
    fence(condition) {
      mayServe = condition;
    },
    async run<Row>(statement: Statement, values: readonly unknown[]) {
      const result = await open().query({
        name: statement.name,
        text: statement.text,
        values: [...values],
      });
      return result.rows as Row[];
    },
    // The driver's types don't know that its pool accepts custom queries.
    runTogether: async <Row>(calls: readonly Call[]) =>
      open().query(new Together(calls)) as unknown as Promise<Row[][]>,
    async runPlanned<Row>(text: string, values: readonly unknown[]) {
      const result = await open().query(text, [...values]);
      return result.rows as Row[];
    },
    poolState: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close() {
      closing = true;
      watch.stop();
      return kysely.destroy();
    },
  };
}

/** Runs SQL text with its values within a transaction. */
export async function runIn<Row>(tx: Tx, text: string, values: readonly unknown[]): Promise<Row[]> {
  const { rows } = await tx.executeQuery<Row>(CompiledQuery.raw(text, [...values]));
  return rows;
}

/**
 * Does work of any length on one connection without time limits: schema upgrades, sums over years. Not for work that holds a lock
 * that a caller may wait for.
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

/** This process may not use the database at the moment. */
class Fenced extends Error {}

/** Checks whether the database could not be reached, or is starting, stopping or full, as opposed to rejecting a statement. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // Fatal: the connection has ended, or was never established. Classes: 08 connection, 40 rolled back because of another
  // transaction, such as a schema upgrade, 53 insufficient resources, 57P operator intervention. 55P03 and 57014 are our own time
  // limits.
  if (error instanceof pg.DatabaseError)
    return error.severity === 'FATAL' || /^(08|40|53|55P03|57014|57P)/.test(code);
  return (
    error instanceof Fenced ||
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
