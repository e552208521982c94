import pg from 'pg';
import { watchLink } from './link-watch.ts';
import { ServerClient, type ServerOptions } from './servers.ts';
import { type Call, type Statement, Together } from './together.ts';

/** How long a caller waits for a connection before the database counts as unavailable. Milliseconds. */
const CONNECT_TIMEOUT_MS = 5_000;
/** Limits how long a slow, frozen or unreachable caller can block others. Longer work must use {@link unhurried}. */
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
 * enough to benefit. `random_page_cost` is low, because the data is in memory or on an SSD; with its default, PostgreSQL would scan
 * a whole table rather than read a few hundred rows through an index.
 */
export const SESSION_OPTIONS = Object.entries({
  timezone: 'UTC',
  jit: 'off',
  random_page_cost: 1.1,
  ...LIMITS,
})
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ');

/** Opens connections with our time limits. @param log called with errors of idle connections, which the pool replaces */
export function openPool(
  connection: ServerOptions,
  size: number,
  log: (error: Error) => void,
): { readonly pool: pg.Pool; close(): Promise<void> } {
  const pool = new pg.Pool({
    ...connection,
    Client: ServerClient,
    max: size,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'stagedoor',
    options: SESSION_OPTIONS,
  });
  const watch = watchLink(pool, connection);
  let closing = false;
  // Without a listener, an idle connection that breaks would end the process. While closing, such errors are expected.
  pool.on('error', (error) => {
    if (!closing) log(error);
  });
  return {
    pool,
    close() {
      closing = true;
      watch.stop();
      return pool.end();
    },
  };
}

/** Runs statements outside of transactions. */
export interface Runner {
  /** Runs a frequent statement as a prepared one: planned once per connection instead of once per call. */
  run<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;
  /** Runs several prepared statements in one transaction and one round trip. @returns the rows of each */
  runTogether<Row>(calls: readonly Call[]): Promise<Row[][]>;
  /** Runs a statement that is planned on each call, because its best plan depends on its values. */
  runPlanned<Row>(text: string, values: readonly unknown[]): Promise<Row[]>;
}

export const runnerOn = (open: () => pg.Pool): Runner => ({
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
});
