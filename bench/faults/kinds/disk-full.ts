import { createHash, randomBytes } from 'node:crypto';
import { open, readdir, readFile, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { uploadFiles } from '@stagedoor/contract/media';
import { mountSmallDisk, type SmallDisk } from '../../../apps/server/test/servers/small-disk.ts';
import { until } from '../../../apps/server/test/until.ts';
import { CallError } from '../../lib/calls.ts';
import { type Installation, isServing } from '../../lib/installation.ts';
import type { Fault } from '../fault.ts';
import type { World } from '../world.ts';

/** Sizes of the disks for the database (a new database takes about 70) and for the files. Megabytes. */
const DATABASE_DISK = 256;
const FILES_DISK = 64;
const BALLAST = 'ballast';
const MEGABYTE = Buffer.alloc(1024 * 1024, 1);
const UPLOAD_BYTES = [10_000, 300_000] as const;
/** How long a disk stays full, and how long it then has free space. Milliseconds. */
const FULL_FOR = [1_000, 3_000] as const;
const ROOM_FOR = [500, 1_500] as const;
/** Time limit for recovery once there is free space, and the timeout of each wait. Milliseconds. */
const RECOVERS_WITHIN = 10_000;
const PATIENCE = 60_000;
const POLL_MS = 50;

let filesDisk: SmallDisk | null = null;

export const diskFull: Fault = {
  name: 'disk-full',
  title: 'the disk of the files, then that of the database, is full, until PostgreSQL crashes',
  async installation() {
    const disk = await mountSmallDisk(DATABASE_DISK);
    const files = disk && (await mountSmallDisk(FILES_DISK));
    if (disk === null || files === null) return null;
    filesDisk = files;
    await symlink(files.root, path.join(disk.root, 'files'));
    return {
      database: 'embedded',
      dataDir: disk.root,
      async release() {
        await files.unmount();
        await disk.unmount();
      },
    };
  },
  async run(world, signal, random) {
    const { installation, seconds, log, late } = world;
    if (filesDisk === null) throw new Error('there is no small disk');
    const broken: string[] = [];
    const uploads = startUploading(world, broken);
    let [rounds, deaths, longest] = [0, 0, 0];
    const room = async (ballast: string) => {
      await rm(ballast);
      const roomAt = performance.now();
      await until('the server is back', () => isServing(installation.url), PATIENCE);
      const ms = performance.now() - roomAt;
      longest = Math.max(longest, ms);
      log(`recovered ${ms.toFixed(0)} ms after there was space`);
      if (ms > RECOVERS_WITHIN) late(`it took ${ms.toFixed(0)} ms to recover`);
      await uploads.oneMore();
      await sleep(random.between(...ROOM_FOR));
    };
    for (const until = Date.now() + seconds * 1000; Date.now() < until && !signal.aborted; ) {
      const files = path.join(filesDisk.root, BALLAST);
      await fill(files);
      await uploads.oneRefused();
      await sleep(random.between(...FULL_FOR));
      await room(files);

      const database = path.join(installation.dataDir, BALLAST);
      await fill(database);
      await sleep(random.between(...FULL_FOR));
      if (await writeUntilItDies(installation)) deaths++;
      await sleep(random.between(...FULL_FOR));
      await room(database);
      rounds++;
    }
    const answers = await uploads.stop();
    broken.push(...(await leftovers(installation, filesDisk.root, uploads.taken)));
    const figures = {
      rounds,
      'deaths of PostgreSQL': deaths,
      'uploads accepted': uploads.taken.size,
      'upload statuses': answers,
      'recovered within': `${longest.toFixed(0)} ms`,
    };
    return { figures, broken };
  },
};

/** Uploads files until stopped. `taken` maps the id of each accepted upload to its SHA-256 hash. */
function startUploading(world: World, broken: string[]) {
  const { staff, fans, random } = world;
  const taken = new Map<string, string>();
  const answers = new Map<number, number>();
  let isOver = false;
  const call = staff[0]?.call;
  if (call === undefined) throw new Error('nobody can upload');

  async function upload(conversation: string): Promise<void> {
    const data = randomBytes(Math.floor(random.between(...UPLOAD_BYTES)));
    const form = new FormData();
    form.append('conversation_id', conversation);
    form.append('files', new Blob([data]), 'noise.bin');
    let status = 200;
    try {
      const { attachments } = (await call?.(uploadFiles, { form })) ?? { attachments: [] };
      taken.set(attachments[0]?.id ?? '', createHash('sha256').update(data).digest('hex'));
    } catch (error) {
      status = error instanceof CallError ? error.status : 0;
      // 0 means no response: a call can time out on a slow machine. Its upload isn't confirmed.
      if (![0, 503, 507].includes(status)) broken.push(`an upload was answered ${status}`);
    }
    answers.set(status, (answers.get(status) ?? 0) + 1);
  }
  const uploading = (async () => {
    while (!isOver) {
      await upload(random.pick([...fans.keys()]));
      await sleep(POLL_MS);
    }
  })();
  const oneMoreOf = async (status: number) => {
    const before = answers.get(status) ?? 0;
    await until(`an upload gets ${status}`, () => (answers.get(status) ?? 0) > before, PATIENCE);
  };
  return {
    taken,
    oneMore: () => oneMoreOf(200),
    oneRefused: () => oneMoreOf(507),
    async stop(): Promise<string> {
      isOver = true;
      await uploading;
      return [...answers].map(([status, times]) => `${times} × ${status}`).join(' ');
    },
  };
}

/** Fills the disk to the last byte. */
async function fill(file: string): Promise<void> {
  const handle = await open(file, 'a');
  try {
    for (let size = MEGABYTE.length; size >= 1; ) {
      await handle.appendFile(MEGABYTE.subarray(0, size)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOSPC') throw error;
        size = Math.floor(size / 16);
      });
    }
  } finally {
    await handle.close();
  }
}

/** Makes PostgreSQL start new WAL segments until the full disk crashes it. @returns whether it crashed */
async function writeUntilItDies({ database }: Installation): Promise<boolean> {
  const client = await database.connect().catch(() => null);
  if (client === null) return true;
  try {
    for (let part = 0; part < DATABASE_DISK / 16; part++) {
      await client.query(`select pg_logical_emit_message(false, 'faults', 'x')`);
      await client.query('select pg_switch_wal()');
    }
    return false;
  } catch {
    return true;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Compares files with rows. @returns a line for each orphaned file, and each confirmed upload that is missing or damaged */
async function leftovers(
  { database }: Installation,
  root: string,
  taken: ReadonlyMap<string, string>,
): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
  const client = await database.connect();
  try {
    const named = await client.query<{ attachment_id: string; key: string }>(
      'select id as attachment_id, storage_key as key from uploads',
    );
    const noted = await client.query<{ key: string }>(
      'select storage_key as key from storage_garbage',
    );
    const known = new Set([...named.rows, ...noted.rows].map(({ key }) => key));
    // Nodes use this file to check that they share the storage.
    known.add('.installation');
    const broken = files.filter((file) => !known.has(file)).map((file) => `${file} is orphaned`);
    const keys = new Map(named.rows.map(({ attachment_id, key }) => [attachment_id, key]));
    for (const [id, hash] of taken) {
      const key = keys.get(id);
      const bytes =
        key === undefined ? null : await readFile(path.join(root, key)).catch(() => null);
      const isWhole = bytes !== null && createHash('sha256').update(bytes).digest('hex') === hash;
      if (!isWhole) broken.push(`the confirmed upload ${id} is missing or damaged`);
    }
    return broken;
  } finally {
    await client.end();
  }
}
