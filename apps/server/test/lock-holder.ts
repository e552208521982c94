import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { SESSION_OPTIONS } from '../src/db/pool.ts';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));

/** Locks the row in a transaction, prints that, and never ends. */
const PROGRAM = `
  import pg from 'pg';
  const [, connectionString, options, id] = process.argv;
  const client = new pg.Client({ connectionString, options });
  await client.connect();
  await client.query('begin');
  await client.query('select id from conversations where id = $1 for update', [id]);
  process.stdout.write('held');
  setInterval(() => undefined, 3_600_000);
`;

/**
 * Starts a process that locks a conversation's row in a transaction, with the server's time limits, and freezes it.
 * @returns a function that kills it
 */
export async function freezeHolding(
  databaseUrl: string,
  conversationId: string,
): Promise<() => void> {
  const child = spawn(
    process.execPath,
    ['--input-type=module', '--eval', PROGRAM, databaseUrl, SESSION_OPTIONS, conversationId],
    { cwd: FOLDER, stdio: ['ignore', 'pipe', 'ignore'] },
  );
  await once(child.stdout, 'data');
  child.kill('SIGSTOP');
  return () => void child.kill('SIGKILL');
}
