import { updateGuardRails } from '@stagedoor/contract/messaging/guard-rails';
import { listMessages } from '@stagedoor/contract/messaging/messages';
import {
  cancelScheduled,
  SCHEDULED_MAX,
  scheduleMessage,
  sendScheduledNow,
  updateScheduled,
} from '@stagedoor/contract/messaging/scheduled';
import { eraseFan } from '@stagedoor/contract/platform/platform';
import { listAudit } from '@stagedoor/contract/team/audit';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { buildConversation, buildStaff, type Staff, unique } from '../../../test/factories.ts';
import { uploadAsStaff } from '../../../test/files.ts';
import { sharedApp, startTestApp } from '../../../test/test-app.ts';
import { sweepUp } from '../../../test/traces.ts';
import { until } from '../../../test/until.ts';
import { buildProduct } from '../../../test/worlds/catalogue.ts';
import {
  buildScheduled,
  hoursAhead,
  makeDue,
  scheduledBy,
  scheduledIn,
  storedScheduled,
} from '../../../test/worlds/scheduled.ts';

const app = await sharedApp();
const manager = await buildStaff(app, { role: 'manager' });

const messagesIn = async (id: string) =>
  (await manager.client.call(listMessages, { params: { id } })).body.data;
const refusal = async (answer: Promise<{ status: number; code: string }>) => {
  const { status, code } = await answer;
  return `${status} ${code}`;
};
const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id);

test('a scheduled message waits for its time and is visible to everyone in its conversation', async () => {
  const [staff, teammate] = [await buildStaff(app), await buildStaff(app)];
  const { id } = await buildConversation(app, { fan: { first_name: 'Ana' } });
  const send_at = hoursAhead(2);
  const made = await buildScheduled(staff, id, { content: ' Good morning ', send_at });
  expect(made).toMatchObject({
    conversation_id: id,
    fan: { first_name: 'Ana' },
    author: { id: staff.admin.id },
    content: 'Good morning',
    attachments: [],
    send_at,
    is_follow_up: false,
    state: 'waiting',
    reason: null,
    version: 1,
  });
  expect(await scheduledIn(teammate, id)).toEqual([made]);
  expect(await scheduledBy(staff)).toEqual([made]);
  expect(await scheduledBy(teammate)).toEqual([]);
  expect(await messagesIn(id)).toHaveLength(1);
});

test('managers see all scheduled messages, other admins only their own', async () => {
  const staff = await buildStaff(app);
  const { id } = await buildConversation(app);
  const made = await buildScheduled(staff, id);
  expect(ids(await scheduledBy(manager, 'all'))).toContain(made.id);
  const asked = staff.client.raw('GET', '/api/messages/admin/scheduled', {
    query: { scope: 'all' },
  });
  expect((await asked).status).toBe(403);
});

test('the same message under the same id is scheduled once', async () => {
  const staff = await buildStaff(app);
  const { id } = await buildConversation(app);
  const input = {
    params: { id },
    headers: { 'idempotency-key': unique('key') },
    body: { content: 'Later', send_at: hoursAhead(1) },
  };
  const replies = await Promise.all([1, 2, 3].map(() => staff.client.call(scheduleMessage, input)));
  expect(new Set(replies.map(({ body }) => body.data.id)).size).toBe(1);
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 201]);
  expect(await scheduledBy(staff)).toHaveLength(1);
});

test.each([
  ['nothing to send', { content: ' ' }, '400 invalid_request'],
  ['a time that is over', { send_at: hoursAhead(-1) }, '400 invalid_request'],
  ['a time beyond a year', { send_at: hoursAhead(24 * 367) }, '400 invalid_request'],
  ['no time', { send_at: undefined }, '400 invalid_request'],
  ['a file that is not there', { attachments: [{ id: unique('x') }] }, '400 invalid_attachment'],
])('%s is refused immediately', async (_what, part, expected) => {
  const { id } = await buildConversation(app);
  const body = { content: 'Later', send_at: hoursAhead(1), ...part };
  const asked = manager.client.refused(scheduleMessage, { params: { id }, body });
  expect(await refusal(asked)).toBe(expected);
});

