import { claimConversation, getConversation } from '@stagedoor/contract/inbox/conversations';
import { listMessages } from '@stagedoor/contract/messaging/messages';
import { addAdmin, removeAdmin } from '@stagedoor/contract/team/admins';
import { currentAdmin } from '@stagedoor/contract/team/auth';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { buildConversation, buildReply, buildStaff, type Staff } from '../../../test/factories.ts';
import { fetchFile, uploadAsStaff } from '../../../test/files.ts';
import { untilWaiting, whileLocked } from '../../../test/on-database.ts';
import { sharedApp } from '../../../test/test-app.ts';
import { until } from '../../../test/until.ts';
import { buildPicture } from '../../../test/worlds/catalogue.ts';

const app = await sharedApp();
const manager = await buildStaff(app, { role: 'manager' });

const remove = ({ admin }: Staff) => manager.client.call(removeAdmin, { params: { id: admin.id } });
const stateOf = async (id: string) =>
  (await manager.client.call(getConversation, { params: { id } })).body.data;

test('removing an admin ends their sessions and their sockets immediately', async () => {
  const staff = await buildStaff(app);
  const other = await app.insertSession(staff.admin.id);
  const sockets = [
    await app.connectSocket(staff.token),
    await app.connectSocket(other, { transports: ['polling'] }),
  ];
  const { body } = await remove(staff);
  expect(body.data).toMatchObject({ id: staff.admin.id, is_active: false });
  await until('sockets closed', () => sockets.every((s) => !s.socket.connected));
  for (const token of [staff.token, other]) {
    expect((await app.staff(token).raw('GET', currentAdmin.path)).status).toBe(401);
    expect((await app.refusedHandshake(token)).data).toMatchObject({ code: 'unauthorized' });
  }
  const counts = sockets.map((socket) => socket.everything().length);
  const { id } = await buildConversation(app);
  const witness = await app.connectSocket(manager.token);
  await buildReply(manager, id);
  await witness.nextEvent('new_message', (event) => event.conversation_id === id);
  expect(sockets.map((socket) => socket.everything().length)).toEqual(counts);
});

test('removing an admin releases their claims, live for everyone, and changes nothing else', async () => {
  const [staff, teammate] = [await buildStaff(app), await buildStaff(app)];
  const mine = [
    await buildConversation(app, { claimedBy: staff.admin }),
    await buildConversation(app, { claimedBy: staff.admin, status: 'flagged' }),
  ];
  const theirs = await buildConversation(app, { claimedBy: teammate.admin });
  const socket = await app.connectSocket(teammate.token);
  await remove(staff);
  for (const { id } of mine) {
    const received = await socket.nextEvent(
      'conversation_updated',
      ({ conversation }) => conversation.id === id,
    );
    expect(received.conversation).toMatchObject({ claimed_by: null, claimant: null });
    expect(await stateOf(id)).toEqual(received.conversation);
  }
  expect((await stateOf(mine[1]?.id ?? '')).status).toBe('flagged');
  expect((await stateOf(theirs.id)).claimed_by).toBe(teammate.admin.id);
  await teammate.client.call(claimConversation, { params: { id: mine[0]?.id ?? '' } });
});

test('every released conversation of a removed admin is emitted, however many there are', async () => {
  const staff = await buildStaff(app);
  const socket = await app.connectSocket(manager.token);
  await sql`with fan as (insert into fans (external_id) select 'many-' || n from generate_series(1, 300) as n returning id)
    insert into conversations (fan_id, creator_id, claimed_by) select fan.id, creators.id, ${staff.admin.id}
    from fan, creators`.execute(app.db.kysely);
  await remove(staff);
  const freed = () =>
    new Set(
      socket
        .received('conversation_updated')
        .filter(({ conversation }) => conversation.fan.external_id.startsWith('many-'))
        .map(({ conversation }) => conversation.id),
    ).size;
  await until('all releases were emitted', () => freed() === 300);
});

test('a claim concurrent with its admin’s removal leaves no conversation claimed by the removed admin', async () => {
  for (let round = 0; round < 8; round++) {
    const staff = await buildStaff(app);
    const { id } = await buildConversation(app, { messages: [] });
    const path = claimConversation.path.replace('{id}', id);
    await Promise.all([staff.client.raw('POST', path), remove(staff)]);
    expect((await stateOf(id)).claimed_by).toBeNull();
  }
});

test('a removed admin’s file links stop working', async () => {
  const staff = await buildStaff(app);
  const { id } = await buildConversation(app);
  const [photo] = await uploadAsStaff(staff, id, {
    data: await buildPicture(),
    filename: 'photo.png',
  });
  expect((await fetchFile(app, photo?.url)).status).toBe(200);
  await remove(staff);
  expect((await fetchFile(app, photo?.url)).status).toBe(401);
});

test('a removed admin gets no code, and old sessions stay closed after they are restored', async () => {
  const staff = await buildStaff(app, { role: 'moderator' });
  await remove(staff);
  const { body } = await manager.client.call(addAdmin, { body: { email: staff.admin.email } });
  expect(body.data).toMatchObject({ id: staff.admin.id, codename: staff.admin.codename });
  expect((await staff.client.raw('GET', currentAdmin.path)).status).toBe(401);
  const token = await app.signIn(staff.admin.email);
  const me = await app.staff(token).call(currentAdmin);
  expect(me.body.data).toMatchObject({ id: staff.admin.id, role: 'support' });
});

test('a removed admin stays the author of their messages', async () => {
  const staff = await buildStaff(app);
  const { id } = await buildConversation(app);
  await buildReply(staff, id, { content: 'from someone who left' });
  await remove(staff);
  const { body } = await manager.client.call(listMessages, { params: { id } });
  const message = body.data.find(({ content }) => content === 'from someone who left');
  expect(message?.author).toMatchObject({ id: staff.admin.id, codename: staff.admin.codename });
});

test('a call of an admin who is being removed does not wait for the removal, and both succeed', async () => {
  const staff = await buildStaff(app);
  const newer = app.staff(await app.insertSession(staff.admin.id));
  // Old enough that the call records the use of its session.
  await app.db.kysely
    .updateTable('sessions')
    .set({ last_used_at: sql`now() - interval '5 minutes'` })
    .where('admin_id', '=', staff.admin.id)
    .execute();
  // Locking this session stops the removal after it has locked the admin's row.
  const lock = `select from sessions where admin_id = '${staff.admin.id}' order by created_at limit 1 for update`;
  const { removing, call } = await whileLocked(app.databaseUrl, lock, async () => {
    const removing = remove(staff);
    await untilWaiting(app, 1);
    return { removing, call: await newer.call(currentAdmin) };
  });
  expect(call.body.data.id).toBe(staff.admin.id);
  await removing;
  expect((await newer.refused(currentAdmin)).status).toBe(401);
});
