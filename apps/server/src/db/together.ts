import pg from 'pg';

/** A statement that each connection prepares once, under its name; `name` is unique in the program. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

export interface Call {
  readonly statement: Statement;
  readonly values: readonly unknown[];
}

/** The parts of the driver's connection that its types omit. */
interface Connection {
  readonly stream: { cork(): void; uncork(): void };
  readonly submittedNamedStatements: Record<string, string>;
  sync(): void;
}

/** The parts of the driver's query that its types omit. */
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
 * Runs prepared statements in one transaction and one round trip: they are sent one after another, and the database commits after
 * the last. All of them take effect, or none. The driver handles it like any other query.
 */
export class Together implements pg.Submittable {
  /** Set by the driver if not set before: called with the first error, or with each statement's rows once all are committed. */
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

  /** The name of the current statement, which the driver records as prepared. */
  get name(): string | undefined {
    return this.queries[this.at]?.name;
  }

  get text(): string | undefined {
    return this.queries[this.at]?.text;
  }

  submit(connection: pg.Connection): void {
    const own = connection as unknown as Connection;
    // A sync after each statement would commit it separately.
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

  /** Called by the driver once all statements are committed. */
  handleReadyForQuery(connection: Connection): void {
    for (const query of this.queries) query.handleReadyForQuery(connection);
    this.callback?.(this.failure, this.rows);
  }

  handleError(error: Error, connection: Connection): void {
    // The statements after the failed one were skipped, so they were not prepared either.
    for (const { name } of this.queries) delete connection.submittedNamedStatements[name];
    this.callback?.(error);
  }
}