test('its author can change, cancel and send it; a manager can cancel it, which is in the audit log', async () => {
  const [staff, teammate] = [await buildStaff(app), await buildStaff(app)];
  const { id } = await buildConversation(app);
  const made = await buildScheduled(staff, id);
  const params = { id: made.id };
  for (const endpoint of [updateScheduled, cancelScheduled, sendScheduledNow]) {
    const body = endpoint === updateScheduled ? { version: 1, content: 'x' } : undefined;
    const asked = teammate.client.refused(endpoint, { params, ...(body && { body }) });
    expect(await refusal(asked)).toBe('403 permission_required');
  }
  const send_at = hoursAhead(5);
  const changed = await staff.client.call(updateScheduled, {
    params,
    body: { version: 1, content: 'Changed', send_at, is_follow_up: true },
  });
  expect(changed.body.data).toMatchObject({
    content: 'Changed',
    send_at,
    is_follow_up: true,
    version: 2,
  });
  const stale = staff.client.refused(updateScheduled, {
    params,
    body: { version: 1, content: 'x' },
  });
  expect(await refusal(stale)).toBe('409 edit_conflict');
  await manager.client.call(cancelScheduled, { params });
  expect(await scheduledIn(staff, id)).toEqual([]);
  expect(await refusal(staff.client.refused(cancelScheduled, { params }))).toBe(
    '409 scheduled_settled',
  );
  const { body } = await manager.client.call(listAudit, {
    query: { action: 'scheduled.cancel_for_other' },
  });
  expect(body.data[0]).toMatchObject({
    target_id: id,
    details: { scheduled_by: staff.admin.id },
  });
  await makeDue(app, made.id);
  const other = await buildScheduled(staff, id);
  await staff.client.call(sendScheduledNow, { params: { id: other.id } });
  expect((await messagesIn(id)).map(({ content }) => content)).toEqual(['Hello there', 'Later']);
});

test('sending now sends it once; then it can’t be sent, changed or canceled', async () => {
  const staff = await buildStaff(app);
  const { id } = await buildConversation(app);
  const made = await buildScheduled(staff, id, { is_follow_up: true });
  const params = { id: made.id };
  const replies = await Promise.all(
    [1, 2, 3].map(() => staff.client.raw('POST', `/api/messages/admin/scheduled/${made.id}/send`)),
  );
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
  const [, sent] = await messagesIn(id);
  expect(sent).toMatchObject({ content: 'Later', author: { id: staff.admin.id } });
  expect(await messagesIn(id)).toHaveLength(2);
  for (const endpoint of [cancelScheduled, sendScheduledNow])
    expect(await refusal(staff.client.refused(endpoint, { params }))).toBe('409 scheduled_settled');
});

test('the file of a scheduled message is kept and sent with it; the file of a canceled message is swept', async () => {
  const staff = await buildStaff(app);
  const { id } = await buildConversation(app);
  const files = await uploadAsStaff(
    staff,
    id,
    { data: Buffer.from('kept'), filename: 'kept.txt' },
    { data: Buffer.from('dropped'), filename: 'dropped.txt' },
  );
  const [kept, dropped] = files;
  const send_at = hoursAhead(72);
  const attachments = [{ id: kept?.id ?? '' }];
  const made = await buildScheduled(staff, id, { content: '', attachments, send_at });
  expect(made.attachments).toEqual([{ input: attachments[0], type: 'file', label: 'kept.txt' }]);
  const other = await buildScheduled(staff, id, {
    attachments: [{ id: dropped?.id ?? '' }],
    send_at,
  });
  await staff.client.call(cancelScheduled, { params: { id: other.id } });
  // Two days pass.
  await sql`update uploads set created_at = created_at - interval '2 days' where conversation_id = ${id}`.execute(
    app.db.kysely,
  );
  await sweepUp(app);
  const left = await app.db.kysely
    .selectFrom('uploads')
    .select('id')
    .where('conversation_id', '=', id)
    .execute();
  expect(ids(left)).toEqual([kept?.id]);
  await makeDue(app, made.id);
  const sent = await until('it is sent', async () => (await messagesIn(id))[1]);
  expect(sent.attachments.map(({ filename }) => filename)).toEqual(['kept.txt']);
});

