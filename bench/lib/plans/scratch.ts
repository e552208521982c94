import pg from 'pg';

/** Runs a statement on a database by a connection of its own. */
export async function runOn(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** A copy of a database that nobody is connected to, on the same server. @returns its URL */
export async function copyDatabase(url: string, name: string): Promise<string> {
  const address = new URL(url);
  const source = address.pathname.slice(1);
  address.pathname = '/postgres';
  await runOn(address.href, `create database ${name} template ${source} strategy file_copy`);
  address.pathname = `/${name}`;
  return address.href;
}
