import {
  createStatement,
  deleteStatement,
  listStatements,
  STATEMENTS_MAX,
  type StatementInput,
  updateStatement,
} from '@stagedoor/contract/fans/statements';
import { eraseFan } from '@stagedoor/contract/platform/platform';
import { listAudit } from '@stagedoor/contract/team/audit';
import { expect, test } from 'vitest';
import { buildConversation, buildReply, buildStaff } from '../../../test/factories.ts';
import { sharedApp } from '../../../test/test-app.ts';

const app = await sharedApp();
const staff = await buildStaff(app);
const teammate = await buildStaff(app);
const manager = await buildStaff(app, { role: 'manager' });

const FRIDAY = '2031-03-14T18:00:00.000Z';

const listOf = async (id: string) =>
  (await teammate.client.call(listStatements, { params: { id } })).body.data;
const note = async (id: string, body: StatementInput) =>
  (await staff.client.call(createStatement, { params: { id }, body })).body.data;
const me = ({ admin: { id, codename, display_color } }: typeof staff) => ({
  id,
  codename,
  display_color,
});

test('every teammate can read a statement with its author and message', async () => {
  const { id } = await buildConversation(app);
  const said = await buildReply(staff, id, { content: 'I have a dog called Milo' });
  const body = { text: '  has a dog called Milo ', message_id: said.id };
  const reply = await staff.client.call(createStatement, { params: { id }, body });
  expect(reply.status).toBe(201);
  expect(reply.body.data).toEqual({
    id: expect.any(String),
    conversation_id: id,
    text: 'has a dog called Milo',
    message_id: said.id,
    due_at: null,
    done_at: null,
    done_by: null,
    author: me(staff),
    created_at: expect.any(String),
    version: 1,
  });
  const promise = await note(id, { text: 'a video', due_at: FRIDAY });
  expect(promise).toMatchObject({ due_at: FRIDAY, done_at: null, message_id: null });
  const listed = await listOf(id);
  expect(listed).toHaveLength(2);
  expect(listed).toEqual(expect.arrayContaining([reply.body.data, promise]));
});

test('a promise can be marked as done, with the admin and the time, and reopened', async () => {
  const { id } = await buildConversation(app);
  const { id: promise } = await note(id, { text: 'a video', due_at: FRIDAY });
  const params = { id: promise };
  const done = await teammate.client.call(updateStatement, {
    params,
    body: { done: true, version: 1 },
  });
  expect(done.body.data).toMatchObject({
    version: 2,
    done_at: expect.any(String),
    done_by: me(teammate),
    author: me(staff),
  });
  const again = await staff.client.call(updateStatement, { params, body: { done: true } });
  expect(again.body.data).toMatchObject({
    done_at: done.body.data.done_at,
    done_by: me(teammate),
  });
  const open = await staff.client.call(updateStatement, { params, body: { done: false } });
  expect(open.body.data).toMatchObject({ version: 4, done_at: null, done_by: null });
});

test('a change based on an older version is refused with the stored statement', async () => {
  const { id } = await buildConversation(app);
  const { id: promise } = await note(id, { text: 'a video', due_at: FRIDAY });
  const params = { id: promise };
  const later = '2031-03-15T18:00:00.000Z';
  const { body } = await teammate.client.call(updateStatement, {
    params,
    body: { text: 'a long video', due_at: later, version: 1 },
  });
  const refusal = await staff.client.refused(updateStatement, {
    params,
    body: { text: 'a photo', version: 1 },
  });
  expect(refusal).toMatchObject({ status: 409, code: 'statement_conflict' });
  expect((JSON.parse(refusal.text) as { current: unknown }).current).toEqual(body.data);
  expect(await listOf(id)).toEqual([body.data]);
  const won = await staff.client.call(updateStatement, { params, body: { text: 'a photo' } });
  expect(won.body.data).toMatchObject({ text: 'a photo', due_at: later, version: 3 });
});

