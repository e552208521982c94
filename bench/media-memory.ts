import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { gifOf, pngOf, webpOf, withTexts } from '../apps/server/test/bombs.ts';
import { SWIFT_CREDENTIALS, startSwift } from '../apps/server/test/servers/swift.ts';
import {
  digestOf,
  download,
  fileOf,
  generatedVideo,
  type SentFile,
  upload,
} from './lib/media-client.ts';
import { growthOf, memoryOf } from './lib/process-memory.ts';
import { embeddedServer } from './lib/servers.ts';
import { type Session, startSession } from './lib/session.ts';

const MEGABYTE = 1024 * 1024;
/** How many MB the server's memory may grow while it streams a video, and while it handles a hostile file. */
const STREAM_LIMIT = 50;
const HOSTILE_LIMIT = 100;
const RANGE_BYTES = 8 * MEGABYTE;
const OWNER = 'owner@example.com';
const PLATFORM_KEY = 'platform-key-of-the-measurement-as-long-as-any';

const USAGE = `Streams a generated video up and down through a server of its own, in full and by ranges, then sends it hostile
pictures, and samples the memory of its process. Fails when a video takes more than ${STREAM_LIMIT} MB or a hostile picture more than ${HOSTILE_LIMIT}.

  npm run media:memory -- [--megabytes 500] [--swift]

--swift keeps the files on an S3 server (OpenStack Swift, which must be installed) instead of a local disk.
`;

interface Step {
  readonly title: string;
  readonly limit: number;
  run(): Promise<unknown>;
}

/** Runs the benchmark and returns the exit code. */
export async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      megabytes: { type: 'string', default: '500' },
      swift: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const megabytes = Number(values.megabytes);
  if (values.help || !(megabytes >= 1)) {
    console.log(USAGE);
    return values.help ? 0 : 2;
  }
  const folder = await mkdtemp(path.join(tmpdir(), 'stagedoor-memory-'));
  const database = await embeddedServer(path.join(folder, 'database'));
  const bucket = values.swift ? await openBucket() : null;
  try {
    const session = await startSession(await database.database('memory'), OWNER, {
      PLATFORM_API_KEY: PLATFORM_KEY,
      SAMPLE_DATA: 'off',
      ...bucket?.settings,
    });
    try {
      const where = bucket ? 'on Swift' : 'on the local disk';
      console.log(`A video of ${megabytes} MB, ${where}; memory of process ${session.pid} in MB`);
      return await measure(session, megabytes * MEGABYTE);
    } finally {
      await session.stop();
    }
  } finally {
    await bucket?.stop();
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

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

async function measure(session: Session, size: number): Promise<number> {
  const conversation = await newConversation(session.address);
  const send = (file: SentFile) => upload(session.address, session.token, conversation, file);
  const take = async (file: SentFile): Promise<string> => {
    const { status, text } = await send(file);
    if (status !== 200) throw new Error(`upload of ${file.filename}: ${status} ${text}`);
    return (JSON.parse(text) as { attachments: { url: string }[] }).attachments[0]?.url ?? '';
  };
  // Loads the code and grows the pools that every server needs for its first files.
  const small = await take(generatedVideo(4 * MEGABYTE));
  await download(session.address, small, createHash('sha256'));
  await take(fileOf('small.png', pngOf(1_000, 1_000)));

  const video = generatedVideo(size);
  let url = '';
  const same = async (get: (hash: ReturnType<typeof createHash>) => Promise<unknown>) => {
    const hash = createHash('sha256');
    await get(hash);
    if (hash.digest('hex') !== digestOf(video)) throw new Error('other bytes came back');
  };
  const steps: Step[] = [
    {
      title: 'upload',
      limit: STREAM_LIMIT,
      run: async () => {
        url = await take(video);
      },
    },
    {
      title: 'download',
      limit: STREAM_LIMIT,
      run: () => same((hash) => download(session.address, url, hash)),
    },
    {
      title: 'download by ranges',
      limit: STREAM_LIMIT,
      run: () =>
        same(async (hash) => {
          for (let start = 0; start < size; start += RANGE_BYTES) {
            const end = Math.min(start + RANGE_BYTES, size) - 1;
            await download(session.address, url, hash, { start, end });
          }
        }),
    },
    ...(await hostileFiles()).map(({ file, statuses }) => ({
      title: file.filename,
      limit: HOSTILE_LIMIT,
      run: async () => {
        const { status, text } = await send(file);
        if (!statuses.includes(status)) throw new Error(`${file.filename}: ${status} ${text}`);
      },
    })),
  ];
  let failed = 0;
  for (const { title, limit, run } of steps) {
    const { before, growth, seconds } = await growthOf(session.pid, run);
    const verdict = growth <= limit ? '' : `  TOO MUCH: at most ${limit}`;
    if (growth > limit) failed++;
    const figures = `${before.toFixed(0).padStart(5)}  +${growth.toFixed(0).padStart(4)}`;
    console.log(`${title.padEnd(34)}${figures}  ${seconds.toFixed(1).padStart(6)} s${verdict}`);
  }
  console.log(`afterwards ${(await memoryOf(session.pid)).toFixed(0)} MB`);
  return failed > 0 ? 1 : 0;
}

/** Returns small files that would expand to huge ones, with the accepted statuses: refused, or reduced and stored. */
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

async function newConversation(address: string): Promise<string> {
  const response = await fetch(`${address}/api/platform/fans/memory`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${PLATFORM_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ first_name: 'Ana' }),
  });
  const body = (await response.json()) as { data: { conversation_id: string } };
  return body.data.conversation_id;
}
