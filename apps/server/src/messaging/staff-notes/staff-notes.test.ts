import { randomUUID } from 'node:crypto';
import { getConversation, inboxStats } from '@stagedoor/contract/inbox/conversations';
import { mentionOf } from '@stagedoor/contract/messaging/mention-text';
import { listMessages } from '@stagedoor/contract/messaging/messages';
import {
  createStaffNote,
  deleteStaffNote,
  listStaffNotes,
  STAFF_NOTE_MAX_CHARS,
  STAFF_NOTE_MENTIONS_MAX,
  type StaffNote,
  updateStaffNote,
} from '@stagedoor/contract/messaging/staff-notes';
import { eraseFan } from '@stagedoor/contract/platform/platform';
import { removeAdmin, updateAdminCodename } from '@stagedoor/contract/team/admins';
import { listAudit } from '@stagedoor/contract/team/audit';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  buildAdmin,
  buildConversation,
  buildFanMessage,
  buildReply,
  buildStaff,
  type Staff,
  unique,
} from '../../../test/factories.ts';
import { sharedApp } from '../../../test/test-app.ts';
import { until } from '../../../test/until.ts';

const app = await sharedApp();
const manager = await buildStaff(app, { role: 'manager' });

async function buildNote(staff: Staff, id: string, content = 'Careful here'): Promise<StaffNote> {
  const body = { client_id: unique('note'), content };
  return (await staff.client.call(createStaffNote, { params: { id }, body })).body.data;
}
const notesOf = async (id: string, query = {}) =>
  (await manager.client.call(listStaffNotes, { params: { id }, query })).body;
const paramsOf = ({ id: noteId, conversation_id: id }: StaffNote) => ({ params: { id, noteId } });

test('every admin can leave notes, which all staff can read and get live', async () => {
  const silenced = await buildStaff(app, { can_manage_messages: false });
  const { id } = await buildConversation(app);
  const socket = await app.connectSocket(manager.token);
  const note = await buildNote(silenced, id, '  Wants a discount\n');
  const { id: authorId, codename, display_color } = silenced.admin;
  expect(note).toMatchObject({
    conversation_id: id,
    content: 'Wants a discount',
    author: { id: authorId, codename, display_color },
    mentions: [],
    edited_at: null,
    version: 1,
  });
  expect(await socket.nextEvent('staff_note_saved')).toEqual({ note, mentioned: [] });
  expect((await notesOf(id)).data).toEqual([note]);
});

test('a note does not change the conversation and is in no list of messages', async () => {
  const { id } = await buildConversation(app);
  const before = (await manager.client.call(getConversation, { params: { id } })).body;
  const messages = (await manager.client.call(listMessages, { params: { id } })).body;
  const note = await buildNote(manager, id);
  await manager.client.call(updateStaffNote, { ...paramsOf(note), body: { content: 'Other' } });
  await manager.client.call(deleteStaffNote, paramsOf(note));
  expect((await manager.client.call(getConversation, { params: { id } })).body).toEqual(before);
  expect((await manager.client.call(listMessages, { params: { id } })).body).toEqual(messages);
});

test('a retry returns the same note, and its id is refused for another one', async () => {
  const [staff, { id }, other] = [
    await buildStaff(app),
    await buildConversation(app),
    await buildConversation(app),
  ];
  const body = { client_id: unique('note'), content: 'Once' };
  const replies = await Promise.all(
    Array.from({ length: 4 }, () => staff.client.call(createStaffNote, { params: { id }, body })),
  );
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    200, 200, 200, 201,
  ]);
  expect((await notesOf(id)).data).toHaveLength(1);
  for (const [params, content] of [
    [{ id }, 'Twice'],
    [{ id: other.id }, 'Once'],
  ] as const) {
    const refusal = await staff.client.refused(createStaffNote, {
      params,
      body: { ...body, content },
    });
    expect(refusal).toMatchObject({ status: 409, code: 'idempotency_conflict' });
  }
  // Another author can use the same client id.
  expect((await manager.client.call(createStaffNote, { params: { id }, body })).status).toBe(201);
});

test('a retry returns the note even after its author changed it', async () => {
  const { id } = await buildConversation(app);
  const body = { client_id: unique('note'), content: 'First' };
  const first = (await manager.client.call(createStaffNote, { params: { id }, body })).body.data;
  await manager.client.call(updateStaffNote, { ...paramsOf(first), body: { content: 'Second' } });
  const again = await manager.client.call(createStaffNote, { params: { id }, body });
  expect(again).toMatchObject({ status: 200, body: { data: { id: first.id, content: 'Second' } } });
});

