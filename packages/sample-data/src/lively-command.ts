import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { startLively } from './lively.ts';

const USAGE = `Lets sample fans write to an installation, read the replies, and write back.

  npm run lively -- --url http://127.0.0.1:3000 --key-file data/platform-key [--rate 1]

  --url       the server's address
  --key-file  a file with the platform key
  --rate      how much faster than normal: 1 is a message every 8 to 25 seconds

Fans who do not exist yet join with their first message. Press Ctrl-C to stop.
`;

process.exitCode = await main();

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      url: { type: 'string' },
      'key-file': { type: 'string' },
      rate: { type: 'string', default: '1' },
      help: { type: 'boolean', default: false },
    },
  });
  const rate = Number(values.rate);
  const { url, 'key-file': keyFile } = values;
  if (values.help || url === undefined || keyFile === undefined || !(rate > 0)) {
    console.log(USAGE);
    return values.help ? 0 : 2;
  }
  const lively = startLively({
    url: url.replace(/\/+$/, ''),
    platformKey: (await readFile(keyFile, 'utf8')).trim(),
    rate,
    join: true,
    log: (error) => console.error(error instanceof Error ? error.message : error),
  });
  await new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve));
  await lively.stop();
  return 0;
}
