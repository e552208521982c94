import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { databaseForTest } from '../../test/database.ts';
import { openDatabase } from '../db/database.ts';
import { holdInstallation, type Mode } from '../db/installation-lock.ts';
import { createLogger } from '../log.ts';
import { answerKeyRequests, type Joined, joinInstallation } from './join.ts';
import { createUnsealer, seal } from './seal.ts';

const log = createLogger('silent');
const fail = (error: unknown) => {
  throw error;
};

async function folder(): Promise<string> {
  const made = await mkdtemp(path.join(tmpdir(), 'stagedoor-node-'));
  onTestFinished(() => rm(made, { recursive: true }));
  return made;
}

interface Node extends Joined {
  readonly dataDir: string;
  stop(): Promise<void>;
}

/** Starts a node that joins the way the program does. */
async function startNode(
  url: string,
  {
    mode = 'node',
    answers = true,
    patience = 10_000,
    ...given
  }: Partial<{
    mode: Mode;
    answers: boolean;
    dataDir: string;
    patience: number;
  }> = {},
): Promise<Node> {
  const dataDir = given.dataDir ?? (await folder());
  const db = openDatabase({ connectionString: url }, () => undefined);
  const close = async () => {
    await hold.release();
    await db.close();
  };
  const hold = await holdInstallation({ connectionString: url }, mode, log, patience).catch(
    async (error: unknown) => {
      await db.close();
      throw error;
    },
  );
  try {
    const joined = await joinInstallation({ db, hold, dataDir, patience });
    const answering = answers ? answerKeyRequests(db, joined.keys, fail) : null;
    let stopped = false;
    const stop = async () => {
      if (stopped) return;
      stopped = true;
      await answering?.stop();
      await close();
    };
    onTestFinished(stop);
    return { ...joined, dataDir, stop };
  } catch (error) {
    await close();
    throw error;
  }
}

test('a joining node gets the keys of the running ones, in files that only its user can read', async () => {
  const url = await databaseForTest();
  const first = await startNode(url);
  const second = await startNode(url);
  expect(second.keys).toEqual(first.keys);
  expect(second.installationId).toBe(first.installationId);
  for (const name of await readdir(path.join(first.dataDir, 'keys'))) {
    const [ours, theirs] = [first, second].map(({ dataDir }) => path.join(dataDir, 'keys', name));
    expect(await readFile(theirs ?? '', 'utf8')).toBe(await readFile(ours ?? '', 'utf8'));
    expect((await stat(theirs ?? '')).mode & 0o777).toBe(0o600);
  }
});

test('nodes that start at once on a new installation end up with one set of keys', async () => {
  const url = await databaseForTest();
  const nodes = await Promise.all([startNode(url), startNode(url), startNode(url)]);
  for (const { keys } of nodes) expect(keys).toEqual(nodes[0]?.keys);
});

test('a restarted node keeps its keys, and the first one’s remain valid even if all were down', async () => {
  const url = await databaseForTest();
  const first = await startNode(url);
  const second = await startNode(url);
  await first.stop();
  const again = await startNode(url, { dataDir: first.dataDir });
  expect(again.keys).toEqual(second.keys);
  await again.stop();
  await second.stop();
  const afterAll = await startNode(url, { dataDir: second.dataDir, answers: false });
  expect(afterAll.keys).toEqual(first.keys);
});

test('a node with another installation’s keys takes those of the one it joins', async () => {
  const elsewhere = await startNode(await databaseForTest());
  await elsewhere.stop();
  const url = await databaseForTest();
  const first = await startNode(url);
  const moved = await startNode(url, { dataDir: elsewhere.dataDir });
  expect(moved.keys).toEqual(first.keys);
});

test('a node does not serve with its own keys while the others send none', async () => {
  const url = await databaseForTest();
  await startNode(url, { answers: false });
  await expect(startNode(url, { patience: 100 })).rejects.toThrow('no other node sent');
});

test('nothing in the database reveals the keys', async () => {
  const url = await databaseForTest();
  const first = await startNode(url);
  await startNode(url);
  const db = openDatabase({ connectionString: url }, () => undefined);
  const rows = [
    ...(await db.kysely.selectFrom('installation').selectAll().execute()),
    ...(await db.kysely.selectFrom('key_requests').selectAll().execute()),
  ];
  await db.close();
  expect(rows).toHaveLength(1);
  for (const key of Object.values(first.keys)) {
    expect(JSON.stringify(rows)).not.toContain(key.toString());
  }
});

test('a sealed text can be opened only by its recipient, and only unchanged', () => {
  const [meant, other] = [createUnsealer(), createUnsealer()];
  const sealed = seal('a key', meant.publicKey);
  expect(meant.open(sealed)).toBe('a key');
  expect(() => other.open(sealed)).toThrow();
  const last = sealed.at(-1) === 'A' ? 'B' : 'A';
  expect(() => meant.open(`${sealed.slice(0, -2)}${last}${last}`)).toThrow();
});

test('a node detects whether it shares the others’ files', async () => {
  const url = await databaseForTest();
  const first = await startNode(url);
  expect(first.sharesFiles).toBe(true);
  expect((await startNode(url, { dataDir: first.dataDir })).sharesFiles).toBe(true);
  expect((await startNode(url)).sharesFiles).toBe(false);
});

test.each<[Mode, Mode, RegExp]>([
  ['alone', 'alone', /another Stagedoor process is running .* the same REDIS_URL/],
  ['node', 'alone', /another Stagedoor process is running .* the same REDIS_URL/],
  ['alone', 'node', /a Stagedoor process without REDIS_URL is running/],
])(
  'next to a process that serves %s, one that would serve %s refuses to start',
  async (first, second, why) => {
    const url = await databaseForTest();
    await startNode(url, { mode: first });
    await expect(startNode(url, { mode: second, patience: 500 })).rejects.toThrow(why);
  },
);
