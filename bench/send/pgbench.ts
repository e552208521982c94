import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { sendStatement } from '../../apps/server/src/messaging/messages/send.store.ts';
import { onDatabase } from '../../apps/server/test/on-database.ts';

const PGBENCH = '/usr/lib/postgresql/15/bin/pgbench';
const execute = promisify(execFile);

/** Values that replace the server's parameters in the statement. */
const VALUES = [
  'gen_random_uuid()',
  ':conversation',
  `'admin'`,
  ':author::uuid',
  'gen_random_uuid()::text',
  `decode(repeat('ab', 32), 'hex')`,
  ':content',
  'null',
  `'[]'`,
  ':content',
  'null',
  'null',
  'true',
];
const TEXT = `'Thank you so much for the lovely message, I will be live again on Friday evening!'`;
/** The maximum number of scripts that pgbench accepts. */
const SCRIPTS_MAX = 128;

/**
 * Prepares to run, without the server, the statement that the server uses to store a message.
 * @param databaseUrl a database without a running server, which would emit events for the outbox rows
 * @returns a function that runs the statement with `clients` clients for `seconds` seconds and returns the rate per second; null
 * when pgbench is not installed
 */
export async function preparePgbench(
  databaseUrl: string,
  conversations: readonly string[],
  folder: string,
): Promise<((clients: number, seconds: number) => Promise<number>) | null> {
  if (!existsSync(PGBENCH)) return null;
  const author = await onDatabase({ connectionString: databaseUrl }, async (client) => {
    const { rows } = await client.query<{ id: string }>('select id from admins limit 1');
    return rows[0]?.id ?? '';
  });
  await mkdir(folder, { recursive: true });
  const scripts: string[] = [];
  for (const [index, conversation] of conversations.slice(0, SCRIPTS_MAX).entries()) {
    const script = path.join(folder, `send-${index}.sql`);
    await writeFile(script, scriptFor(conversation));
    scripts.push(script);
  }
  return async (clients, seconds) => {
    const args = ['-n', '-M', 'prepared', '-c', `${clients}`, '-T', `${seconds}`];
    for (const script of scripts) args.push('-f', script);
    args.push('-D', `author=${author}`, databaseUrl);
    const { stdout } = await execute(PGBENCH, args);
    return Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
  };
}

function scriptFor(conversation: string): string {
  const text = sendStatement.text.replace(
    /\$(\d+)/g,
    (_, place) => VALUES[Number(place) - 1] ?? '',
  );
  return `${text.replaceAll(':conversation', `'${conversation}'`).replaceAll(':content', TEXT)};\n`;
}
