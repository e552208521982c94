import { generate } from '../../generate.ts';
import { isGenerated } from '../measure.ts';
import { type DatabaseServer, embeddedServer, FILLING_SETTINGS } from '../servers.ts';

export const MESSAGES_PER_CONVERSATION = 20;

const nameOf = (conversations: number) => `reads_${conversations}`;

/**
 * Opens databases of several sizes on one server; `folder` keeps them between runs. Missing ones are generated first, on a server
 * with faster, less durable settings.
 * @returns the server, and the URLs of its databases
 */
export async function openSizes(
  folder: string,
  sizes: readonly number[],
  log: (line: string) => void,
): Promise<{ server: DatabaseServer; urls: string[] }> {
  await generateMissing(folder, sizes, log);
  const server = await embeddedServer(folder);
  const urls: string[] = [];
  for (const conversations of sizes) urls.push(await server.database(nameOf(conversations)));
  return { server, urls };
}

async function generateMissing(
  folder: string,
  sizes: readonly number[],
  log: (line: string) => void,
): Promise<void> {
  const server = await embeddedServer(folder, FILLING_SETTINGS);
  try {
    for (const conversations of sizes) {
      const url = await server.database(nameOf(conversations));
      if (await isGenerated(url)) continue;
      log(`Generating ${conversations.toLocaleString('en')} conversations`);
      const messages = conversations * MESSAGES_PER_CONVERSATION;
      await generate({ url, conversations, messages, log });
    }
  } finally {
    await server.stop();
  }
}
