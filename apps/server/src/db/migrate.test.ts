import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../../test/database.ts';
import { type Database, openDatabase } from './database.ts';
import { migrate } from './migrate.ts';

/** Creates an empty database and opens it the given number of times. */
async function emptyDatabase(programs = 1): Promise<Database[]> {
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  const opened = Array.from({ length: programs }, () =>
    openDatabase({ connectionString: url }, () => undefined),
  );
  for (const db of opened) onTestFinished(() => db.close());
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

test('if two programs migrate at once, one does it and the other waits', async () => {
  const [one = failed(), two = failed()] = await emptyDatabase(2);
  const applied = await Promise.all([migrate(one.kysely), migrate(two.kysely)]);
  const names = applied.flat();
  expect(names.length).toBeGreaterThan(0);
  expect(new Set(names).size).toBe(names.length);
  expect(applied.some((of) => of.length === 0)).toBe(true);
  expect(await tablesOf(one)).toContain('conversations');
});

test('the database of a newer version is rejected with a helpful message', async () => {
  const [db = failed()] = await emptyDatabase();
  await migrate(db.kysely);
  await sql`insert into kysely_migration (name, timestamp) values ('9999-next', '')`.execute(
    db.kysely,
  );
  await expect(migrate(db.kysely)).rejects.toThrow(
    'the database is from a newer version (9999-next). Start that version, or restore a backup',
  );
});

test('a migration that fails leaves nothing of itself behind', async () => {
  const [db = failed()] = await emptyDatabase();
  await sql`create table outbox (mine text)`.execute(db.kysely);
  await expect(migrate(db.kysely)).rejects.toThrow('already exists');
  expect(await tablesOf(db)).toEqual(['outbox']);
  await sql`drop table outbox`.execute(db.kysely);
  expect(await migrate(db.kysely)).toContain('0001-start');
});

test('older products get their counters, and of folders with the same name the oldest keeps it', async () => {
  const [db = failed()] = await emptyDatabase();
  await migrate(db.kysely, '0004-media-access');
  const run = (text: string) => sql.raw<Record<string, unknown>>(text).execute(db.kysely);
  for (const statement of [
    `insert into folders (name, created_at) values ('Summer', '2026-01-02'), ('SUMMER', '2026-01-01'), ('Winter', now())`,
    `insert into creators (display_name) values ('Aurora')`,
    `insert into admins (email, codename, role, display_color) values ('a@b.c', 'Fig', 'support', '#000000')`,
    `insert into fans (external_id) values ('f')`,
    'insert into conversations (fan_id, creator_id) select f.id, c.id from fans f, creators c',
    `insert into messages (id, conversation_id, seq, from_fan, author_id, client_message_id, payload_hash, content, created_at)
      select gen_random_uuid(), c.id, 1, false, a.id, 'x', '', '', now() from conversations c, admins a`,
    `insert into products (title, price_cents, full_key, preview_key, mime_type, size, width, height)
      values ('Sunset', 100, 'f', 'p', 'image/png', 1, 1, 1)`,
    `insert into product_sends (attachment_id, message_id, conversation_id, fan_id, product_id, admin_id, price_cents, sent_at)
      select gen_random_uuid(), m.id, c.id, c.fan_id, p.id, a.id, 100, now()
      from messages m, conversations c, products p, admins a, generate_series(1, 3)`,
    `insert into purchases (attachment_id, message_id, conversation_id, fan_id, product_id, admin_id, amount_cents,
        payment_reference, payload_hash, purchased_at, refunded_at)
      select attachment_id, message_id, conversation_id, fan_id, product_id, admin_id, price_cents,
        attachment_id::text, '', now(), case when row_number() over () = 1 then now() end from product_sends`,
  ]) {
    await run(statement);
  }
  expect((await migrate(db.kysely))[0]).toBe('0005-product-thumbnails');
  const { rows: products } = await run(
    'select thumbnail_key, times_sent, times_purchased from products',
  );
  expect(products).toEqual([{ thumbnail_key: null, times_sent: 3, times_purchased: 2 }]);
  const { rows: folders } = await run('select name from folders order by name');
  expect(folders).toEqual([
    { name: 'SUMMER' },
    { name: expect.stringMatching(/^Summer \([0-9a-f]{8}\)$/) },
    { name: 'Winter' },
  ]);
});

test('older staff accounts keep their codenames and when they were last active', async () => {
  const [db = failed()] = await emptyDatabase();
  await migrate(db.kysely, '0004-media-access');
  await sql`insert into admins (email, codename, role, display_color)
    values ('a@staff.example', 'Mango', 'creator', '#111111'), ('b@staff.example', 'MANGO', 'support', '#222222')`.execute(
    db.kysely,
  );
  await sql`insert into sessions (admin_id, token_hash, cookie_hash, last_used_at)
    select id, '\\x01', '\\x02', '2026-03-01T12:00:00Z' from admins where codename = 'Mango'`.execute(
    db.kysely,
  );
  await sql`insert into audit_log (admin_id, action, target_id)
    select id, 'product.delete', id from admins where codename = 'Mango'`.execute(db.kysely);
  await migrate(db.kysely);
  const admins = await db.kysely
    .selectFrom('admins')
    .select(['codename', 'last_active_at'])
    .orderBy('email')
    .execute();
  expect(admins).toEqual([
    { codename: 'Mango', last_active_at: new Date('2026-03-01T12:00:00Z') },
    { codename: 'MANGO', last_active_at: null },
  ]);
  const things = await db.kysely.selectFrom('audit_log').select('thing').execute();
  expect(things).toEqual([{ thing: 'product' }]);
  const rename = db.kysely.updateTable('admins').set({ codename: 'mango' });
  await expect(rename.where('email', '=', 'b@staff.example').execute()).rejects.toThrow();
  await rename.where('email', '=', 'a@staff.example').execute();
});

/** Grants a benefit with the statement of the previous version. */
const grantOfBefore = (benefit: string, lasts: string | null) => sql`
  insert into fan_benefits as b (fan_id, benefit_type, started_at, ends_at)
  select id, ${benefit}, now(), now() + ${lasts}::interval from fans
  on conflict (fan_id) do update set
    benefit_type = case when b.ends_at is null then b.benefit_type else excluded.benefit_type end,
    started_at = case when b.ends_at is null or b.ends_at > now() then b.started_at else excluded.started_at end,
    ends_at = case when b.ends_at is null then null else greatest(b.ends_at, now()) + ${lasts}::interval end`;

test('older benefits get a status, and so do those that a server of the previous version still writes', async () => {
  const [db = failed()] = await emptyDatabase();
  await migrate(db.kysely, '0010-fan-sessions');
  await sql`insert into fans (external_id) values ('trial'), ('full')`.execute(db.kysely);
  await sql`insert into fan_benefits (fan_id, benefit_type, started_at, ends_at)
    select id, case external_id when 'full' then 'full_subscription' else '1_month_free' end, '2026-01-01',
      case external_id when 'trial' then '2026-02-01'::timestamptz end from fans`.execute(
    db.kysely,
  );
  await migrate(db.kysely);
  const benefits = async () => {
    const { rows } = await sql<{ status: string; benefit_type: string | null; runs: boolean }>`
      select status, benefit_type, ends_at is null or ends_at > now() as runs
      from fan_benefits order by benefit_type`.execute(db.kysely);
    return rows;
  };
  expect(await benefits()).toEqual([
    { status: 'trial', benefit_type: '1_month_free', runs: false },
    { status: 'subscribed', benefit_type: 'full_subscription', runs: true },
  ]);

  await sql`delete from fans where external_id = 'full'`.execute(db.kysely);
  await grantOfBefore('24_hours_free', '24 hours').execute(db.kysely);
  expect(await benefits()).toEqual([
    { status: 'trial', benefit_type: '24_hours_free', runs: true },
  ]);
  await grantOfBefore('full_subscription', null).execute(db.kysely);
  expect(await benefits()).toMatchObject([
    { status: 'subscribed', benefit_type: 'full_subscription' },
  ]);
  // Only this version sets the status directly; the old statement extends such a subscription.
  await sql`update fan_benefits set status = 'subscribed', benefit_type = null, ends_at = now() + interval '1 hour'`.execute(
    db.kysely,
  );
  await grantOfBefore('1_month_free', '1 month').execute(db.kysely);
  expect(await benefits()).toMatchObject([{ status: 'subscribed', runs: true }]);
  await sql`delete from fan_benefits`.execute(db.kysely);
  await grantOfBefore('3_months_free', '3 months').execute(db.kysely);
  expect(await benefits()).toMatchObject([{ status: 'trial', benefit_type: '3_months_free' }]);
});

test('a fan who paid twice for a product owns it once, and the second payment is kept as a double payment', async () => {
  const [db = failed()] = await emptyDatabase();
  await migrate(db.kysely, '0031-fan-languages');
  const run = (text: string) => sql.raw<Record<string, unknown>>(text).execute(db.kysely);
  for (const statement of [
    `insert into admins (email, codename, role, display_color) values ('a@b.c', 'Fig', 'support', '#000000')`,
    `insert into products (title, price_cents, full_key, preview_key, mime_type, size, width, height)
      values ('Sunset', 100, 'f', 'p', 'image/png', 1, 1, 1)`,
    `insert into purchases (attachment_id, message_id, conversation_id, fan_id, product_id, admin_id, amount_cents,
        payment_reference, payload_hash, purchased_at, refunded_at)
      select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), md5(fan)::uuid, p.id, a.id, 100, reference, '',
        at::timestamptz, case when reference like '%refunded' then now() end
      from products p, admins a, (values
        ('ana', 'second', '2026-01-03'), ('ana', 'first', '2026-01-02'), ('ana', 'refunded', '2026-01-01'),
        ('ben', 'only', '2026-01-02'), ('cleo', 'also refunded', '2026-01-02')
      ) as paid (fan, reference, at)`,
  ])
    await run(statement);
  await migrate(db.kysely);
  const paidIn = async (table: string) =>
    (
      await run(`select payment_reference as paid from ${table} t
        join purchases p on p.id = t.purchase_id order by payment_reference`)
    ).rows.map(({ paid }) => paid);
  expect(await paidIn('owned_products')).toEqual(['first', 'only']);
  expect(await paidIn('double_payments')).toEqual(['second']);
});

test('older sums of mass messages no longer count offers that were unsent', async () => {
  const [db = failed()] = await emptyDatabase();
  await migrate(db.kysely, '0059-results-kept-at-once');
  const run = (text: string) => sql.raw<Record<string, unknown>>(text).execute(db.kysely);
  for (const statement of [
    `insert into admins (email, codename, role, display_color) values ('a@b.c', 'Fig', 'support', '#000000')`,
    `insert into products (title, price_cents, full_key, preview_key, mime_type, size, width, height)
      values ('Sunset', 100, 'f', 'p', 'image/png', 1, 1, 1)`,
    `insert into product_sends (attachment_id, message_id, conversation_id, fan_id, product_id, admin_id, price_cents, sent_at,
        campaign_id)
      select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), p.id, a.id, 100, at::timestamptz,
        case when not by_hand then gen_random_uuid() end
      from products p, admins a, (values
        ('2026-01-01T00:00Z', false), ('2026-01-01T00:00Z', true), ('2026-01-01T00:14Z', false), ('2026-01-01T00:15Z', false)
      ) as sent (at, by_hand)`,
    `update analytics_progress set summed_up_to = '2026-01-02'`,
    `insert into analytics_quarters (quarter, sends, mass_sends)
      values ('2026-01-01T00:00Z', 3, 5), ('2026-01-01T00:15Z', 1, 1), ('2026-01-01T00:30Z', 0, 4)`,
  ])
    await run(statement);
  await migrate(db.kysely);
  const { rows } = await run('select sends, mass_sends from analytics_quarters order by quarter');
  expect(rows).toEqual([
    { sends: 3, mass_sends: 2 },
    { sends: 1, mass_sends: 1 },
    { sends: 0, mass_sends: 0 },
  ]);
});

test('a team’s older time zone gets its summer time', async () => {
  const [db = failed()] = await emptyDatabase();
  await migrate(db.kysely, '0063-campaigns-follow-changes');
  await sql`update team_settings set time_zone = 'CET'`.execute(db.kysely);
  await migrate(db.kysely);
  const { rows } = await sql`select time_zone from team_settings`.execute(db.kysely);
  expect(rows).toEqual([{ time_zone: 'Europe/Brussels' }]);
});
