import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const DATABASE = fileURLToPath(new URL('../dist/db/database.js', import.meta.url));

/** Locks the row in a transaction as the server does, prints that, and never ends. */
const PROGRAM = `
  const [, url, id] = process.argv;
  const { openDatabase } = await import(${JSON.stringify(DATABASE)});
  const { kysely } = openDatabase({ connectionString: url }, () => undefined);
  await kysely.transaction().execute(async (tx) => {
    await tx.selectFrom('conversations').select('id').where('id', '=', id).forUpdate().execute();
    process.stdout.write('held');
    await new Promise((resolve) => setTimeout(resolve, 3_600_000));
  });
`;

/**
 * Starts a process that locks a conversation's row in a transaction, and freezes it.
 * @returns a function that kills it
 */
export async function freezeHolding(
  databaseUrl: string,
  conversationId: string,
): Promise<() => void> {
  const child = spawn(
    process.execPath,
    ['--input-type=module', '--eval', PROGRAM, databaseUrl, conversationId],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  await once(child.stdout, 'data');
  child.kill('SIGSTOP');
  return () => void child.kill('SIGKILL');
}
