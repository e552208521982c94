import pg from 'pg';

/** One connection beside the server's own, for as long as `use` takes. */
export async function onDatabase<T>(
  config: pg.ClientConfig,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(config);
  // Whoever uses it sees a failing query when the database goes away.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.end();
  }
}

/** Holds a lock, taken by a statement, for as long as `work` takes. */
export function whileLocked<T>(
  databaseUrl: string,
  lock: string,
  work: () => Promise<T>,
): Promise<T> {
  return onDatabase({ connectionString: databaseUrl }, async (client) => {
    await client.query('begin');
    await client.query(lock);
    return work();
  });
}