test('a product is sent at the price set when it was scheduled', async () => {
  const staff = await buildStaff(app);
  const product = await buildProduct(manager);
  const { id } = await buildConversation(app);
  const offer = { product_id: product.id, price: 25, is_paid: true as const };
  const made = await buildScheduled(staff, id, { content: ' ', attachments: [offer] });
  expect(made.attachments).toEqual([{ input: offer, type: 'image', label: product.title }]);
  await makeDue(app, made.id);
  const sent = await until('it is sent', async () => (await messagesIn(id))[1]);
  expect(sent.attachments[0]).toMatchObject({ product_id: product.id, price: 25 });
});

test('a message whose words were banned since fails with the reason, and is sent after a change', async () => {
  const own = await startTestApp();
  const [staff, boss] = [await buildStaff(own), await buildStaff(own, { role: 'manager' })];
  const { id } = await buildConversation(own);
  const made = await buildScheduled(staff, id, { content: 'To the hotel' });
  const rails = { version: 1, banned_words: ['hotel'], price_min: null, price_max: null };
  await boss.client.call(updateGuardRails, { body: rails });
  const body = { content: 'Which hotel?', send_at: hoursAhead(1) };
  const asked = staff.client.refused(scheduleMessage, { params: { id }, body });
  expect(await refusal(asked)).toBe('422 banned_words');
  await makeDue(own, made.id);
  const failed = await until('it has failed', async () =>
    (await scheduledIn(staff, id)).find(({ state }) => state === 'failed'),
  );
  expect(failed.reason).toBe('Remove these words: hotel');
  const params = { id: made.id };
  const change = { version: failed.version, content: 'To the beach', send_at: hoursAhead(1) };
  const { body: again } = await staff.client.call(updateScheduled, { params, body: change });
  expect(again.data).toMatchObject({ state: 'waiting', reason: null });
  await staff.client.call(sendScheduledNow, { params });
  const { body: page } = await staff.client.call(listMessages, { params: { id } });
  expect(page.data.map(({ content }) => content)).toEqual(['Hello there', 'To the beach']);
  await own.close();
});

test('changes are emitted to all staff with the conversation', async () => {
  const [staff, teammate]: Staff[] = [await buildStaff(app), await buildStaff(app)];
  const { id } = await buildConversation(app);
  if (!staff || !teammate) throw new Error('nobody is there');
  const socket = await app.connectSocket(teammate.token);
  const nextUpdate = () =>
    socket.nextEvent(
      'shared_updated',
      ({ what, conversation_id }) => what === 'scheduled' && conversation_id === id,
    );
  const made = await buildScheduled(staff, id);
  await nextUpdate();
  await makeDue(app, made.id);
  await nextUpdate();
  expect(await scheduledIn(teammate, id)).toEqual([]);
});

test(`an admin may have ${SCHEDULED_MAX} waiting messages`, async () => {
  const staff = await buildStaff(app);
  const { id } = await buildConversation(app);
  await sql`insert into scheduled_messages
      (conversation_id, admin_id, client_id, content, send_at, due_at, is_follow_up, after_seq)
    select ${id}, ${staff.admin.id}, n::text, 'x', now() + interval '1 day', now() + interval '1 day', false, 1
    from generate_series(1, ${SCHEDULED_MAX - 1}) n`.execute(app.db.kysely);
  await buildScheduled(staff, id);
  const body = { content: 'x', send_at: hoursAhead(1) };
  const asked = staff.client.refused(scheduleMessage, { params: { id }, body });
  expect(await refusal(asked)).toBe('409 too_many_scheduled');
});

test('scheduled messages are deleted with their fan', async () => {
  const { id, fan } = await buildConversation(app);
  const made = await buildScheduled(manager, id);
  await app.platform.call(eraseFan, { params: { fan: fan.external_id } });
  await expect(storedScheduled(app, made.id)).rejects.toThrow();
});