test('authors edit and delete their own notes, managers delete any, and each change is in the audit log', async () => {
  const [author, teammate] = [await buildStaff(app), await buildStaff(app)];
  const { id } = await buildConversation(app);
  const [note, another] = [await buildNote(author, id), await buildNote(author, id)];
  const socket = await app.connectSocket(teammate.token);
  for (const refused of [
    await teammate.client.refused(updateStaffNote, { ...paramsOf(note), body: { content: 'x' } }),
    await manager.client.refused(updateStaffNote, { ...paramsOf(note), body: { content: 'x' } }),
    await teammate.client.refused(deleteStaffNote, paramsOf(note)),
  ]) {
    expect(refused).toMatchObject({ status: 403, code: 'not_note_author' });
  }
  const changed = await author.client.call(updateStaffNote, {
    ...paramsOf(note),
    body: { content: 'Better' },
  });
  expect(changed.body.data).toMatchObject({ content: 'Better', version: 2 });
  expect(changed.body.data.edited_at).not.toBeNull();
  expect((await socket.nextEvent('staff_note_saved')).note).toEqual(changed.body.data);
  await author.client.call(deleteStaffNote, paramsOf(note));
  await manager.client.call(deleteStaffNote, paramsOf(another));
  for (const gone of [note, another]) {
    const expected = { conversation_id: id, id: gone.id };
    expect(await socket.nextEvent('staff_note_deleted', (event) => event.id === gone.id)).toEqual(
      expected,
    );
  }
  expect((await notesOf(id)).data).toEqual([]);
  const log = await manager.client.call(listAudit, { query: { target_id: id } });
  expect(log.body.data.map(({ action, admin, details }) => [action, admin?.id, details])).toEqual([
    [
      'conversation.delete_staff_note',
      manager.admin.id,
      { note_id: another.id, author_id: author.admin.id },
    ],
    [
      'conversation.delete_staff_note',
      author.admin.id,
      { note_id: note.id, author_id: author.admin.id },
    ],
    [
      'conversation.edit_staff_note',
      author.admin.id,
      { note_id: note.id, author_id: author.admin.id },
    ],
  ]);
});

test('a note is found only in its own conversation', async () => {
  const [{ id }, other] = [await buildConversation(app), await buildConversation(app)];
  const note = await buildNote(manager, id);
  const elsewhere = { params: { id: other.id, noteId: note.id } };
  const refusals = [
    await manager.client.refused(updateStaffNote, { ...elsewhere, body: { content: 'x' } }),
    await manager.client.refused(deleteStaffNote, elsewhere),
    await manager.client.refused(deleteStaffNote, { params: { id, noteId: randomUUID() } }),
    await manager.client.refused(deleteStaffNote, { params: { id: 'x', noteId: 'y' } }),
  ];
  for (const { code } of refusals) expect(code).toBe('staff_note_not_found');
  expect((await notesOf(id)).data).toHaveLength(1);
});

test('an unknown conversation has no notes', async () => {
  for (const id of [randomUUID(), 'nothing']) {
    const body = { client_id: '1', content: 'x' };
    const refusals = [
      await manager.client.refused(listStaffNotes, { params: { id } }),
      await manager.client.refused(createStaffNote, { params: { id }, body }),
    ];
    for (const refusal of refusals)
      expect(refusal).toMatchObject({ status: 404, code: 'conversation_not_found' });
  }
});

test('a note must not be blank or too long', async () => {
  const { id } = await buildConversation(app);
  const write = (content: string) =>
    manager.client.raw('POST', createStaffNote.path.replace('{id}', id), {
      body: { client_id: unique('note'), content },
    });
  expect((await write('x'.repeat(STAFF_NOTE_MAX_CHARS))).status).toBe(201);
  const many = Array.from({ length: STAFF_NOTE_MENTIONS_MAX + 1 }, () => mentionOf(randomUUID()));
  for (const content of [' \n ', 'x'.repeat(STAFF_NOTE_MAX_CHARS + 1), 'a\u0000b', many.join(' ')])
    expect((await write(content)).status, content.slice(0, 10)).toBe(400);
});

test('the notes of a time span are listed newest first, page by page, each once', async () => {
  const { id, fan } = await buildConversation(app);
  const written: StaffNote[] = [];
  for (let n = 0; n < 3; n++) written.push(await buildNote(manager, id, `Before ${n}`));
  const message = await buildFanMessage(app, fan);
  for (let n = 0; n < 5; n++) written.push(await buildNote(manager, id, `After ${n}`));
  // Two with the same instant.
  await sql`update staff_notes set created_at = ${written[5]?.created_at}
    where id = ${written[6]?.id}`.execute(app.db.kysely);
  const read: StaffNote[] = [];
  let cursor: string | null = null;
  do {
    const page: { data: StaffNote[]; next_cursor: string | null } = await notesOf(id, {
      limit: 2,
      ...(cursor !== null && { cursor }),
    });
    expect(page.data.length).toBeLessThanOrEqual(2);
    read.unshift(...page.data);
    cursor = page.next_cursor;
  } while (cursor !== null);
  expect(new Set(read.map((note) => note.id))).toEqual(new Set(written.map((note) => note.id)));
  expect(read).toHaveLength(written.length);
  const textsOf = async (query: object) =>
    (await notesOf(id, query)).data.map(({ content }) => content);
  expect(await textsOf({ to: message.created_at })).toEqual(['Before 0', 'Before 1', 'Before 2']);
  expect((await textsOf({ from: message.created_at })).toSorted()).toEqual(
    [0, 1, 2, 3, 4].map((n) => `After ${n}`),
  );
  const yearZero = Buffer.from(`["0000-01-01T00:00:00.000Z","${id}"]`).toString('base64url');
  for (const refused of ['nonsense', yearZero]) {
    const { status } = await manager.client.raw('GET', listStaffNotes.path.replace('{id}', id), {
      query: { cursor: refused },
    });
    expect(status).toBe(400);
  }
});

