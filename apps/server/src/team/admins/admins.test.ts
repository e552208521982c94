import { getConversation } from '@stagedoor/contract/inbox/conversations';
import { getCreator, listFanMessages } from '@stagedoor/contract/platform/platform';
import {
  type AdminRecord,
  addAdmin,
  CODENAME_MAX_CHARS,
  listAdmins,
  listFruits,
  type NewAdmin,
  removeAdmin,
  updateAdminCodename,
  updateAdminColor,
} from '@stagedoor/contract/team/admins';
import { currentAdmin } from '@stagedoor/contract/team/auth';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  buildAdmin,
  buildConversation,
  buildReply,
  buildStaff,
  unique,
} from '../../../test/factories.ts';
import { sharedApp, startTestApp } from '../../../test/test-app.ts';
import { until } from '../../../test/until.ts';

const app = await sharedApp();
const manager = await buildStaff(app, { role: 'manager' });
const { client } = manager;

const address = () => `${unique('new')}@staff.example`;
const add = async (body: Partial<NewAdmin> = {}) =>
  (await client.call(addAdmin, { body: { email: address(), ...body } })).body.data;
const rename = (id: string, codename: string) =>
  client.call(updateAdminCodename, { params: { id }, body: { codename } });
const refusedRename = (id: string, codename: unknown) =>
  client.refused(updateAdminCodename, { params: { id }, body: { codename } });
const listed = async () => (await client.call(listAdmins)).body.data;
const fruits = async () => (await client.call(listFruits)).body.data;

test('a new admin has the support role, message privileges, a fruit and a color, and can sign in', async () => {
  const email = address();
  const { status, body } = await client.call(addAdmin, {
    body: { email: ` ${email.toUpperCase()} ` },
  });
  expect(status).toBe(201);
  expect(body.data).toMatchObject({
    email,
    role: 'support',
    is_active: true,
    permissions: { can_manage_admins: false, can_manage_messages: true },
    last_active_at: null,
  });
  expect((await fruits()).find(({ name }) => name === body.data.codename)?.taken).toBe(true);
  expect(await listed()).toContainEqual(body.data);
  const token = await app.signIn(email);
  const me = await app.staff(token).call(currentAdmin);
  expect(me.body.data).toMatchObject({ id: body.data.id, codename: body.data.codename });
});

test.each(['support', 'moderator', 'manager'] as const)(
  'a manager adds a %s, who gets the role’s permissions',
  async (role) => {
    const { permissions } = await add({ role });
    expect(permissions.can_manage_admins).toBe(role === 'manager');
  },
);

test.each<[unknown, string]>([
  [{}, 'Email is required'],
  [{ email: '' }, 'Email is required'],
  [{ email: '  ' }, 'Email is required'],
  [{ email: null }, 'Email is required'],
])('an admin needs an email address: %j is refused', async (body, text) => {
  const refusal = await client.refused(addAdmin, { body });
  expect(refusal).toMatchObject({ status: 400, code: 'invalid_request', error: text });
});

test.each([
  { email: 'nonsense' },
  { email: 'a@b.example\r\nBcc: c@d.example' },
  { email: 'a@b.example', role: 'owner' },
  { email: 'a@b.example', can_manage_admins: true },
  { email: 'a@b.example', is_active: false },
])('an invalid form is refused: %j', async (body) => {
  const refusal = await client.refused(addAdmin, { body });
  expect(refusal).toMatchObject({ status: 400, code: 'invalid_request' });
});

test('an address of an existing admin is refused, regardless of case', async () => {
  const { email } = await add();
  const refusal = await client.refused(addAdmin, { body: { email: email.toUpperCase() } });
  expect(refusal).toMatchObject({ status: 409, code: 'admin_exists' });
});

