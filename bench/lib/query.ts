import type pg from 'pg';
import { onDatabase } from '../../apps/server/test/on-database.ts';

/** Runs one statement, or several if there are no values, on a new connection. @returns the rows of a single statement */
export const query = <Row extends pg.QueryResultRow>(
  url: string,
  text: string,
  values?: unknown[],
): Promise<Row[]> =>
  onDatabase(
    { connectionString: url },
    async (client) => (await client.query<Row>(text, values)).rows,
  );