test('of simultaneous changes based on one version, one wins', async () => {
  const { id } = await buildConversation(app);
  const { id: statement } = await note(id, { text: 'first' });
  const replies = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      staff.client.raw('PATCH', `/api/messages/admin/statements/${statement}`, {
        body: { text: `writer ${index}`, version: 1 },
      }),
    ),
  );
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(replies.filter(({ status }) => status === 409)).toHaveLength(11);
});

test('a retry with the same id returns the same statement; the id of another’s statement is refused', async () => {
  const { id } = await buildConversation(app);
  const own = crypto.randomUUID();
  const body = { id: own, text: 'has a dog' };
  const replies = await Promise.all(
    Array.from({ length: 6 }, () =>
      staff.client.raw('POST', `/api/messages/admin/conversation/${id}/statements`, { body }),
    ),
  );
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(5);
  expect(await listOf(id)).toMatchObject([{ id: own, text: 'has a dog' }]);
  const other = await buildConversation(app);
  for (const [{ client }, to] of [
    [teammate, id],
    [staff, other.id],
  ] as const) {
    expect(await client.refused(createStatement, { params: { id: to }, body })).toMatchObject({
      status: 409,
      code: 'idempotency_conflict',
    });
  }
});

test('a different statement under a used id is refused with the stored one', async () => {
  const { id } = await buildConversation(app);
  const [first, second] = [await buildReply(staff, id), await buildReply(staff, id)];
  const body = {
    id: crypto.randomUUID(),
    text: 'a video',
    message_id: first.id,
    due_at: '2031-03-14T19:00:00+01:00',
  };
  const stored = await note(id, body);
  for (const change of [
    { text: 'a photo' },
    { message_id: second.id },
    { message_id: null },
    { due_at: '2031-03-15T18:00:00Z' },
    { due_at: null },
  ]) {
    const refusal = await staff.client.refused(createStatement, {
      params: { id },
      body: { ...body, ...change },
    });
    expect(refusal).toMatchObject({ status: 409, code: 'statement_conflict' });
    expect((JSON.parse(refusal.text) as { current: unknown }).current).toEqual(stored);
  }
  const retry = await staff.client.call(createStatement, { params: { id }, body });
  expect(retry).toMatchObject({ status: 200, body: { data: stored } });
  const params = { id: stored.id };
  await teammate.client.call(updateStatement, { params, body: { text: 'a long video' } });
  expect(await note(id, body)).toMatchObject({ text: 'a long video', version: 2 });
});

test('a fan has at most 50 statements and 50 open promises, even with simultaneous calls', async () => {
  const { id } = await buildConversation(app);
  const path = `/api/messages/admin/conversation/${id}/statements`;
  const fill = (body: object) =>
    Promise.all(
      Array.from({ length: STATEMENTS_MAX + 5 }, () => staff.client.raw('POST', path, { body })),
    );
  const refused = (await fill({ text: 'x' })).filter(({ status }) => status === 409);
  expect(refused).toHaveLength(5);
  expect(refused[0]?.text).toContain('too_many_statements');
  const promised = await fill({ text: 'x', due_at: FRIDAY });
  expect(promised.filter(({ status }) => status === 201)).toHaveLength(STATEMENTS_MAX);
  const { data: first } = JSON.parse(promised.find(({ status }) => status === 201)?.text ?? '') as {
    data: { id: string };
  };
  const params = { id: first.id };
  await staff.client.call(updateStatement, { params, body: { done: true } });
  await note(id, { text: 'one more', due_at: FRIDAY });
  expect(
    await staff.client.refused(updateStatement, { params, body: { done: false } }),
  ).toMatchObject({ status: 409, code: 'too_many_statements' });
  await staff.client.call(deleteStatement, { params });
  expect(await listOf(id)).toHaveLength(2 * STATEMENTS_MAX);
});