test('a removed admin who is added again keeps their codename and color and gets message privileges', async () => {
  const before = await add({ role: 'moderator' });
  await client.call(removeAdmin, { params: { id: before.id } });
  const { status, body } = await client.call(addAdmin, { body: { email: before.email } });
  expect(status).toBe(200);
  expect(body.data).toMatchObject({
    id: before.id,
    codename: before.codename,
    display_color: before.display_color,
    role: 'support',
    is_active: true,
    permissions: { can_manage_messages: true },
  });
});

test('admins added at the same time get different codenames', async () => {
  const replies = await Promise.all(
    Array.from({ length: 5 }, () => client.call(addAdmin, { body: { email: address() } })),
  );
  expect(replies.map(({ status }) => status)).toEqual(Array(5).fill(201));
  const names = replies.map(({ body }) => body.data.codename.toLowerCase());
  expect(new Set(names).size).toBe(5);
});

test('adding one address many times at once creates one admin', async () => {
  const email = address();
  const attempts = Array.from({ length: 8 }, () =>
    client.raw('POST', addAdmin.path, { body: { email } }),
  );
  const statuses = (await Promise.all(attempts)).map(({ status }) => status);
  expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
});

test('new admins still get a codename when every fruit is taken', async () => {
  const own = await startTestApp();
  const adding = await buildStaff(own, { role: 'manager' });
  const { body } = await adding.client.call(listFruits);
  expect(body.data.length).toBeGreaterThanOrEqual(60);
  for (const { name } of body.data) await buildAdmin(own, { codename: name.toUpperCase() });
  const all = (await adding.client.call(listFruits)).body.data;
  expect(all.every(({ taken }) => taken)).toBe(true);
  const reply = await adding.client.call(addAdmin, { body: { email: address() } });
  expect(reply.body.data.codename).toMatch(/^[A-Z][a-z]+ 2$/);
  await own.close();
});

test('active admins come first, and each group is sorted by email', async () => {
  const removed = await buildAdmin(app, { email: 'aaa@staff.example', is_active: false });
  const all = await listed();
  const keys = all.map(({ is_active, email }) => [is_active ? 0 : 1, email] as const);
  const sorted = keys.toSorted(([a, b], [c, d]) => a - c || (b < d ? -1 : 1));
  expect(keys).toEqual(sorted);
  expect(all.find(({ id }) => id === removed.id)?.is_active).toBe(false);
});

test('an admin’s last activity is kept after their sessions end', async () => {
  const { id, email } = await add();
  const activeAt = async () =>
    (await listed()).find((admin: AdminRecord) => admin.id === id)?.last_active_at;
  expect(await activeAt()).toBeNull();
  const token = await app.signIn(email);
  const signedIn = await activeAt();
  expect(signedIn).toEqual(expect.any(String));
  await sql`update sessions set last_used_at = now() - interval '10 minutes' where admin_id = ${id}`.execute(
    app.db.kysely,
  );
  await sql`update admins set last_active_at = now() - interval '10 minutes' where id = ${id}`.execute(
    app.db.kysely,
  );
  await app.staff(token).call(currentAdmin);
  const used = await activeAt();
  expect(Date.now() - Date.parse(used ?? '')).toBeLessThan(60_000);
  await client.call(removeAdmin, { params: { id } });
  expect(await activeAt()).toBe(used);
});

test('a codename can be any text that is not blank; it is trimmed', async () => {
  const { id } = await add();
  for (const name of [
    `  ${unique('Nightshift')} `,
    `${unique('夜')} 🍓`,
    'x'.repeat(CODENAME_MAX_CHARS),
  ]) {
    expect((await rename(id, name)).body.data.codename).toBe(name.trim());
  }
});

test.each([
  ['', 'Codename is required'],
  ['   ', 'Codename is required'],
  [undefined, 'Codename is required'],
  ['x'.repeat(CODENAME_MAX_CHARS + 1), expect.any(String)],
  ['Ap\u200bple', expect.stringContaining('invisible')],
  ['Ap\nple', expect.stringContaining('invisible')],
])('the codename %j is refused', async (codename, error) => {
  const { id } = await add();
  expect(await refusedRename(id, codename)).toMatchObject({
    status: 400,
    code: 'invalid_request',
    error,
  });
});

