import {
  addAdmin,
  removeAdmin,
  updateAdminCodename,
  updateAdminColor,
  updateAdminPermissions,
  updateAdminRole,
} from '@stagedoor/contract/admins';
import { type AuditEntry, exportAudit, listAudit } from '@stagedoor/contract/audit';
import { releaseConversation } from '@stagedoor/contract/conversations';
import { updateAvatar, uploadAvatar } from '@stagedoor/contract/creator';
import { getCreator } from '@stagedoor/contract/platform';
import {
  createFolder,
  createProduct,
  deleteFolder,
  deleteProduct,
  updateFolder,
  updateProduct,
} from '@stagedoor/contract/products';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { buildForm, buildPicture, productForm } from '../../../test/catalogue.ts';
import { buildAdmin, buildConversation, buildStaff, unique } from '../../../test/factories.ts';
import { startTestApp } from '../../../test/test-app.ts';

const app = await startTestApp();
afterAll(() => app.close());
const manager = await buildStaff(app, { role: 'manager' });
const { client } = manager;

const list = async (query: Record<string, string | number> = {}) =>
  (await client.call(listAudit, { query })).body;
const about = async (target_id: string) => (await list({ target_id })).data;

/** What one act leaves in the log. */
async function logged(act: () => Promise<unknown>): Promise<AuditEntry[]> {
  const by = manager.admin.id;
  const before = new Set((await list({ admin_id: by, limit: 200 })).data.map(({ id }) => id));
  await act();
  return (await list({ admin_id: by, limit: 200 })).data.filter(({ id }) => !before.has(id));
}

async function expectOne(
  act: () => Promise<unknown>,
  entry: Partial<AuditEntry>,
): Promise<AuditEntry> {
  const entries = await logged(act);
  expect(entries).toHaveLength(1);
  const { id, codename, display_color, email } = manager.admin;
  expect(entries[0]).toMatchObject({ admin: { id, codename, display_color, email }, ...entry });
  return entries[0] as AuditEntry;
}

test('everything that is done to an admin leaves one row', async () => {
  const email = `${unique('logged')}@staff.example`;
  let id = '';
  const add = async () => {
    id = (await client.call(addAdmin, { body: { email, role: 'moderator' } })).body.data.id;
  };
  const added = await expectOne(add, { action: 'admin.add', target_label: email });
  expect(added).toMatchObject({ target_id: id, details: { email, role: 'moderator' } });
  const params = { id };
  await expectOne(
    () => client.call(updateAdminPermissions, { params, body: { can_manage_messages: false } }),
    {
      action: 'admin.update_permissions',
      target_id: id,
      details: { can_manage_messages: false, was: true },
    },
  );
  await expectOne(() => client.call(updateAdminRole, { params, body: { role: 'support' } }), {
    action: 'admin.update_role',
    details: { role: 'support', was: 'moderator' },
  });
  const codename = unique('Logged');
  await expectOne(() => client.call(updateAdminCodename, { params, body: { codename } }), {
    action: 'admin.update_codename',
    details: { codename, was: added.details.codename },
  });
  await expectOne(
    () => client.call(updateAdminColor, { params, body: { display_color: '#112233' } }),
    { action: 'admin.update_color', target_id: id },
  );
  await expectOne(() => client.call(removeAdmin, { params }), {
    action: 'admin.remove',
    details: { email, released: 0 },
  });
  await expectOne(() => client.call(addAdmin, { body: { email } }), {
    action: 'admin.restore',
    target_id: id,
    details: { email, role: 'support', was: 'support' },
  });
});

