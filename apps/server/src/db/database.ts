import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { watchLink } from './link-watch.ts';
import type { Tables } from './tables.ts';
import { type Call, Together } from './together.ts';

// Counts and sums: all of ours stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** A statement that each connection prepares once, under its name; `name` is unique in the program. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Where PostgreSQL is: a URL, or the socket of the embedded one. */
export type ConnectionOptions =
  | { readonly connectionString: string }
  | { readonly host: string; readonly user: string; readonly database: string };

/** The installation's one database, as every store uses it. */
export interface Database {
  /** For statements that the program builds. */
  readonly kysely: Kysely<Tables>;
  /** For the hot ones, prepared: planned once a connection instead of once a call. */
  run<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;
  /** Several of the hot ones in one transaction and one round trip. @returns the rows of each */
  runTogether<Row>(calls: readonly Call[]): Promise<Row[][]>;
  /** For those whose best plan hangs on their values; planned at each call. */
  runPlanned<Row>(text: string, values: readonly unknown[]): Promise<Row[]>;
  readonly connectionOptions: ConnectionOptions;
  /** From now on refuses statements while `mayServe` says no, see {@link isUnavailable}. */
  fence(mayServe: () => boolean): void;
  /** Connections of the pool: in use, idle, and callers waiting for one. */
  poolState(): { total: number; idle: number; waiting: number };
  close(): Promise<void>;
}

const POOL_SIZE = 16;
/** Milliseconds that a caller waits for a connection before it is told that the database is not available. */
const CONNECT_TIMEOUT_MS = 5_000;
/**
 * How long others may have to wait for one caller, whether it is slow, frozen or unreachable. Longer work is done by
 * {@link unhurried}.
 */
const LIMITS = {
  statement_timeout: '30s',
  // Longer than a frozen transaction lives: whoever waits for it gets the lock after all.
  lock_timeout: '8s',
  idle_in_transaction_session_timeout: '4s',
  // A process that can no longer be reached has let go of its locks five seconds later.
  tcp_keepalives_idle: 3,
  tcp_keepalives_interval: 1,
  tcp_keepalives_count: 2,
};
/**
 * Timestamps leave as ISO texts in UTC whatever the server's own zone. No statement of ours runs long enough for its
 * compilation to pay. What they read is in memory or on a disk without a head to move, which PostgreSQL doesn't expect: it
 * would rather read a whole table than a few hundred rows of it by an index.
 */
const SESSION_OPTIONS = Object.entries({
  timezone: 'UTC',
  jit: 'off',
  random_page_cost: 1.1,
  ...LIMITS,
})
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ');

/** @param log hears of connections that broke while idle; the pool replaces them */
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
  // Without a listener a connection that breaks while idle ends the process. Saying goodbye to a database that is going
  // down too is no news.
  pool.on('error', (error) => {
    if (!closing) log(error);
  });
  // Nor may one that breaks between two statements of a transaction: the next of them fails, and with it the transaction.
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
    // The driver's types don't know that its pool takes queries of one's own.
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

/**
 * Does work that may take as long as it takes, on one connection without time limits: upgrades of the schema, sums over years.
 * Not for what holds a lock that a caller may wait for.
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

/** Whether an error is PostgreSQL's refusal of a row that breaks the named unique or foreign key. */
export function violates(error: unknown, constraint: string): boolean {
  if (!(error instanceof pg.DatabaseError) || error.constraint !== constraint) return false;
  return error.code === '23505' || error.code === '23503';
}

/** Whether an error is PostgreSQL's refusal of a row without a value in a column that must have one. */
export function lacks(error: unknown, table: string, column: string): boolean {
  return (
    error instanceof pg.DatabaseError &&
    error.code === '23502' &&
    error.table === table &&
    error.column === column
  );
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

/** The process may not use the database at the moment. */
class Fenced extends Error {}

/** Whether the database could not be reached, is starting, stopping or full, as opposed to having refused a statement. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // Fatal: the connection is over, or never came to be. Classes 08 connection, 40 rolled back for another's sake, such as the
  // schema's change under an upgrade, 53 insufficient resources, 57P operator intervention. 55P03 and 57014 are our own time limits.
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

/** Whether PostgreSQL gave a statement up for its time limit. */
export const tookTooLong = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '57014';

/** Whether PostgreSQL found no space on its disk. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '53100';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a caller's id can be one of ours at all. PostgreSQL answers any other text with an error, not with no row. */
export const isUuid = (value: string): boolean => UUID.test(value);
