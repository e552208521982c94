import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { createTestDatabase } from '../../test/database.ts';
import { type Database, openDatabase } from './database.ts';
import { migrate } from './migrate.ts';

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

/** A database with nothing in it, and as many programs on it as asked for. */
async function emptyDatabase(programs = 1): Promise<Database[]> {
  const { url, drop } = await createTestDatabase();
  cleanups.push(drop);
  const opened = Array.from({ length: programs }, () =>
    openDatabase({ connectionString: url }, () => undefined),
  );
  for (const db of opened) cleanups.push(() => db.close());
  await sql`drop schema public, jobs cascade`.execute(opened[0]?.kysely ?? failed());
  await sql`create schema public`.execute(opened[0]?.kysely ?? failed());
  return opened;
}

function failed(): never {
  throw new Error('no database');
}

const tablesOf = async ({ kysely }: Database) =>
  (await kysely.introspection.getTables()).map(({ name }) => name).toSorted();

test('an empty database gets every table', async () => {
  const [db = failed()] = await emptyDatabase();
  expect(await tablesOf(db)).toEqual([]);
  expect(await migrate(db.kysely)).toContain('0001-start');
  expect(await tablesOf(db)).toEqual(
    expect.arrayContaining(['admins', 'conversations', 'fans', 'messages', 'outbox', 'sessions']),
  );
});

test('migrating again changes nothing and keeps the data', async () => {
  const [db = failed()] = await emptyDatabase();
  await migrate(db.kysely);
  await db.kysely.insertInto('creators').values({ display_name: 'Aurora' }).execute();
  expect(await migrate(db.kysely)).toEqual([]);
  const creators = await db.kysely.selectFrom('creators').select('display_name').execute();
  expect(creators).toEqual([{ display_name: 'Aurora' }]);
});

test('of two programs that migrate at once one does it and the other waits', async () => {
  const [one = failed(), two = failed()] = await emptyDatabase(2);
  const applied = await Promise.all([migrate(one.kysely), migrate(two.kysely)]);
  const names = applied.flat();
  expect(names.length).toBeGreaterThan(0);
  expect(new Set(names).size).toBe(names.length);
  expect(applied.some((of) => of.length === 0)).toBe(true);
  expect(await tablesOf(one)).toContain('conversations');
});

test('a migration that fails leaves nothing of itself behind', async () => {
  const [db = failed()] = await emptyDatabase();
  await sql`create table outbox (mine text)`.execute(db.kysely);
  await expect(migrate(db.kysely)).rejects.toThrow('already exists');
  expect(await tablesOf(db)).toEqual(['outbox']);
  await sql`drop table outbox`.execute(db.kysely);
  expect(await migrate(db.kysely)).toContain('0001-start');
});
