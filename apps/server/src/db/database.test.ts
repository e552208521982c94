import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../test/database.ts';
import type { TestDatabase } from '../../test/template-database.ts';
import { until } from '../../test/until.ts';
import { type Database, openDatabase } from './database.ts';

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
    // What it was told of its end has arrived once what was asked later is answered.
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
