import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../test/database.ts';
import { openDatabase } from './db/database.ts';
import { fanSessionSweeps } from './fans/fan-sessions/fan-sessions.store.ts';
import { runHousekeeping } from './housekeeping.ts';
import { sweepFiles } from './media/new-objects.ts';
import { purgeDrafts } from './messaging/drafts/drafts.store.ts';
import { openLocalStorage } from './storage/local-storage.ts';
import { signInSweeps } from './team/auth/auth.store.ts';

test('a failing housekeeping step doesn’t stop the next ones', async () => {
  const database = await createTestDatabase();
  const db = openDatabase({ connectionString: database.url }, () => undefined);
  const folder = await mkdtemp(path.join(tmpdir(), 'stagedoor-house-'));
  const storage = await openLocalStorage(folder);
  await sql`alter table drafts rename to drafts_gone`.execute(db.kysely);
  await sql`insert into storage_garbage (storage_key) values ('left')`.execute(db.kysely);
  await sql`alter table login_codes rename to login_codes_gone`.execute(db.kysely);
  await sql`insert into sign_in_failures values ('old', 1, 'epoch')`.execute(db.kysely);
  await sql`alter table fan_links rename to fan_links_gone`.execute(db.kysely);
  await sql`insert into ended_fan_sessions (session_id, ended_at) values (gen_random_uuid(), 'epoch')`.execute(
    db.kysely,
  );
  const failures: unknown[] = [];
  let days = 0;
  const steps = [
    () => purgeDrafts(db),
    async () => {
      days += 1;
    },
    ...signInSweeps(db),
    ...fanSessionSweeps(db),
    () => sweepFiles({ db, storage }),
  ];
  await runHousekeeping(steps, (error) => failures.push(error));
  expect(failures.map(String)).toEqual(
    ['drafts', 'login_codes', 'fan_links'].map((table) => expect.stringContaining(table)),
  );
  expect(days).toBe(1);
  const { rows } = await sql`select storage_key from storage_garbage
    union all select email from sign_in_failures
    union all select session_id::text from ended_fan_sessions`.execute(db.kysely);
  expect(rows).toEqual([]);
  storage.close();
  await db.close();
  await rm(folder, { recursive: true });
  await database.drop();
});
