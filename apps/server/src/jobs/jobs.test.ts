import { sql } from 'kysely';
import { fromKysely, PgBoss } from 'pg-boss';
import { afterAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../test/database.ts';
import { until } from '../../test/until.ts';
import { openDatabase } from '../db/database.ts';
import type { QueueDefinition } from './jobs.ts';
import { openJobs } from './pg-boss-jobs.ts';

interface Note {
  readonly text: string;
}

const { url, drop } = await createTestDatabase();
const db = openDatabase({ connectionString: url }, () => undefined);
afterAll(async () => {
  await db.close();
  await drop();
});

const warnings: string[] = [];
const log = { warn: (_details: object, message: string) => void warnings.push(message) };

/** Opens a queue that records what it does, and the jobs that it belongs to. */
async function open(
  name: string,
  overrides: Partial<Omit<QueueDefinition<Note>, 'name'>> = {},
  start = true,
) {
  const jobs = await openJobs(db, log);
  const done: string[] = [];
  const queue = await jobs.define<Note>({
    name,
    concurrency: 1,
    retries: { attempts: 3, firstPause: 1, longestPause: 1 },
    run: async ({ text }) => void done.push(text),
    gaveUp: async () => undefined,
    ...overrides,
  });
  if (start) await jobs.start();
  const add = async (...texts: string[]) => {
    await db.kysely.transaction().execute((tx) =>
      queue.add(
        tx,
        texts.map((text) => ({ text })),
      ),
    );
    queue.wake();
  };
  return { jobs, queue, done, add };
}

const rows = async (name: string) =>
  (
    await sql<{ data: Note; state: string; output: unknown }>`
      select data, state, output from jobs.job where name = ${name} order by created_on`.execute(
      db.kysely,
    )
  ).rows;

/** Runs the library's maintenance, which it does hours apart: it deletes old jobs. */
async function sweep(name: string): Promise<void> {
  const boss = new PgBoss({ db: fromKysely(db.kysely), schema: 'jobs', supervise: false });
  await boss.start();
  await boss.supervise(name);
  await boss.stop();
}

test('a committed transaction’s jobs run once each; those of a rolled back one never run', async () => {
  const { jobs, queue, done, add } = await open('commits');
  await expect(
    db.kysely.transaction().execute(async (tx) => {
      await queue.add(tx, [{ text: 'never' }]);
      throw new Error('changed my mind');
    }),
  ).rejects.toThrow('changed my mind');
  await add('one', 'two', 'three');
  await until('all three', () => done.length === 3);
  expect(done.toSorted()).toEqual(['one', 'three', 'two']);
  await until('they are noted', async () =>
    (await rows('commits')).every(({ state }) => state === 'completed'),
  );
  expect(await rows('commits')).toHaveLength(3);
  await jobs.stop();
});

test('a failed job is retried, and its error is not stored', async () => {
  const tries: string[] = [];
  const { jobs, add } = await open('fails', {
    async run({ text }) {
      tries.push(text);
      if (tries.length === 1) throw new Error('password=hunter2');
    },
  });
  await add('flaky');
  await until('the second try', () => tries.length === 2);
  await until('it is noted', async () => (await rows('fails'))[0]?.state === 'completed');
  expect(JSON.stringify(await rows('fails'))).not.toContain('hunter2');
  await jobs.stop();
});

test('after the last try a job is given up, once, with the reason', async () => {
  const tries: string[] = [];
  const givenUp: [string, unknown][] = [];
  const { jobs, add } = await open('gives-up', {
    retries: { attempts: 2, firstPause: 1, longestPause: 1 },
    async run({ text }) {
      tries.push(text);
      throw new Error(`no ${tries.length}`);
    },
    gaveUp: async ({ text }, error) => void givenUp.push([text, error]),
  });
  await add('hopeless');
  await until('it is given up', async () => (await rows('gives-up'))[0]?.state === 'completed');
  expect(tries).toHaveLength(2);
  expect(givenUp).toEqual([['hopeless', new Error('no 2')]]);
  await jobs.stop();
});

test('jobs that a process leaves undone are run by the next one', async () => {
  const before = await open('restarts', {}, false);
  await before.add('left over');
  await before.jobs.stop();
  const after = await open('restarts');
  await until('the next process does it', () => after.done.length === 1);
  expect([before.done, after.done]).toEqual([[], ['left over']]);
  await after.jobs.stop();
});

test('a process that has lost the instance lock runs no jobs; another one does', async () => {
  const lost = openDatabase({ connectionString: url }, () => undefined);
  const idle = await openJobs(lost, { warn: () => undefined });
  const taken: string[] = [];
  await idle.define<Note>({
    name: 'fenced',
    concurrency: 4,
    retries: { attempts: 3, firstPause: 1, longestPause: 1 },
    run: async ({ text }) => void taken.push(text),
    gaveUp: async () => undefined,
  });
  await idle.start();
  let asked = 0;
  lost.fence(() => {
    asked++;
    return false;
  });
  const { jobs, done, add } = await open('fenced', {}, false);
  await add('one', 'two', 'three');
  await until('it looks for jobs', () => asked > 8);
  expect((await rows('fenced')).map(({ state }) => state)).toEqual(Array(3).fill('created'));
  await jobs.start();
  await until('all three', () => done.length === 3);
  expect(taken).toEqual([]);
  await jobs.stop();
  await idle.stop();
  await lost.close();
});

test('stopping waits for the running job', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const events: string[] = [];
  const { jobs, add } = await open('waits', {
    async run() {
      events.push('began');
      await held;
      events.push('ended');
    },
  });
  await add('slow');
  await until('it runs', () => events.length === 1);
  const stopped = jobs.stop().then(() => events.push('stopped'));
  release();
  await stopped;
  expect(events).toEqual(['began', 'ended', 'stopped']);
  expect((await rows('waits'))[0]?.state).toBe('completed');
});

test('a job whose process died is run by another one', async () => {
  const before = await open('silent', {}, false);
  await before.add('orphan');
  // As if its process had been killed long enough ago.
  await sql`update jobs.job set state = 'active', started_on = now() - interval '5 minutes',
    heartbeat_on = now() - interval '5 minutes' where name = 'silent'`.execute(db.kysely);
  await before.jobs.stop();
  const after = await open('silent');
  await until('another does it', () => after.done.length === 1);
  expect(after.done).toEqual(['orphan']);
  await after.jobs.stop();
});

test('the queue logged no warnings', () => {
  expect(warnings).toEqual([]);
});

test('a job that waits for months while the server is off runs once it is back on', async () => {
  const off = await open('months', {}, false);
  await off.add('late');
  await off.jobs.stop();
  await sql`update jobs.job set created_on = created_on - interval '1 year', start_after = start_after - interval '1 year',
    keep_until = keep_until - interval '1 year' where name = 'months'`.execute(db.kysely);
  await sweep('months');
  const on = await open('months');
  await until('it is done', () => on.done.length === 1);
  expect(on.done).toEqual(['late']);
  await on.jobs.stop();
});
