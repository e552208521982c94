import { generate } from '../../generate.ts';
import { query } from '../query.ts';
import { type DatabaseServer, debianServer, embeddedServer, FILLING_SETTINGS } from '../servers.ts';

export const MESSAGES_PER_CONVERSATION = 20;

/**
 * Opens databases of several sizes on one server. They stay in `folder` between runs. Missing databases are generated first; for
 * this, the embedded server runs with faster, less durable settings.
 * @param database `embedded` or `debian`
 * @returns the server, and the URLs of its databases
 */
export async function openSizes(
  folder: string,
  sizes: readonly number[],
  { database = 'embedded', messagesEach = MESSAGES_PER_CONVERSATION } = {},
): Promise<{ server: DatabaseServer; urls: string[] }> {
  const start = (settings = {}) =>
    database === 'debian' ? debianServer(folder) : embeddedServer(folder, settings);
  const filling = await start(FILLING_SETTINGS);
  try {
    for (const conversations of sizes) {
      await fill(await filling.database(nameOf(conversations)), conversations, messagesEach);
    }
  } finally {
    await filling.stop();
  }
  const server = await start();
  const urls: string[] = [];
  for (const conversations of sizes) urls.push(await server.database(nameOf(conversations)));
  return { server, urls };
}

/** Returns whether the database is complete: its generation ends with a vacuum. */
async function isGenerated(url: string): Promise<boolean> {
  const [messages] = await query(
    url,
    `select 1 from pg_class where relname = 'messages' and relallvisible > 0 and reltuples > 0`,
  );
  return messages !== undefined;
}

const nameOf = (conversations: number) => `reads_${conversations}`;

async function fill(url: string, conversations: number, messagesEach: number) {
  if (await isGenerated(url)) return;
  console.log(`Generating ${conversations.toLocaleString('en')} conversations`);
  const messages = conversations * messagesEach;
  await generate({ url, conversations, messages, log: console.log });
}
