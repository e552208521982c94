import pg from 'pg';
import type { Statement } from './database.ts';

/** A prepared statement with its values. */
export interface Call {
  readonly statement: Statement;
  readonly values: readonly unknown[];
}

/** What the driver has of a connection and does not declare. */
interface Connection {
  readonly stream: { cork(): void; uncork(): void };
  readonly submittedNamedStatements: Record<string, string>;
  sync(): void;
}

/** The same of one of its queries. */
interface DriverQuery {
  readonly name: string;
  readonly text: string;
  prepare(connection: Connection): void;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
  handleReadyForQuery(connection: Connection): void;
}

/**
 * Prepared statements in one transaction and one round trip: they go out one behind the other, and the database commits when it
 * has come to the last. All of them count or none. To the driver it is a query like any other.
 */
export class Together implements pg.Submittable {
  /** Set by the driver, unless it is: hears of the first failure, or of each statement's rows once all are committed. */
  callback?: (error: Error | null, rows?: unknown[][]) => void;
  private readonly queries: readonly DriverQuery[];
  private readonly rows: unknown[][] = [];
  private failure: Error | null = null;
  private at = 0;

  constructor(calls: readonly Call[]) {
    this.queries = calls.map(({ statement, values }) => {
      const query = new pg.Query({ ...statement, values: [...values] }, (error, result) => {
        if (error) this.failure ??= error;
        else this.rows.push(result.rows);
      });
      return query as unknown as DriverQuery;
    });
  }

  /** Of the statement that the database is at; the driver notes which are prepared. */
  get name(): string | undefined {
    return this.queries[this.at]?.name;
  }

  get text(): string | undefined {
    return this.queries[this.at]?.text;
  }

  submit(connection: pg.Connection): void {
    const own = connection as unknown as Connection;
    // A sync after each would commit each.
    const unsynced: Connection = Object.create(own, { sync: { value: () => undefined } });
    own.stream.cork();
    for (const query of this.queries) query.prepare(unsynced);
    own.sync();
    own.stream.uncork();
  }

  handleRowDescription(message: unknown): void {
    this.queries[this.at]?.handleRowDescription(message);
  }

  handleDataRow(message: unknown): void {
    this.queries[this.at]?.handleDataRow(message);
  }

  handleCommandComplete(message: unknown, connection: Connection): void {
    this.queries[this.at]?.handleCommandComplete(message, connection);
    this.at++;
  }

  /** Once all are committed. */
  handleReadyForQuery(connection: Connection): void {
    for (const query of this.queries) query.handleReadyForQuery(connection);
    this.callback?.(this.failure, this.rows);
  }

  handleError(error: Error, connection: Connection): void {
    // Those behind it were not looked at, and so not prepared either.
    for (const { name } of this.queries) delete connection.submittedNamedStatements[name];
    this.callback?.(error);
  }
}
