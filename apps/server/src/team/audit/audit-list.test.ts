import { createProduct, deleteProduct } from '@stagedoor/contract/selling/products';
import { type AuditEntry, exportAudit, listAudit } from '@stagedoor/contract/team/audit';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { buildAdmin, buildStaff, unique } from '../../../test/factories.ts';
import { sharedApp } from '../../../test/test-app.ts';
import { productForm } from '../../../test/worlds/catalogue.ts';

const app = await sharedApp();
const manager = await buildStaff(app, { role: 'manager' });
const { client } = manager;

const list = async (query: Record<string, string | number> = {}) =>
  (await client.call(listAudit, { query })).body;
const about = async (target_id: string) => (await list({ target_id })).data;

/** Inserts `count` made-up rows of one admin and target, a second apart. */
async function buildEntries(count: number) {
  const thing = unique('thing');
  const action = `${thing}.done`;
  const admin = await buildAdmin(app);
  const target = crypto.randomUUID();
  await sql`insert into audit_log (at, admin_id, action, target_id, details)
    select timestamptz '2026-03-01T12:00:00Z' + n * interval '1 second', ${admin.id}, ${action}, ${target}, jsonb_build_object('n', n)
    from generate_series(1, ${count}) as n`.execute(app.db.kysely);
  return { admin, target, action, thing };
}
const numbers = (entries: readonly AuditEntry[]) => entries.map(({ details }) => details.n);

test('the log can be filtered by admin, action, kind of action, target and time', async () => {
  const { admin, target, action, thing } = await buildEntries(5);
  await buildEntries(2);
  const newestFirst = [5, 4, 3, 2, 1];
  for (const query of [
    { admin_id: admin.id },
    { action },
    { action: thing },
    { target_id: target },
  ]) {
    expect(numbers((await list(query)).data), JSON.stringify(query)).toEqual(newestFirst);
  }
  const within = { from: '2026-03-01T12:00:02Z', to: '2026-03-01T13:00:04+01:00' };
  expect(numbers((await list({ target_id: target, ...within })).data)).toEqual([3, 2]);
  const nothing = [
    { admin_id: manager.admin.id, action },
    { admin_id: 'nonsense' },
    { target_id: 'nonsense' },
    { action: thing.slice(0, -1) },
    { action: '%' },
  ];
  for (const query of nothing) expect((await list(query)).data).toEqual([]);
  expect((await list()).actions).toContain(action);
});

test.each([
  { from: 'yesterday' },
  { to: '2026-13-45T00:00:00Z' },
  { from: '0000-01-01T00:00:00Z' },
  { cursor: 'nonsense' },
  { cursor: Buffer.from('[1e300,1]').toString('base64url') },
  { cursor: Buffer.from('[-1,1]').toString('base64url') },
  { limit: 0 },
  { limit: 201 },
])('%j is refused', async (query) => {
  const refusal = await client.refused(listAudit, { query });
  expect(refusal).toMatchObject({ status: 400, code: 'invalid_request' });
});

test('pages neither skip nor repeat rows, even with equal times and new rows', async () => {
  const { admin, action, target } = await buildEntries(5);
  await sql`insert into audit_log (at, admin_id, action, target_id, details)
    select '2026-03-01T12:00:03.000001Z', ${admin.id}, ${action}, ${target}, jsonb_build_object('n', n)
    from generate_series(10, 14) as n`.execute(app.db.kysely);
  const seen: unknown[] = [];
  let cursor: string | null = null;
  do {
    const page: { data: AuditEntry[]; next_cursor: string | null } = await list({
      action,
      limit: 2,
      ...(cursor !== null && { cursor }),
    });
    seen.push(...numbers(page.data));
    cursor = page.next_cursor;
    await sql`insert into audit_log (at, admin_id, action, target_id, details)
      values ('2026-03-02', ${admin.id}, ${action}, ${target}, '{"n": "late"}')`.execute(
      app.db.kysely,
    );
  } while (cursor !== null);
  expect(seen).toEqual([5, 4, 14, 13, 12, 11, 10, 3, 2, 1]);
});

test('the export has the same rows as CSV, without cells that a spreadsheet would execute', async () => {
  const title = '=HYPERLINK("https://evil.example"), "x"';
  const { body } = await client.upload(createProduct, await productForm({ title }));
  const target_id = body.data.id;
  await client.call(deleteProduct, { params: { id: target_id } });
  const csv = await client.call(exportAudit, { query: { target_id } });
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(csv.headers.get('content-disposition')).toContain('attachment');
  const [header, deleted, created, end] = csv.body.split('\r\n');
  expect(header).toBe('at,admin_codename,admin_email,action,target_id,target_label,details');
  const [newest] = await about(target_id);
  expect(deleted).toContain(
    `${newest?.at},${manager.admin.codename},${manager.admin.email},product.delete,${target_id},"'=HYPERLINK(""https`,
  );
  expect(created).toContain('product.create');
  expect(end).toBe('');
});

test('the log can’t be changed, neither over the API nor in the database', async () => {
  const { target } = await buildEntries(1);
  const [entry] = await about(target);
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    for (const path of [listAudit.path, `${listAudit.path}/${entry?.id}`, exportAudit.path]) {
      expect((await client.raw(method, path, { body: {} })).status).toBe(404);
    }
  }
  for (const statement of [
    sql`update audit_log set details = '{}'`,
    sql`delete from audit_log`,
    sql`truncate audit_log`,
  ]) {
    await expect(statement.execute(app.db.kysely)).rejects.toThrow('only ever added to');
  }
  expect(await about(target)).toEqual([entry]);
});

test('each filter of the log uses an index in list order', async () => {
  await sql`insert into audit_log (at, admin_id, action, target_id)
    select timestamptz '2026-01-01' + n * interval '1 minute', ${manager.admin.id}, 'bulk.' || n % 7, gen_random_uuid()
    from generate_series(1, 20000) as n`.execute(app.db.kysely);
  await sql`analyze audit_log`.execute(app.db.kysely);
  for (const condition of [
    sql`true`,
    sql`admin_id = ${crypto.randomUUID()}`,
    sql`action = 'bulk.3'`,
    sql`thing = 'rare'`,
    sql`target_id = ${crypto.randomUUID()}`,
  ]) {
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain select * from audit_log
      where ${condition} and (at, id) < (timestamptz '2026-01-05', 9) order by at desc, id desc limit 51`.execute(
      app.db.kysely,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('Index Scan');
    expect(plan).not.toMatch(/Sort|Seq Scan/);
  }
});
