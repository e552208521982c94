import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../test/database.ts';
import { openDatabase } from './db/database.ts';
import { runHousekeeping } from './housekeeping.ts';
import { sweepFiles } from './media/new-objects.ts';
import { purgeDrafts } from './messaging/drafts/drafts.store.ts';
import { openLocalStorage } from './storage/local-storage.ts';

test('a failing housekeeping step doesn’t stop the next ones', async () => {
  const database = await createTestDatabase();
  const db = openDatabase({ connectionString: database.url }, () => undefined);
  const folder = await mkdtemp(path.join(tmpdir(), 'stagedoor-house-'));
  const storage = await openLocalStorage(folder);
  await sql`alter table drafts rename to drafts_gone`.execute(db.kysely);
  await sql`insert into storage_garbage (storage_key) values ('left')`.execute(db.kysely);
  const failures: unknown[] = [];
  let days = 0;
  const steps = [
    () => purgeDrafts(db),
    async () => {
      days += 1;
    },
    () => sweepFiles({ db, storage }),
  ];
  await runHousekeeping(steps, (error) => failures.push(error));
  expect(failures.map(String)).toEqual([expect.stringContaining('drafts')]);
  expect(days).toBe(1);
  const { rows } = await sql`select storage_key from storage_garbage`.execute(db.kysely);
  expect(rows).toEqual([]);
  storage.close();
  await db.close();
  await rm(folder, { recursive: true });
  await database.drop();
});