test('each change is emitted to all staff and to no fan', async () => {
  const { id } = await buildConversation(app);
  const socket = await app.connectSocket(teammate.token);
  const nextUpdate = () =>
    socket.nextEvent('statements_changed', (event) => event.conversation_id === id);
  const { id: statement } = await note(id, { text: 'a secret', due_at: FRIDAY });
  expect(await nextUpdate()).toEqual({ conversation_id: id });
  await staff.client.call(updateStatement, { params: { id: statement }, body: { done: true } });
  await nextUpdate();
  await staff.client.call(deleteStatement, { params: { id: statement } });
  await nextUpdate();
  expect(await listOf(id)).toEqual([]);
  socket.close();
});

test('every change is audited without the text', async () => {
  const { id } = await buildConversation(app, { fan: { first_name: 'Rosa' } });
  const { id: statement } = await note(id, { text: 'a secret word' });
  await staff.client.call(updateStatement, {
    params: { id: statement },
    body: { text: 'a changed secret' },
  });
  await staff.client.call(deleteStatement, { params: { id: statement } });
  const { id: promise } = await note(id, { text: 'a secret', due_at: FRIDAY });
  for (const done of [true, false]) {
    await staff.client.call(updateStatement, { params: { id: promise }, body: { done } });
  }
  const { body, text } = await manager.client.call(listAudit, { query: { target_id: id } });
  expect(text).not.toContain('secret');
  expect(body.data.map(({ action }) => action)).toEqual([
    'promise.reopen',
    'promise.keep',
    'promise.make',
    'statement.remove',
    'statement.change',
    'statement.pin',
  ]);
  for (const entry of body.data) {
    expect(entry).toMatchObject({ target_label: 'Rosa', admin: { id: staff.admin.id } });
  }
});

test('an unknown message or one of another fan is refused', async () => {
  const { id } = await buildConversation(app);
  const other = await buildConversation(app);
  for (const message_id of [other.messages[0]?.id ?? '', crypto.randomUUID(), 'nonsense']) {
    const body = { text: 'x', message_id };
    expect(await staff.client.refused(createStatement, { params: { id }, body })).toMatchObject({
      status: 404,
      code: 'message_not_found',
    });
  }
  expect(await listOf(id)).toEqual([]);
});

test('erasing the fan deletes their statements', async () => {
  const { id, fan } = await buildConversation(app);
  const { id: statement } = await note(id, { text: 'has a dog' });
  await app.platform.call(eraseFan, { params: { fan: fan.external_id } });
  expect(
    await app.db.kysely.selectFrom('fan_statements').where('id', '=', statement).execute(),
  ).toEqual([]);
  const gone = { status: 404, code: 'statement_not_found' };
  const params = { id: statement };
  expect(
    await staff.client.refused(updateStatement, { params, body: { text: 'x' } }),
  ).toMatchObject(gone);
  expect(await staff.client.refused(deleteStatement, { params })).toMatchObject(gone);
  expect(await staff.client.refused(listStatements, { params: { id } })).toMatchObject({
    status: 404,
    code: 'conversation_not_found',
  });
});

test.each([
  { text: ' ' },
  { text: 'x'.repeat(1_001) },
  { text: 'x', due_at: 'on Friday' },
  { text: 'x', due_at: '9999-01-01T00:00:00Z' },
  { text: 'x', id: 'nonsense' },
  { text: 'x', done: true },
])('the statement %o is refused', async (body) => {
  const { id } = await buildConversation(app);
  const path = `/api/messages/admin/conversation/${id}/statements`;
  expect((await staff.client.raw('POST', path, { body })).status).toBe(400);
  expect(await listOf(id)).toEqual([]);
});

test('a statement that isn’t a promise has no due time and can’t be done', async () => {
  const { id } = await buildConversation(app);
  const { id: statement } = await note(id, { text: 'has a dog' });
  for (const body of [{ done: true }, { due_at: FRIDAY }]) {
    const refusal = await staff.client.refused(updateStatement, {
      params: { id: statement },
      body,
    });
    expect(refusal).toMatchObject({ status: 400, code: 'invalid_request' });
  }
});
