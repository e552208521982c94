import { randomUUID } from 'node:crypto';
import { mentionOf } from '@stagedoor/contract/messaging/mention-text';
import {
  listMentions,
  listTeammates,
  MENTIONS_PAGE_SIZE,
  type Mention,
  readMentions,
} from '@stagedoor/contract/messaging/mentions';
import { createStaffNote, updateStaffNote } from '@stagedoor/contract/messaging/staff-notes';
import { removeAdmin } from '@stagedoor/contract/team/admins';
import { expect, test } from 'vitest';
import {
  buildAdmin,
  buildConversation,
  buildStaff,
  type Staff,
  unique,
} from '../../../test/factories.ts';
import { whileLocked } from '../../../test/on-database.ts';
import { sharedApp } from '../../../test/test-app.ts';

const app = await sharedApp();
const author = await buildStaff(app, { role: 'manager' });

async function mention(staff: Staff, id: string) {
  const content = `See ${mentionOf(staff.admin.id)}`;
  const body = { client_id: unique('note'), content };
  return (await author.client.call(createStaffNote, { params: { id }, body })).body.data;
}
const mentionsOf = async ({ client }: Staff) => (await client.call(listMentions)).body.data;
const unreadOf = async (staff: Staff) =>
  (await mentionsOf(staff)).filter(({ read_at }) => read_at === null).map(({ note }) => note.id);

test('only the mentioned admin finds the note, with its conversation', async () => {
  const [staff, other] = [await buildStaff(app), await buildStaff(app)];
  const { id, fan } = await buildConversation(app, { fan: { first_name: 'Ana' } });
  const note = await mention(staff, id);
  expect(await mentionsOf(staff)).toEqual([
    {
      note,
      fan: {
        id: fan.id,
        first_name: 'Ana',
        last_name: null,
        username: null,
        email: null,
        avatar_url: null,
      },
      read_at: null,
    },
  ]);
  expect(await mentionsOf(other)).toEqual([]);
  // Mentioning oneself is ignored.
  expect(await mentionsOf(author)).toEqual([]);
});

test('mentions are listed newest first, page by page, each once', async () => {
  const staff = await buildStaff(app);
  const { id } = await buildConversation(app);
  const written: string[] = [];
  for (let n = 0; n <= MENTIONS_PAGE_SIZE; n++) written.unshift((await mention(staff, id)).id);
  const first = (await staff.client.call(listMentions)).body;
  expect(first.data).toHaveLength(MENTIONS_PAGE_SIZE);
  const next = (
    await staff.client.call(listMentions, { query: { cursor: first.next_cursor ?? '' } })
  ).body;
  const all: Mention[] = [...first.data, ...next.data];
  expect(all.map(({ note }) => note.id)).toEqual(written);
  expect(next.next_cursor).toBeNull();
  const { status } = await staff.client.raw('GET', listMentions.path, { query: { cursor: 'x' } });
  expect(status).toBe(400);
});

test('each admin has their own read state, and their other tabs are notified', async () => {
  const [staff, other] = [await buildStaff(app), await buildStaff(app)];
  const { id } = await buildConversation(app);
  const notes = [await mention(staff, id), await mention(staff, id), await mention(staff, id)];
  const both = await author.client.call(createStaffNote, {
    params: { id },
    body: {
      client_id: unique('note'),
      content: `${mentionOf(staff.admin.id)} ${mentionOf(other.admin.id)}`,
    },
  });
  const [own, foreign] = [
    await app.connectSocket(staff.token),
    await app.connectSocket(other.token),
  ];
  const note_ids = [notes[0]?.id ?? '', both.body.data.id, randomUUID(), 'no id'];
  const { body } = await staff.client.call(readMentions, { body: { note_ids } });
  expect(body.data).toEqual({ unread_mentions: 2 });
  expect(await own.nextEvent('mentions_read')).toEqual({ admin_id: staff.admin.id });
  expect(await unreadOf(staff)).toEqual([notes[2]?.id, notes[1]?.id]);
  expect(await unreadOf(other)).toEqual([both.body.data.id]);
  await staff.client.call(readMentions, { body: {} });
  expect(await unreadOf(staff)).toEqual([]);
  await other.client.call(readMentions, { body: {} });
  await foreign.nextEvent('mentions_read');
  expect(foreign.received('mentions_read')).toEqual([{ admin_id: other.admin.id }]);
});

test('reading all mentions up to a note leaves those that arrived later unread', async () => {
  const [staff, other] = [await buildStaff(app), await buildStaff(app)];
  const { id } = await buildConversation(app);
  const older = await mention(staff, id);
  const seen = await mention(staff, id);
  const later = await mention(staff, id);
  const foreign = await mention(other, id);
  const readUpTo = (up_to: string) => staff.client.call(readMentions, { body: { up_to } });
  await readUpTo(older.id);
  expect(await unreadOf(staff)).toEqual([later.id, seen.id]);
  expect((await readUpTo(seen.id)).body.data).toEqual({ unread_mentions: 1 });
  expect(await unreadOf(staff)).toEqual([later.id]);
  for (const unknown of [foreign.id, randomUUID(), 'no id']) await readUpTo(unknown);
  expect(await unreadOf(staff)).toEqual([later.id]);
});

test('reading all mentions skips those that are being deleted', async () => {
  const staff = await buildStaff(app);
  const { id } = await buildConversation(app);
  const deleted = await mention(staff, id);
  await mention(staff, id);
  const lock = `select from staff_note_mentions where note_id = '${deleted.id}' for update`;
  const { body } = await whileLocked(app.databaseUrl, lock, () =>
    staff.client.call(readMentions, { body: {} }),
  );
  expect(body.data).toEqual({ unread_mentions: 1 });
});

test('an edit adds new mentions and keeps the read state of the others', async () => {
  const [one, two, three] = [await buildStaff(app), await buildStaff(app), await buildStaff(app)];
  const { id } = await buildConversation(app);
  const names = (...people: Staff[]) => people.map(({ admin }) => mentionOf(admin.id)).join(' ');
  const { body } = await author.client.call(createStaffNote, {
    params: { id },
    body: { client_id: unique('note'), content: names(one, two) },
  });
  const noteId = body.data.id;
  await one.client.call(readMentions, { body: {} });
  await author.client.call(updateStaffNote, {
    params: { id, noteId },
    body: { content: names(one, three) },
  });
  expect(await unreadOf(one)).toEqual([]);
  expect(await mentionsOf(one)).toHaveLength(1);
  expect(await mentionsOf(two)).toEqual([]);
  expect(await unreadOf(three)).toEqual([noteId]);
});

test('the teammates are all active admins, by codename, with only the fields staff may see', async () => {
  const gone = await buildAdmin(app);
  await author.client.call(removeAdmin, { params: gone });
  const silenced = await buildStaff(app, { can_manage_messages: false });
  const { data } = (await silenced.client.call(listTeammates)).body;
  const { id, codename, display_color } = silenced.admin;
  expect(data).toContainEqual({ id, codename, display_color, can_manage_messages: false });
  expect(data.map((teammate) => teammate.id)).not.toContain(gone.id);
  const names = data.map((teammate) => teammate.codename.toLowerCase());
  expect(names).toEqual(names.toSorted());
});
