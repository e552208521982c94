import { getConversation } from '@stagedoor/contract/inbox/conversations';
import { listMessages, unsendMessage } from '@stagedoor/contract/messaging/messages';
import { cancelScheduled } from '@stagedoor/contract/messaging/scheduled';
import { removeAdmin, updateAdminPermissions } from '@stagedoor/contract/team/admins';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  buildConversation,
  buildFanMessage,
  buildReply,
  buildStaff,
} from '../../../test/factories.ts';
import { uploadAsStaff } from '../../../test/files.ts';
import { sharedApp, startTestApp, type TestApp } from '../../../test/test-app.ts';
import { until } from '../../../test/until.ts';
import { fanGroup, runCampaign } from '../../../test/worlds/campaigns.ts';
import {
  buildScheduled,
  makeDue,
  scheduledIn,
  storedScheduled,
} from '../../../test/worlds/scheduled.ts';

const app = await sharedApp();
const manager = await buildStaff(app, { role: 'manager' });
const staff = await buildStaff(app);

const messagesIn = async (id: string) =>
  (await manager.client.call(listMessages, { params: { id } })).body.data;
const settled = (id: string, on: TestApp = app) =>
  until('the message is settled', async () => {
    const stored = await storedScheduled(on, id);
    return stored.state !== 'waiting' && stored;
  });
/** Sets how often sending was tried. The sweep of follow-ups skips those that were tried. */
const setAttempts = (id: string, attempts: number) =>
  sql`update scheduled_messages set attempts = ${attempts} where id = ${id}`.execute(app.db.kysely);

test('a due message is sent as its author and emitted live, and leaves the fan’s messages unread', async () => {
  const { id, fan } = await buildConversation(app);
  const made = await buildScheduled(staff, id);
  await buildFanMessage(app, fan, { content: 'Are you there?' });
  const socket = await app.connectSocket(manager.token);
  await makeDue(app, made.id);
  const received = await socket.nextEvent('new_message', (event) => event.conversation_id === id);
  expect(received.message).toMatchObject({ content: 'Later', author: { id: staff.admin.id } });
  expect(await settled(made.id)).toMatchObject({ state: 'sent', message_id: received.message.id });
  const { body } = await manager.client.call(getConversation, { params: { id } });
  expect(body.data.unread_count).toBe(2);
  expect(body.data.waiting_since).not.toBeNull();
  expect((await messagesIn(id)).filter(({ read_at }) => read_at !== null)).toEqual([]);
});

test('a follow-up canceled at the moment of sending leaves its files unused', async () => {
  const { id, fan } = await buildConversation(app);
  const [file] = await uploadAsStaff(staff, id, { data: Buffer.from('x'), filename: 'x.txt' });
  const attachments = [{ id: file?.id ?? '' }];
  const made = await buildScheduled(staff, id, { is_follow_up: true, attachments });
  // As if it had been taken before the fan wrote: only the send itself can notice the fan's message.
  await setAttempts(made.id, 1);
  await buildFanMessage(app, fan);
  await makeDue(app, made.id);
  expect(await settled(made.id)).toMatchObject({
    state: 'cancelled',
    reason: 'Someone wrote first',
  });
  const sent = await buildReply(manager, id);
  expect(sent.seq).toBe(3);
  const again = await buildReply(staff, id, { attachments });
  expect(again.attachments).toHaveLength(1);
});

test.each(['the fan', 'a teammate'])(
  'a follow-up is cancelled once %s has written',
  async (who) => {
    const { id, fan } = await buildConversation(app);
    const made = await buildScheduled(staff, id, { is_follow_up: true });
    const plain = await buildScheduled(staff, id, { content: 'Anyway' });
    if (who === 'the fan') await buildFanMessage(app, fan);
    else await buildReply(manager, id);
    expect(await settled(made.id)).toMatchObject({ state: 'cancelled' });
    expect((await scheduledIn(staff, id)).map(({ content }) => content)).toEqual(['Anyway']);
    await makeDue(app, made.id, plain.id);
    await settled(plain.id);
    expect((await messagesIn(id)).map(({ content }) => content)).not.toContain('Later');
  },
);

test.each(['a mass message', 'an unsent message'])(
  'a follow-up is not cancelled by %s',
  async (what) => {
    const group = fanGroup(app);
    const { conversation_id: id } = await group.add();
    const made = await buildScheduled(staff, id, { is_follow_up: true });
    if (what === 'a mass message') await runCampaign(manager, { audience: group.audience });
    else {
      // The sweep skips the follow-up until the reply is unsent.
      await setAttempts(made.id, 1);
      const { id: reply } = await buildReply(manager, id);
      await manager.client.call(unsendMessage, { params: { id: reply } });
      await setAttempts(made.id, 0);
    }
    // Another follow-up shows that the sweep has run.
    const { id: elsewhere, fan } = await buildConversation(app);
    const other = await buildScheduled(staff, elsewhere, { is_follow_up: true });
    await buildFanMessage(app, fan);
    expect(await settled(other.id)).toMatchObject({ state: 'cancelled' });
    await makeDue(app, made.id);
    expect(await settled(made.id)).toMatchObject({ state: 'sent' });
  },
);

test('a follow-up is sent if nobody has written', async () => {
  const { id } = await buildConversation(app);
  const made = await buildScheduled(staff, id, { is_follow_up: true });
  await makeDue(app, made.id);
  expect(await settled(made.id)).toMatchObject({ state: 'sent' });
});

