import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../test/database.ts';
import type { TestDatabase } from '../../test/template-database.ts';
import { until } from '../../test/until.ts';
import { type Database, isUnavailable, openDatabase } from './database.ts';

let own: TestDatabase;
let db: Database;

beforeAll(async () => {
  own = await createTestDatabase();
  db = openDatabase({ connectionString: own.url }, () => undefined);
});

afterAll(async () => {
  await db.close();
  await own.drop();
});

test('a connection that breaks between two statements of a transaction ends the transaction and nothing else', async () => {
  const transaction = db.kysely.transaction().execute(async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
    const pid = rows[0]?.pid;
    await db.runPlanned('select pg_terminate_backend($1)', [pid]);
    await until('the connection is gone', async () => {
      const left = await db.runPlanned('select 1 from pg_stat_activity where pid = $1', [pid]);
      return left.length === 0;
    });
    // By the time this query is answered, the lost connection has been noticed.
    await db.runPlanned('select 1', []);
    await sql`select 1`.execute(tx);
  });
  await expect(transaction).rejects.toThrow();
  const { rows } = await sql`select 1 as one`.execute(db.kysely);
  expect(rows).toEqual([{ one: 1 }]);
  await until('the pool holds no broken connection', () => {
    const { idle, total } = db.poolState();
    return idle === total;
  });
});

describe('statements that run together', () => {
  const insert = {
    name: 'test_together_insert',
    text: 'insert into numbers values ($1) returning n, xmin::text as transaction',
  };
  const count = { name: 'test_together_count', text: 'select count(*) as count from numbers' };
  beforeEach(() => db.runPlanned('create table numbers (n integer primary key)', []));
  afterEach(() => db.runPlanned('drop table numbers', []));

  test('are one transaction, in which each sees the effects of the previous ones', async () => {
    const [one, seen, two] = await db.runTogether<Record<string, unknown>>([
      { statement: insert, values: [1] },
      { statement: count, values: [] },
      { statement: insert, values: [2] },
    ]);
    expect(seen).toEqual([{ count: 1 }]);
    expect(two).toEqual([{ n: 2, transaction: one?.[0]?.transaction }]);
  });

  test('are undone together when one fails, and can be run again', async () => {
    const calls = [1, 2, 2, 3].map((n) => ({ statement: insert, values: [n] }));
    await expect(db.runTogether([...calls, { statement: count, values: [] }])).rejects.toThrow(
      'numbers_pkey',
    );
    expect(await db.run(count, [])).toEqual([{ count: 0 }]);
    const again = await db.runTogether([
      { statement: insert, values: [1] },
      { statement: count, values: [] },
    ]);
    expect(again[1]).toEqual([{ count: 1 }]);
  });

  test('fail if the connection is lost, and leave nothing', async () => {
    const killed = db.runTogether([
      { statement: insert, values: [1] },
      {
        statement: {
          name: 'test_together_end',
          text: 'select pg_terminate_backend(pg_backend_pid())',
        },
        values: [],
      },
      { statement: insert, values: [2] },
    ]);
    await expect(killed).rejects.toSatisfy(isUnavailable);
    expect(await db.run(count, [])).toEqual([{ count: 0 }]);
  });
});
