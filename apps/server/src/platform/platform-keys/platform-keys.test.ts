import { getCreator } from '@stagedoor/contract/platform/platform';
import {
  createPlatformKey,
  listPlatformKeys,
  PLATFORM_KEYS_MAX,
  revokePlatformKey,
} from '@stagedoor/contract/platform/platform-keys';
import { listAudit } from '@stagedoor/contract/team/audit';
import { currentAdmin } from '@stagedoor/contract/team/auth';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { buildStaff, unique } from '../../../test/factories.ts';
import { httpClient } from '../../../test/http-client.ts';
import { sharedApp, startTestApp } from '../../../test/test-app.ts';

const app = await sharedApp();
const manager = await buildStaff(app, { role: 'manager' });
const { client } = manager;

const create = async (name = unique('key')) =>
  (await client.call(createPlatformKey, { body: { name } })).body.data;
const find = async (id: string) =>
  (await client.call(listPlatformKeys)).body.data.find((key) => key.id === id);
const revoke = (id: string) => client.call(revokePlatformKey, { params: { id } });
const opens = async (key: string) =>
  (await httpClient(app.url, key).raw('GET', getCreator.path)).status === 200;

test('a key gives access to the platform API only, until it is revoked', async () => {
  const { id, key } = await create();
  expect(key).toMatch(/^sd_live_[A-Za-z0-9_-]{43}$/);
  expect(await opens(key)).toBe(true);
  expect(await httpClient(app.url, key).refused(currentAdmin)).toMatchObject({ status: 401 });
  await revoke(id);
  expect(await opens(key)).toBe(false);
  expect(await httpClient(app.url, key).refused(getCreator)).toMatchObject({
    code: 'unauthorized',
  });
});

test('a key is shown once and stored as a hash', async () => {
  const { key, ...made } = await create('Mobile app');
  const { codename, display_color, id: adminId } = manager.admin;
  expect(made).toMatchObject({
    name: 'Mobile app',
    hint: key.slice(-4),
    created_by: { id: adminId, codename, display_color },
    last_used_at: null,
    revoked_at: null,
  });
  const listed = await client.call(listPlatformKeys);
  expect(listed.body.data[0]).toEqual(made);
  expect(listed.body.has_settings_key).toBe(true);
  expect(listed.text).not.toContain(key);
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from platform_keys k where k::text like ${`%${key.slice(8, 40)}%`}`.execute(
    app.db.kysely,
  );
  expect(rows[0]?.n).toBe(0);
  await revoke(made.id);
});

test('the last use of a key is stored to the minute', async () => {
  const { id, key } = await create();
  await Promise.all([opens(key), opens(key), opens(key)]);
  expect((await find(id))?.last_used_at).toMatch(/:00\.000Z$/);
  await revoke(id);
});

test('a key with a different last character is refused', async () => {
  const { id, key } = await create();
  const last = key.at(-1) === 'A' ? 'B' : 'A';
  for (const other of [key.slice(0, -1) + last, `${key}A`, key.toLowerCase(), 'sd_live_']) {
    expect(await opens(other), other).toBe(false);
  }
  await revoke(id);
});

test('revoking is permanent; a retry changes nothing, and both actions are in the audit log once', async () => {
  const { id, name } = await create();
  const { revoked_at } = (await revoke(id)).body.data;
  expect(revoked_at).not.toBeNull();
  expect((await revoke(id)).body.data.revoked_at).toBe(revoked_at);
  const { data } = (await client.call(listAudit, { query: { target_id: id } })).body;
  expect(data.map(({ action }) => action)).toEqual(['platform_key.revoke', 'platform_key.create']);
  expect(data[0]).toMatchObject({ target_label: name, details: { name } });
});

test.each(['nonsense', crypto.randomUUID()])('%s is not found as a key', async (id) => {
  expect(await client.refused(revokePlatformKey, { params: { id } })).toMatchObject({
    status: 404,
    code: 'key_not_found',
  });
});

test('a key needs a name', async () => {
  for (const name of ['', '   ', 'x'.repeat(61)]) {
    expect(await client.refused(createPlatformKey, { body: { name } })).toMatchObject({
      code: 'invalid_request',
      fields: { name: expect.any(String) },
    });
  }
});

test('the number of keys is limited, even with concurrent requests', async () => {
  const own = await startTestApp({ platformKey: null });
  const by = await buildStaff(own, { role: 'creator' });
  const ask = () => by.client.raw('POST', createPlatformKey.path, { body: { name: 'One more' } });
  const replies = await Promise.all(Array.from({ length: PLATFORM_KEYS_MAX + 5 }, ask));
  const made = replies.filter(({ status }) => status === 201);
  expect(made).toHaveLength(PLATFORM_KEYS_MAX);
  expect(await by.client.refused(createPlatformKey, { body: { name: 'x' } })).toMatchObject({
    status: 409,
    code: 'too_many_keys',
  });
  const { data, has_settings_key } = (await by.client.call(listPlatformKeys)).body;
  expect(has_settings_key).toBe(false);
  await by.client.call(revokePlatformKey, { params: { id: data[0]?.id ?? '' } });
  expect((await ask()).status).toBe(201);
  await own.close();
});
