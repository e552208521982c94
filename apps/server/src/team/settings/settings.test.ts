import { getSettings, updateSettings } from '@stagedoor/contract/team/settings';
import { beforeEach, expect, test } from 'vitest';
import { buildStaff } from '../../../test/factories.ts';
import { sharedApp } from '../../../test/test-app.ts';

const app = await sharedApp();
const { admin, client } = await buildStaff(app, { role: 'manager' });

beforeEach(async () => {
  await app.db.kysely.deleteFrom('team_settings').execute();
  await app.db.kysely.insertInto('team_settings').defaultValues().execute();
});

const current = async () => (await client.call(getSettings)).body.data;
const written = () =>
  app.db.kysely
    .selectFrom('audit_log')
    .selectAll()
    .where('action', '=', 'settings.update')
    .execute();

test('a team without changed settings has the default rules', async () => {
  expect(await current()).toEqual({
    version: 1,
    claim_on_first_reply: false,
    release_claims_after_hours: null,
    reopen_on_fan_message: false,
    mass_messages_a_day: 1,
    quiet_from_hour: null,
    quiet_until_hour: null,
    time_zone: 'UTC',
    clock_idle_minutes: 30,
    access_only_on_shift: false,
    earning_period: 'weekly',
  });
});

test('a single rule can be changed, and the audit log has the actor and the old value', async () => {
  const before = await current();
  const before_log = (await written()).length;
  const { body } = await client.call(updateSettings, {
    body: { version: before.version, release_claims_after_hours: 12, claim_on_first_reply: false },
  });
  expect(body.data).toEqual({
    ...before,
    version: before.version + 1,
    release_claims_after_hours: 12,
  });
  const log = await written();
  expect(log).toHaveLength(before_log + 1);
  expect(log.at(-1)).toMatchObject({
    admin_id: admin.id,
    details: { release_claims_after_hours: 12, was: { release_claims_after_hours: null } },
  });
  expect(await current()).toEqual(body.data);
});

test('a change without effect keeps the version and the audit log', async () => {
  const before = await current();
  const log = await written();
  const { body } = await client.call(updateSettings, { body: before });
  expect(body.data).toEqual(before);
  expect(await written()).toEqual(log);
});

test('of two changes based on the same version, one is refused with the stored rules', async () => {
  const { version } = await current();
  const replies = await Promise.all(
    [{ claim_on_first_reply: true }, { reopen_on_fan_message: true }].map((change) =>
      client.raw('PATCH', updateSettings.path, { body: { version, ...change } }),
    ),
  );
  const refused = replies.filter(({ status }) => status === 409);
  expect(replies.map(({ status }) => `${status}`).toSorted()).toEqual(['200', '409']);
  expect(JSON.parse(refused[0]?.text ?? '')).toMatchObject({
    code: 'settings_conflict',
    current: { ...(await current()) },
  });
});

test('a time zone that PostgreSQL doesn’t know is refused', async () => {
  const { version } = await current();
  for (const time_zone of ['US/Pacific-New', 'PST']) {
    const refusal = await client.refused(updateSettings, { body: { version, time_zone } });
    expect(refusal).toMatchObject({
      status: 400,
      fields: { time_zone: 'Must be an IANA time zone' },
    });
  }
});

test('a time zone that is named like an abbreviation is saved as the zone with the same clock', async () => {
  const { version } = await current();
  const { body } = await client.call(updateSettings, { body: { version, time_zone: 'CET' } });
  expect(body.data.time_zone).toBe('Europe/Brussels');
});

test.each([
  { release_claims_after_hours: 0 },
  { release_claims_after_hours: 721 },
  { release_claims_after_hours: 1.5 },
  { claim_on_first_reply: 'yes' },
  { claim_on_first_reply: null },
  { nonsense: true },
])('the rule %o is refused', async (wrong) => {
  const before = await current();
  const { version } = before;
  const refusal = await client.refused(updateSettings, { body: { version, ...wrong } });
  expect(refusal).toMatchObject({ status: 400, code: 'invalid_request' });
  expect(await current()).toEqual(before);
});

test.each([
  [{ earning_period: 'monthly' }, ['earnings']],
  [{ clock_idle_minutes: 45 }, ['shifts']],
  [{ time_zone: 'Asia/Tokyo' }, ['shifts', 'earnings']],
] as const)('a change of %j is emitted to open consoles as %j', async (change, expected) => {
  const socket = await app.connectSocket((await buildStaff(app)).token);
  const { version } = await current();
  await client.call(updateSettings, { body: { version, ...change } });
  for (const what of expected) await socket.nextEvent('shared_updated', (e) => e.what === what);
  const emitted = socket.received('shared_updated').map(({ what }) => what);
  expect(new Set(emitted)).toEqual(new Set(expected));
});
