import { createHash } from 'node:crypto';
import { createPlatformClient } from '@stagedoor/platform-client';
import { gifOf, pngOf, webpOf, withTexts } from '../apps/server/test/bombs.ts';
import { SWIFT_CREDENTIALS, startSwift } from '../apps/server/test/servers/swift.ts';
import { type Installation, OWNER, PLATFORM_KEY, startInstallation } from './lib/installation.ts';
import {
  digestOf,
  download,
  fileOf,
  generatedVideo,
  type SentFile,
  upload,
} from './lib/media-client.ts';
import { growthOf, memoryOf } from './lib/process-memory.ts';
import { program } from './lib/program.ts';
import { signIn } from './lib/sign-in.ts';
import { round } from './lib/statistics.ts';

const MEGABYTE = 1024 * 1024;
/** How many MB the server's memory may grow while it streams a video, and while it handles a hostile file. */
const STREAM_LIMIT = 50;
const HOSTILE_LIMIT = 100;
const RANGE_BYTES = 8 * MEGABYTE;

const USAGE = `Streams a generated video up and down through a server of its own, in full and by ranges, then sends hostile pictures,
and samples the memory of the server's process. Fails if a video takes more than ${STREAM_LIMIT} MB or a hostile picture more than ${HOSTILE_LIMIT}.

  npm run media:memory -- [--megabytes 500] [--swift]

--swift stores the files on an S3 server (OpenStack Swift, which must be installed) instead of a local disk.
`;

export const main = program(
  USAGE,
  { megabytes: 500, swift: false },
  async ({ megabytes, swift }) => {
    const bucket = swift ? await openBucket() : null;
    const server = await startInstallation({ env: bucket?.settings ?? {} });
    try {
      const where = bucket ? 'on Swift' : 'on the local disk';
      console.log(`A video of ${megabytes} MB, ${where}; memory of process ${server.pid} in MB`);
      return await measure(server, megabytes * MEGABYTE);
    } finally {
      await server.dispose();
      await bucket?.stop();
    }
  },
);

async function openBucket() {
  const swift = await startSwift();
  await swift.createBucket('memory');
  const settings = {
    S3_BUCKET: 'memory',
    S3_ENDPOINT: swift.endpoint,
    S3_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: SWIFT_CREDENTIALS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: SWIFT_CREDENTIALS.secretAccessKey,
  };
  return { settings, stop: () => swift.stop() };
}

async function measure({ url: address, mailbox, pid }: Installation, size: number) {
  if (pid === null) throw new Error('the server has ended');
  const { token } = await signIn(address, OWNER, mailbox);
  const platform = createPlatformClient({ url: address, key: PLATFORM_KEY });
  const { conversation_id } = await platform.putFan('memory', { first_name: 'Ana' });
  const send = (file: SentFile) => upload(address, token, conversation_id, file);
  const take = async (file: SentFile): Promise<string> => {
    const { status, text } = await send(file);
    if (status !== 200) throw new Error(`upload of ${file.filename}: ${status} ${text}`);
    return (JSON.parse(text) as { attachments: { url: string }[] }).attachments[0]?.url ?? '';
  };
  // Warms up: with its first files, every server loads code and grows its pools.
  const small = await take(generatedVideo(4 * MEGABYTE));
  await download(address, small, createHash('sha256'));
  await take(fileOf('small.png', pngOf(1_000, 1_000)));

  const rows: { growth: number; limit: number }[] = [];
  const step = async (title: string, limit: number, run: () => Promise<unknown>) => {
    const { before, growth, seconds } = await growthOf(pid, run);
    const verdict = growth <= limit ? '' : 'TOO MUCH';
    const megabytes = { before: round(before, 0), growth: round(growth, 0), limit };
    rows.push(Object.assign({ step: title }, megabytes, { seconds: round(seconds, 1), verdict }));
  };
  const video = generatedVideo(size);
  let url = '';
  const expected = digestOf(video);
  const same = (found: string) => {
    if (found !== expected) throw new Error('the downloaded bytes differ');
  };
  await step('upload', STREAM_LIMIT, async () => {
    url = await take(video);
  });
  await step('download', STREAM_LIMIT, async () => {
    const hash = createHash('sha256');
    await download(address, url, hash);
    same(hash.digest('hex'));
  });
  await step('download by ranges', STREAM_LIMIT, async () => {
    const hash = createHash('sha256');
    for (let start = 0; start < size; start += RANGE_BYTES) {
      const end = Math.min(start + RANGE_BYTES, size) - 1;
      await download(address, url, hash, { start, end });
    }
    same(hash.digest('hex'));
  });
  for (const { file, statuses } of await hostileFiles()) {
    await step(file.filename, HOSTILE_LIMIT, async () => {
      const { status, text } = await send(file);
      if (!statuses.includes(status)) throw new Error(`${file.filename}: ${status} ${text}`);
    });
  }
  console.table(rows);
  console.log(`afterwards ${(await memoryOf(pid)).toFixed(0)} MB`);
  return rows.every(({ growth, limit }) => growth <= limit);
}

/** Returns small hostile files (most expand to huge ones) and the expected statuses: some are refused, some reduced and stored. */
async function hostileFiles(): Promise<{ file: SentFile; statuses: number[] }[]> {
  const refused = [400];
  const kept = [200];
  return [
    { file: fileOf('30000x30000.png', pngOf(30_000, 30_000)), statuses: refused },
    { file: fileOf('2000-frames.gif', gifOf(2_000, 500, 500)), statuses: kept },
    { file: fileOf('900000-frames.gif', gifOf(900_000, 10, 10)), statuses: refused },
    { file: fileOf('60-large-frames.webp', await webpOf(60, 1_500, 1_500)), statuses: kept },
    { file: fileOf('100000-frames.webp', await webpOf(100_000, 16, 16)), statuses: refused },
    {
      file: fileOf('10-gb-of-texts.png', withTexts(pngOf(100, 100), 200, 50 * MEGABYTE)),
      statuses: kept,
    },
    { file: fileOf('not-a-picture.png', Buffer.from('<html>')), statuses: refused },
  ];
}
