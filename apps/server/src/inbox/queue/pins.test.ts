import { claimConversation } from '@stagedoor/contract/inbox/conversations';
import { listPins, PINS_MAX, pin, unpin } from '@stagedoor/contract/inbox/queue';
import { eraseFan } from '@stagedoor/contract/platform/platform';
import { removeAdmin } from '@stagedoor/contract/team/admins';
import { expect, test } from 'vitest';
import { buildConversation, buildFan, buildStaff, type Staff } from '../../../test/factories.ts';
import { untilWaiting, whileLocked } from '../../../test/on-database.ts';
import { sharedApp } from '../../../test/test-app.ts';

const app = await sharedApp();

const pinned = async ({ client }: Staff) =>
  (await client.call(listPins)).body.data.map(({ id }) => id);
const pinIt = async ({ client }: Staff, id: string) =>
  (await client.call(pin, { params: { id } })).body.data.map((each) => each.id);

test('pins are per admin, newest first and without duplicates; teammates don’t see them', async () => {
  const [mango, kiwi] = [await buildStaff(app), await buildStaff(app)];
  const [one, two] = [await buildConversation(app), await buildConversation(app)];
  expect(await pinIt(mango, one.id)).toEqual([one.id]);
  expect(await pinIt(mango, two.id)).toEqual([two.id, one.id]);
  expect(await pinIt(mango, one.id)).toEqual([two.id, one.id]);
  expect(await pinIt(mango, one.id.toUpperCase())).toEqual([two.id, one.id]);
  expect(await pinned(kiwi)).toEqual([]);
  await kiwi.client.call(unpin, { params: { id: one.id } });
  expect(await pinned(mango)).toEqual([two.id, one.id]);
  const { body } = await mango.client.call(unpin, { params: { id: two.id } });
  expect(body.data.map(({ id }) => id)).toEqual([one.id]);
});

test('a pin is emitted to all tabs of its admin and to nobody else', async () => {
  const [mango, kiwi] = [await buildStaff(app), await buildStaff(app)];
  const { id } = await buildConversation(app);
  const [own, other] = [await app.connectSocket(mango.token), await app.connectSocket(kiwi.token)];
  await pinIt(mango, id);
  await own.nextEvent('pins_updated');
  await kiwi.client.call(pin, { params: { id } });
  await other.nextEvent('pins_updated');
  expect(other.received('pins_updated')).toHaveLength(1);
});

test(`an admin has at most ${PINS_MAX} pins, even with simultaneous calls`, async () => {
  const mango = await buildStaff(app);
  const fans = await Promise.all(Array.from({ length: PINS_MAX + 3 }, () => buildFan(app)));
  const replies = await Promise.all(
    fans.map(({ conversation_id: id }) => mango.client.raw('PUT', pin.path.replace('{id}', id))),
  );
  const refused = replies.filter(({ status }) => status === 409);
  expect(refused).toHaveLength(3);
  expect(JSON.parse(refused[0]?.text ?? '')).toMatchObject({ code: 'too_many_pins' });
  expect(await pinned(mango)).toHaveLength(PINS_MAX);
});

test('pins are deleted with their fan and with their admin', async () => {
  const [mango, manager] = [await buildStaff(app), await buildStaff(app, { role: 'manager' })];
  const [gone, left] = [await buildConversation(app), await buildConversation(app)];
  await pinIt(mango, gone.id);
  await pinIt(mango, left.id);
  await app.platform.call(eraseFan, { params: { fan: gone.fan.external_id } });
  expect(await pinned(mango)).toEqual([left.id]);
  await manager.client.call(removeAdmin, { params: { id: mango.admin.id } });
  const rows = await app.db.kysely
    .selectFrom('pins')
    .selectAll()
    .where('admin_id', '=', mango.admin.id)
    .execute();
  expect(rows).toEqual([]);
});

test('a pin does not wait for writes that reference its admin', async () => {
  const mango = await buildStaff(app);
  const { id } = await buildConversation(app);
  const lock = `select from admins where id = '${mango.admin.id}' for key share`;
  expect(await whileLocked(app.databaseUrl, lock, () => pinIt(mango, id))).toEqual([id]);
});

test('a simultaneous pin and claim of one conversation by one admin both succeed', async () => {
  const { client } = await buildStaff(app);
  const { id } = await buildConversation(app);
  const params = { id };
  const lock = `select from conversations where id = '${id}' for update`;
  const calls = await whileLocked(app.databaseUrl, lock, async () => {
    const claimed = client.call(claimConversation, { params });
    await untilWaiting(app, 1);
    const isPinned = client.call(pin, { params });
    await untilWaiting(app, 2);
    return [claimed, isPinned];
  });
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200]);
});
