import { listInvites } from '@stagedoor/contract/fans/invites';
import { inbox, inboxStats } from '@stagedoor/contract/inbox/conversations';
import { listMessages, sendMessage } from '@stagedoor/contract/messaging/messages';
import { listFanMessages } from '@stagedoor/contract/platform/platform';
import { listProducts } from '@stagedoor/contract/selling/products';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../../test/database.ts';
import { unique } from '../../test/factories.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { contentsOf, populate } from '../../test/worlds/populate.ts';
import { type Database, openDatabase } from './database.ts';
import { MIGRATIONS, migrate } from './migrate.ts';

/** Creates a database at a given migration, with rows in every table. */
async function populated(upTo: string): Promise<{ db: Database; url: string }> {
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  const db = openDatabase({ connectionString: url }, () => undefined);
  onTestFinished(() => db.close());
  await sql`drop schema public cascade`.execute(db.kysely);
  await sql`create schema public`.execute(db.kysely);
  await migrate(db.kysely, upTo);
  await populate(db);
  return { db, url };
}

/** Reads old data through the current server, and continues working with it. */
async function serves(app: TestApp): Promise<void> {
  const { id: admin } = await app.db.kysely
    .selectFrom('admins')
    .select('id')
    .where('role', '=', 'creator')
    .executeTakeFirstOrThrow();
  const staff = app.staff(await app.insertSession(admin));
  const { data: conversations } = (await staff.call(inbox)).body;
  expect(conversations).toHaveLength(3);
  expect((await staff.call(inboxStats)).body.data).toMatchObject({
    total_conversations: 3,
    unread_count: 1,
  });
  for (const { id, fan } of conversations) {
    await staff.call(sendMessage, {
      headers: { 'idempotency-key': unique('temp') },
      body: { conversation_id: id, content: 'Hello again' },
    });
    const { body } = await staff.call(listMessages, { params: { id } });
    expect(body.data.map(({ seq }) => seq)).toEqual([1, 2]);
    expect(fan.id).toEqual(expect.any(String));
  }
  await app.platform.call(listFanMessages, { params: { fan: 'fan-1' } });
  await staff.call(listProducts);
  await staff.call(listInvites);
  expect((await staff.call(inboxStats)).body.data).toMatchObject({ unread_count: 0 });
}

test.each(MIGRATIONS)(
  'data stored by a version up to %s is complete after the upgrade, and is served',
  async (version) => {
    const { db, url } = await populated(version);
    const before = await contentsOf(db);
    for (const [table, { rows }] of before) expect(rows, table).toBeGreaterThan(0);
    const applied = await migrate(db.kysely);
    expect(applied).toEqual(MIGRATIONS.slice(MIGRATIONS.indexOf(version) + 1));
    expect(await contentsOf(db, before)).toEqual(before);
    const app = await startTestApp({ databaseUrl: url });
    onTestFinished(() => app.close());
    await serves(app);
  },
);

test('a migration that loses or changes a value is detected', async () => {
  const [version = ''] = MIGRATIONS;
  const { db } = await populated(version);
  const before = await contentsOf(db);
  const damages = [
    sql`update fans set last_name = null where external_id = 'fan-1'`,
    sql`delete from reactions where user_id = (select id from fans where external_id = 'fan-1')`,
    sql`update messages set created_at = created_at + interval '1 microsecond' where from_fan`,
  ];
  for (const damage of damages) {
    await damage.execute(db.kysely);
    const after = await contentsOf(db, before);
    expect(after).not.toEqual(before);
    before.clear();
    for (const [table, contents] of after) before.set(table, contents);
  }
});