test('a message whose author lost the right to send fails with the reason, for all to see', async () => {
  const [removed, silenced] = [await buildStaff(app), await buildStaff(app)];
  const { id } = await buildConversation(app);
  const made = [await buildScheduled(removed, id), await buildScheduled(silenced, id)];
  await manager.client.call(removeAdmin, { params: { id: removed.admin.id } });
  await manager.client.call(updateAdminPermissions, {
    params: { id: silenced.admin.id },
    body: { can_manage_messages: false },
  });
  await makeDue(app, ...made.map((each) => each.id));
  for (const each of made) await settled(each.id);
  const open = await scheduledIn(manager, id);
  expect(new Map(open.map((each) => [each.id, `${each.state}: ${each.reason}`]))).toEqual(
    new Map([
      [made[0]?.id, 'failed: The person who scheduled this was removed'],
      [made[1]?.id, 'failed: The person who scheduled this can no longer send messages'],
    ]),
  );
  expect(await messagesIn(id)).toHaveLength(1);
  // Managers can cancel messages that nobody can retry.
  for (const each of made) await manager.client.call(cancelScheduled, { params: { id: each.id } });
  expect(await scheduledIn(manager, id)).toEqual([]);
});

test('forty messages whose first try failed can be canceled at once', async () => {
  const { id } = await buildConversation(app);
  const made = await Promise.all(Array.from({ length: 40 }, () => buildScheduled(staff, id)));
  await sql`update scheduled_messages set attempts = 1 where conversation_id = ${id}`.execute(
    app.db.kysely,
  );
  await Promise.all(
    made.map((each) => staff.client.call(cancelScheduled, { params: { id: each.id } })),
  );
  expect(await scheduledIn(manager, id)).toEqual([]);
});

test('if a process dies between sending and storing the outcome, the next one finds the sent message', async () => {
  const own = await startTestApp();
  const author = await buildStaff(own);
  const { id } = await buildConversation(own);
  const made = await buildScheduled(author, id, { is_follow_up: true });
  await sql`create function dies() returns trigger language plpgsql as $$ begin raise 'dies here'; end $$`.execute(
    own.db.kysely,
  );
  await sql`create trigger dies before update on scheduled_messages for each row
    when (new.state = 'sent') execute function dies()`.execute(own.db.kysely);
  await makeDue(own, made.id);
  const page = async () => (await author.client.call(listMessages, { params: { id } })).body.data;
  await until('it is sent', async () => (await page()).length === 2);
  expect(await storedScheduled(own, made.id)).toMatchObject({ state: 'waiting', attempts: 1 });
  expect(await scheduledIn(author, id)).toEqual([]);
  const refused = await author.client.refused(cancelScheduled, { params: { id: made.id } });
  expect(refused.code).toBe('scheduled_settled');
  await sql`drop trigger dies on scheduled_messages`.execute(own.db.kysely);
  // Another process takes the message once the first one’s time is up.
  const next = await startTestApp({ databaseUrl: own.databaseUrl });
  await makeDue(own, made.id);
  const [, sent] = await page();
  expect(await settled(made.id, own)).toMatchObject({ state: 'sent', message_id: sent?.id });
  expect(await page()).toHaveLength(2);
  await next.close();
  await own.close();
});

test('a message taken by a dead process is sent once its time is up', async () => {
  const { id } = await buildConversation(app);
  const made = await buildScheduled(staff, id);
  await sql`update scheduled_messages set attempts = 1, due_at = now(), taken_until = now() + interval '1 hour'
    where id = ${made.id}`.execute(app.db.kysely);
  const refused = await staff.client.refused(cancelScheduled, { params: { id: made.id } });
  expect(refused.code).toBe('scheduled_settled');
  await makeDue(app, made.id);
  expect(await settled(made.id)).toMatchObject({ state: 'sent' });
});

test('two concurrent nodes send each message once, in any order', async () => {
  const other = await startTestApp({ databaseUrl: app.databaseUrl });
  const ids = [];
  for (let n = 0; n < 5; n++) ids.push((await buildConversation(app)).id);
  const made: string[] = [];
  for (let n = 0; n < 40; n++) {
    const id = ids[n % ids.length] ?? '';
    made.push((await buildScheduled(staff, id, { content: `Number ${n}` })).id);
  }
  await makeDue(app, ...made);
  for (const id of made) expect(await settled(id)).toMatchObject({ state: 'sent' });
  const contents = (await Promise.all(ids.map(messagesIn)))
    .flat()
    .map(({ content }) => content)
    .filter((content) => content.startsWith('Number'));
  expect(contents).toHaveLength(40);
  expect(new Set(contents).size).toBe(40);
  await other.close();
});

test('a temporary failure is retried', async () => {
  const own = await startTestApp();
  const author = await buildStaff(own);
  const { id } = await buildConversation(own);
  const made = await buildScheduled(author, id);
  await sql`create function refuse() returns trigger language plpgsql as $$ begin raise 'not now'; end $$`.execute(
    own.db.kysely,
  );
  await sql`create trigger refused before insert on messages for each row execute function refuse()`.execute(
    own.db.kysely,
  );
  await makeDue(own, made.id);
  await until('it was tried', async () => {
    const { attempts, taken_until } = await storedScheduled(own, made.id);
    return attempts > 0 && taken_until === null;
  });
  expect(await storedScheduled(own, made.id)).toMatchObject({ state: 'waiting' });
  await sql`drop trigger refused on messages`.execute(own.db.kysely);
  await makeDue(own, made.id);
  expect(await settled(made.id, own)).toMatchObject({ state: 'sent' });
  await own.close();
});