test('a note is placed after the message before it', async () => {
  const { id } = await buildConversation(app);
  const reply = await buildReply(manager, id);
  const note = await buildNote(manager, id);
  const next = await buildReply(manager, id);
  expect([reply.created_at, note.created_at, next.created_at].toSorted()).toEqual([
    reply.created_at,
    note.created_at,
    next.created_at,
  ]);
});

test('mentions show an admin’s current codename, even after their removal', async () => {
  const named = await buildAdmin(app);
  const { id } = await buildConversation(app);
  const note = await buildNote(
    manager,
    id,
    `Ask ${mentionOf(named.id)} or ${mentionOf(randomUUID())}`,
  );
  expect(note.mentions).toEqual([
    { id: named.id, codename: named.codename, display_color: named.display_color },
  ]);
  const codename = unique('Papaya');
  await manager.client.call(updateAdminCodename, { params: named, body: { codename } });
  await manager.client.call(removeAdmin, { params: named });
  const [shown] = (await notesOf(id)).data;
  expect(shown?.mentions).toMatchObject([{ id: named.id, codename }]);
  expect(shown?.content).toBe(note.content);
});

test('the event names the admins that a note newly mentions', async () => {
  const [one, two] = [await buildStaff(app), await buildStaff(app)];
  const { id } = await buildConversation(app);
  const socket = await app.connectSocket(one.token);
  const naming = (...people: Staff[]) => people.map(({ admin }) => mentionOf(admin.id)).join(' ');
  const nextMentioned = async () =>
    (await socket.nextEvent('staff_note_saved')).mentioned.toSorted();
  const note = await buildNote(manager, id, naming(manager, one));
  expect(await nextMentioned()).toEqual([one.admin.id]);
  for (const [content, mentioned] of [
    [naming(one, two), [two.admin.id]],
    [`${naming(one, two)} again`, []],
    [naming(one), []],
  ] as const) {
    await manager.client.call(updateStaffNote, { ...paramsOf(note), body: { content } });
    expect(await nextMentioned()).toEqual(mentioned);
  }
});

test('notes are deleted with their fan, and a concurrent write is not found', async () => {
  const { id, fan } = await buildConversation(app);
  await buildNote(manager, id, `For ${mentionOf(manager.admin.id)}`);
  const [written] = await Promise.all([
    manager.client.raw('POST', createStaffNote.path.replace('{id}', id), {
      body: { client_id: unique('note'), content: 'Late' },
    }),
    app.platform.call(eraseFan, { params: { fan: fan.external_id } }),
  ]);
  expect([201, 404]).toContain(written.status);
  const { rows } = await sql`select from staff_notes where conversation_id = ${id}`.execute(
    app.db.kysely,
  );
  expect(rows).toHaveLength(0);
});

test('an event that was not emitted is emitted by the sweep', async () => {
  const { id } = await buildConversation(app);
  const note = await buildNote(manager, id);
  const socket = await app.connectSocket(manager.token);
  const gone = randomUUID();
  await sql`insert into outbox (event, payload, created_at) values
    ('staff_note_saved', ${JSON.stringify({ conversation_id: id, note_id: note.id })}::jsonb, now() - interval '5 seconds'),
    ('staff_note_saved', ${JSON.stringify({ conversation_id: id, note_id: gone })}::jsonb, now() - interval '5 seconds'),
    ('staff_note_deleted', ${JSON.stringify({ conversation_id: id, id: gone })}::jsonb, now() - interval '5 seconds'),
    ('mentions_read', ${JSON.stringify({ admin_id: manager.admin.id })}::jsonb, now() - interval '5 seconds')`.execute(
    app.db.kysely,
  );
  expect(await socket.nextEvent('staff_note_saved')).toEqual({ note, mentioned: [] });
  expect(await socket.nextEvent('staff_note_deleted')).toEqual({ conversation_id: id, id: gone });
  await socket.nextEvent('mentions_read');
  await until('the outbox is empty', async () => {
    const { rows } = await sql`select from outbox limit 1`.execute(app.db.kysely);
    return rows.length === 0;
  });
});

test('the number of unread mentions is among the inbox’s figures', async () => {
  const staff = await buildStaff(app);
  const { id } = await buildConversation(app);
  const count = async () => (await staff.client.call(inboxStats)).body.data.unread_mentions;
  expect(await count()).toBe(0);
  const note = await buildNote(manager, id, `Hi ${mentionOf(staff.admin.id)}`);
  await buildNote(staff, id, `I am ${mentionOf(staff.admin.id)}`);
  expect(await count()).toBe(1);
  await manager.client.call(deleteStaffNote, paramsOf(note));
  expect(await count()).toBe(0);
});