test('a codename that another admin has or had can’t be reused, regardless of case, spaces or width', async () => {
  const [one, two] = [await add(), await add()];
  const first = unique('Sour Cherry');
  await rename(one.id, first);
  await rename(one.id, unique('Sweet Cherry'));
  const fullWidth = [...first]
    .map((c) => (/[a-z]/i.test(c) ? String.fromCharCode(c.charCodeAt(0) + 0xfee0) : c))
    .join('');
  for (const name of [
    first,
    first.toLowerCase(),
    first.replace(' ', '  '),
    fullWidth,
    one.codename,
  ]) {
    expect(await refusedRename(two.id, name), name).toMatchObject({
      status: 409,
      code: 'codename_taken',
    });
  }
  expect((await fruits()).find(({ name }) => name === one.codename)?.taken).toBe(true);
});

test('an admin can take back their own former codename and change its case', async () => {
  const { id, codename } = await add();
  await rename(id, unique('Other'));
  expect((await rename(id, codename)).body.data.codename).toBe(codename);
  expect((await rename(id, codename.toUpperCase())).body.data.codename).toBe(
    codename.toUpperCase(),
  );
});

test('when two admins are given one codename at once, only one gets it', async () => {
  const [one, two] = [await add(), await add()];
  const codename = unique('Twin');
  const replies = await Promise.all(
    [one, two].map(({ id }) =>
      client.raw('PATCH', updateAdminCodename.path.replace('{id}', id), { body: { codename } }),
    ),
  );
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 409]));
});

test('a codename stays taken after its admin was removed', async () => {
  const { id, codename } = await add();
  await client.call(removeAdmin, { params: { id } });
  const other = await add();
  expect(await refusedRename(other.id, codename)).toMatchObject({ code: 'codename_taken' });
});

test('adding, removing and restoring an admin is emitted to all staff', async () => {
  const support = await app.connectSocket((await buildStaff(app)).token);
  const { id, email } = await add();
  const seen = (times: number) =>
    until(`${times} events`, () => {
      const events = support.received('staff_updated');
      return events.filter(({ member }) => member.id === id).length === times;
    });
  await seen(1);
  await client.call(removeAdmin, { params: { id } });
  await seen(2);
  await client.call(addAdmin, { body: { email, role: 'support' } });
  await seen(3);
});

test('renaming and recoloring an admin updates their claims live for all staff', async () => {
  const { admin } = await buildStaff(app);
  const { id } = await buildConversation(app, { claimedBy: admin });
  const support = await app.connectSocket((await buildStaff(app)).token);
  const codename = unique('Renamed');
  await rename(admin.id, codename);
  const received = await support.nextEvent('staff_updated', ({ member }) => member.id === admin.id);
  expect(received.member).toMatchObject({ codename });
  await client.call(updateAdminColor, {
    params: { id: admin.id },
    body: { display_color: '#123abc' },
  });
  await support.nextEvent('staff_updated', ({ member }) => member.display_color === '#123abc');
  const { body } = await client.call(getConversation, { params: { id } });
  expect(body.data.claimant).toEqual({ id: admin.id, codename, display_color: '#123abc' });
});

test.each(['red', '#12345', '#1234567', 'url(x)', '#12345g', null])(
  'the colour %j is refused',
  async (display_color) => {
    const refusal = await client.refused(updateAdminColor, {
      params: { id: manager.admin.id },
      body: { display_color },
    });
    expect(refusal).toMatchObject({ status: 400, code: 'invalid_request' });
  },
);

test('fans never see a codename', async () => {
  const writer = await buildStaff(app);
  const { id, fan } = await buildConversation(app);
  await rename(writer.admin.id, unique('Secret'));
  await buildReply(writer, id);
  const seen = [
    await app.platform.call(listFanMessages, { params: { fan: fan.external_id } }),
    await app.platform.call(getCreator),
  ];
  for (const { text } of seen) expect(text).not.toContain('Secret');
});