test('everything that is done to the catalogue leaves one row', async () => {
  const product = async () => client.upload(createProduct, await productForm({ title: 'Sunrise' }));
  const created = await expectOne(product, { action: 'product.create', target_label: 'Sunrise' });
  const params = { id: created.target_id };
  await expectOne(() => client.call(updateProduct, { params, body: { title: 'Sunset' } }), {
    action: 'product.update',
    target_id: params.id,
    target_label: 'Sunset',
  });
  await expectOne(() => client.call(deleteProduct, { params }), {
    action: 'product.delete',
    target_label: 'Sunset',
  });
  const folder = await expectOne(() => client.call(createFolder, { body: { name: 'Beach' } }), {
    action: 'folder.create',
    target_label: 'Beach',
  });
  const inFolder = { id: folder.target_id };
  await expectOne(() => client.call(updateFolder, { params: inFolder, body: { name: 'Shore' } }), {
    action: 'folder.update',
    target_label: 'Shore',
  });
  await expectOne(() => client.call(deleteFolder, { params: inFolder }), {
    action: 'folder.delete',
    target_label: 'Shore',
  });
});

test('releasing for another leaves one row that names the fan, releasing for oneself none', async () => {
  const other = await buildAdmin(app);
  const fan = { first_name: 'Ana', last_name: 'Duarte' };
  const theirs = await buildConversation(app, { claimedBy: other, fan });
  await expectOne(() => client.call(releaseConversation, { params: { id: theirs.id } }), {
    action: 'conversation.release_for_other',
    target_id: theirs.id,
    target_label: 'Ana Duarte',
    details: { claimed_by: other.id },
  });
  const own = await buildConversation(app, { claimedBy: manager.admin });
  const release = () => client.call(releaseConversation, { params: { id: own.id } });
  expect(await logged(release)).toEqual([]);
});

test('a new picture of the creator leaves one row, its upload none', async () => {
  const creator = (await app.platform.call(getCreator)).body.data;
  const headers = { cookie: manager.avatarCookie };
  let avatarUrl = '';
  const upload = async () => {
    const body = buildForm({ userId: creator.id, avatar: { data: await buildPicture() } });
    const reply = await app.anonymous.raw('POST', uploadAvatar.path, { body, headers });
    avatarUrl = (JSON.parse(reply.text) as { avatar: { s3_key: string } }).avatar.s3_key;
  };
  expect(await logged(upload)).toEqual([]);
  const body = { userId: creator.id, avatarUrl };
  await expectOne(() => app.anonymous.raw('POST', updateAvatar.path, { body, headers }), {
    action: 'creator.update_avatar',
    target_id: creator.id,
    target_label: creator.display_name,
  });
});

test('what is refused leaves no row', async () => {
  const creator = await buildAdmin(app, { role: 'creator' });
  const attempts = async () => {
    await client.refused(removeAdmin, { params: { id: creator.id } });
    await client.refused(removeAdmin, { params: { id: manager.admin.id } });
    await client.refused(addAdmin, { body: { email: creator.email } });
    await client.refused(updateAdminCodename, {
      params: { id: manager.admin.id },
      body: { codename: creator.codename },
    });
    await client.refused(deleteFolder, { params: { id: crypto.randomUUID() } });
  };
  expect(await logged(attempts)).toEqual([]);
});

/** Rows that never were: `count` of them, a second apart, of one admin and target. */
async function buildEntries(count: number, action = unique('thing').concat('.done')) {
  const admin = await buildAdmin(app);
  const target = crypto.randomUUID();
  await sql`insert into audit_log (at, admin_id, action, target_id, details)
    select timestamptz '2026-03-01T12:00:00Z' + n * interval '1 second', ${admin.id}, ${action}, ${target}, jsonb_build_object('n', n)
    from generate_series(1, ${count}) as n`.execute(app.db.kysely);
  return { admin, target, action, thing: action.split('.')[0] ?? '' };
}
const numbers = (entries: readonly AuditEntry[]) => entries.map(({ details }) => details.n);

test('the log can be narrowed to an admin, an action, a thing, a target and a time', async () => {
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

test('pages neither skip nor repeat, also where rows are of one moment and new ones arrive', async () => {
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

test('the export is the same rows as CSV, which no spreadsheet runs', async () => {
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

test('there is no way to change the log: not over the API, and not in the database', async () => {
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

test('each way to narrow the log is an index’s, in the order of the list', async () => {
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
