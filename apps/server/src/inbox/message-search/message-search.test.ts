import { replaceTags } from '@stagedoor/contract/fans/fans';
import {
  type MessageHitPage,
  type SearchedKind,
  searchMessages,
} from '@stagedoor/contract/inbox/message-search';
import { sendMessage } from '@stagedoor/contract/messaging/messages';
import {
  createStaffNote,
  deleteStaffNote,
  updateStaffNote,
} from '@stagedoor/contract/messaging/staff-notes';
import { eraseFan } from '@stagedoor/contract/platform/platform';
import { expect, test } from 'vitest';
import {
  buildConversation,
  buildFanMessage,
  buildReply,
  buildStaff,
  unique,
} from '../../../test/factories.ts';
import { uploadAsStaff } from '../../../test/files.ts';
import { whileLocked } from '../../../test/on-database.ts';
import { sharedApp, startTestApp } from '../../../test/test-app.ts';
import { buildPicture } from '../../../test/worlds/catalogue.ts';

const app = await sharedApp();
const staff = await buildStaff(app);

type Query = Parameters<typeof staff.client.call<typeof searchMessages>>[1]['query'];
const search = async (query: Query) => (await staff.client.call(searchMessages, { query })).body;
const idOf = (hit: MessageHitPage['data'][number]) =>
  hit.kind === 'note' ? hit.note_id : hit.message_id;
const ids = async (query: Query) => (await search(query)).data.map(idOf);

let words = 0;
/** A unique text of letters only. */
const word = () =>
  `w${[...String(++words).padStart(4, '0')].map((digit) => 'abcdefghij'[Number(digit)]).join('')}x`;

test('every message that contains the text is found, newest first, from both sides and all conversations', async () => {
  const text = word();
  const first = await buildConversation(app, {
    messages: [`one ${text}`, 'nothing', `two ${text.toUpperCase()}`],
  });
  const other = await buildConversation(app, { messages: ['nothing'], status: 'archived' });
  const reply = await buildReply(staff, other.id, { content: `three${text}` });
  const { data, next_cursor } = await search({ q: ` ${text} ` });
  expect(next_cursor).toBeNull();
  expect(data).toMatchObject([
    {
      message_id: reply.id,
      conversation_id: other.id,
      status: 'archived',
      from: 'creator',
      author: { id: staff.admin.id, codename: staff.admin.codename },
      created_at: reply.created_at,
      has_attachment: false,
    },
    {
      message_id: first.messages[2]?.id,
      conversation_id: first.id,
      fan: { id: first.fan.id, first_name: 'Ana', last_name: null },
      from: 'fan',
      author: null,
    },
    { message_id: first.messages[0]?.id },
  ]);
});

test('an excerpt has the positions of the matches in UTF-16 units', async () => {
  const text = word();
  const content = `İ ${'😀 long '.repeat(60)}${text}\n😀 and ${text.toUpperCase()}!${' tail'.repeat(100)}`;
  await buildConversation(app, { messages: [content] });
  const [hit] = (await search({ q: text })).data;
  const { text: shown, marks, has_before, has_after } = hit?.excerpt ?? { text: '', marks: [] };
  expect(marks.map(({ start, end }) => shown.slice(start, end))).toEqual([
    text,
    text.toUpperCase(),
  ]);
  expect(shown.length).toBeLessThanOrEqual(221);
  expect(shown).not.toMatch(/\p{Cs}/u);
  expect(shown).not.toContain('\n');
  expect([has_before, has_after]).toEqual([true, true]);
  const short = word();
  await buildConversation(app, { messages: [`say ${short}`] });
  expect((await search({ q: short })).data[0]?.excerpt).toEqual({
    text: `say ${short}`,
    marks: [{ start: 4, end: 10 }],
    has_before: false,
    has_after: false,
  });
});

test('%, _ and \\ are literal', async () => {
  const text = word();
  for (const [content, q] of [
    [`${text}100%off`, `${text}100%`],
    [`${text}snake_case`, `${text}snake_`],
    [String.raw`${text}back\slash`, String.raw`${text}back\s`],
  ] as const) {
    const { messages } = await buildConversation(app, { messages: [content] });
    await buildConversation(app, { messages: [content.replaceAll(/[%_\\]/g, 'X')] });
    expect(await ids({ q })).toEqual([messages[0]?.id]);
  }
});

test('text that no index can find is found too', async () => {
  const own = await startTestApp();
  const { client } = await buildStaff(own);
  const { messages } = await buildConversation(own, {
    messages: ['well ?!? then', 'plain', '?!? again', '% _ \\ !'],
  });
  const found = async (q: string, kind: SearchedKind = 'message') =>
    (await client.call(searchMessages, { query: { q, kind } })).body.data.map(idOf);
  expect(await found('?!?')).toEqual([messages[2]?.id, messages[0]?.id]);
  expect(await found('% _')).toEqual([messages[3]?.id]);
  expect(await found('%%%')).toEqual([]);
  const { id } = await buildConversation(own, { messages: ['older ?!?'] });
  const body = { client_id: unique('note'), content: 'really ?!?' };
  const note = (await client.call(createStaffNote, { params: { id }, body })).body.data.id;
  expect(await found('?!?', 'note')).toEqual([note]);
  const [newest, ...others] = await found('?!?', 'any');
  expect([newest, others.length]).toEqual([note, 3]);
  await own.close();
});

test('pages neither skip nor repeat hits while messages are written', async () => {
  const text = word();
  const { fan, messages } = await buildConversation(app, {
    messages: Array.from({ length: 60 }, (_, index) => `${text} ${index}`),
  });
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await search({ q: text, ...(cursor !== undefined && { cursor }) });
    found.push(...page.data.map(idOf));
    expect(page.data.length).toBeLessThanOrEqual(25);
    cursor = page.next_cursor ?? undefined;
    await buildFanMessage(app, fan, { content: `${text} new` });
  } while (cursor !== undefined);
  expect(found).toEqual(messages.map(({ id }) => id).toReversed());
});

test('a search can be filtered by side and by fan', async () => {
  const text = word();
  const one = await buildConversation(app, { messages: [text] });
  const two = await buildConversation(app, { messages: [text] });
  const reply = await buildReply(staff, one.id, { content: text });
  const [ofOne, ofTwo] = [one.messages[0]?.id, two.messages[0]?.id];
  expect(await ids({ q: text, from: 'fan' })).toEqual([ofTwo, ofOne]);
  expect(await ids({ q: text, from: 'creator' })).toEqual([reply.id]);
  expect(await ids({ q: text, fan: one.fan.id })).toEqual([reply.id, ofOne]);
  expect(await ids({ q: text, fan: one.fan.id, from: 'fan' })).toEqual([ofOne]);
  expect(await ids({ q: text, fan: crypto.randomUUID() })).toEqual([]);
  expect(await ids({ q: text, fan: 'nonsense' })).toEqual([]);
});

test('a search can be filtered by time: at or after an instant, and before one', async () => {
  const text = word();
  const { messages } = await buildConversation(app, { messages: [text, text, text] });
  const [first, second, third] = messages.map(({ id }) => id);
  const at = messages[1]?.created_at ?? '';
  expect(await ids({ q: text, after: at })).toEqual([third, second]);
  expect(await ids({ q: text, before: at })).toEqual([first]);
  expect(await ids({ q: text, after: at, before: at })).toEqual([]);
});

test('a search can be filtered by tag, by its label in any case', async () => {
  const [text, label] = [word(), unique('Tag')];
  const one = await buildConversation(app, { messages: [text] });
  await buildConversation(app, { messages: [text] });
  await staff.client.call(replaceTags, {
    params: { id: one.id },
    body: { tags: [{ label, color: '#123456' }] },
  });
  expect(await ids({ q: text, tag: label.toUpperCase() })).toEqual([one.messages[0]?.id]);
  expect(await ids({ q: text, tag: unique('nobody') })).toEqual([]);
});

test('a search can be filtered by attachments; their placeholder text is not found', async () => {
  const text = word();
  const { id, messages } = await buildConversation(app, { messages: [text] });
  const [file] = await uploadAsStaff(staff, id, { data: await buildPicture(), filename: 'a.png' });
  const withFile = await buildReply(staff, id, {
    content: text,
    attachments: [{ id: file?.id ?? '' }],
  });
  expect(await ids({ q: text, has_attachment: 'true' })).toEqual([withFile.id]);
  expect(await ids({ q: text, has_attachment: 'false' })).toEqual([messages[0]?.id]);
  const [bare] = await uploadAsStaff(staff, id, { data: await buildPicture(), filename: 'b.png' });
  await staff.client.call(sendMessage, {
    headers: { 'idempotency-key': unique('temp') },
    body: { conversation_id: id, content: '[Attachment]', attachments: [{ id: bare?.id ?? '' }] },
  });
  expect(await ids({ q: '[Attachment]' })).toEqual([]);
});

/** Adds a staff note to a conversation. @returns its id */
async function leaveNote(id: string, content: string): Promise<string> {
  const body = { client_id: unique('note'), content };
  return (await staff.client.call(createStaffNote, { params: { id }, body })).body.data.id;
}

test('staff notes are found when asked for, among the messages in their order', async () => {
  const text = word();
  const { id, fan, messages } = await buildConversation(app, { messages: [text] });
  const note = await leaveNote(id, `Never mention ${text.toUpperCase()} again`);
  const { id: later } = await buildFanMessage(app, fan, { content: `${text} again` });
  const [first] = messages.map((message) => message.id);
  expect(await ids({ q: text })).toEqual([later, first]);
  expect(await ids({ q: text, kind: 'any' })).toEqual([later, note, first]);
  const { data, next_cursor } = await search({ q: text, kind: 'note' });
  expect(next_cursor).toBeNull();
  expect(data).toEqual([
    {
      kind: 'note',
      note_id: note,
      conversation_id: id,
      status: 'active',
      fan: expect.objectContaining({ id: fan.id, first_name: 'Ana' }),
      created_at: expect.any(String),
      author: {
        id: staff.admin.id,
        codename: staff.admin.codename,
        display_color: expect.any(String),
      },
      excerpt: {
        text: `Never mention ${text.toUpperCase()} again`,
        marks: [{ start: 14, end: 14 + text.length }],
        has_before: false,
        has_after: false,
      },
    },
  ]);
});

test('filters apply to notes, and those that only messages can pass exclude them', async () => {
  const [text, label] = [word(), unique('Tag')];
  const one = await buildConversation(app);
  const two = await buildConversation(app);
  await staff.client.call(replaceTags, {
    params: { id: one.id },
    body: { tags: [{ label, color: '#123456' }] },
  });
  const ofOne = await leaveNote(one.id, text);
  const ofTwo = await leaveNote(two.id, text);
  const [newest] = (await search({ q: text, kind: 'note' })).data;
  const at = newest?.created_at ?? '';
  const both = [ofTwo, ofOne];
  const found: readonly (readonly [Omit<Query, 'q'>, string[]])[] = [
    [{}, both],
    [{ fan: one.fan.id }, [ofOne]],
    [{ tag: label }, [ofOne]],
    [{ after: at }, [ofTwo]],
    [{ before: at }, [ofOne]],
    [{ has_attachment: 'false' }, both],
    [{ has_attachment: 'true' }, []],
    [{ from: 'fan' }, []],
    [{ from: 'creator' }, []],
  ];
  for (const kind of ['any', 'note'] as const) {
    for (const [filter, expected] of found)
      expect(await ids({ q: text, kind, ...filter }), JSON.stringify(filter)).toEqual(expected);
  }
});

test('a note shows mentioned admins by codename; ids in it are not found', async () => {
  const [text, teammate] = [word(), await buildStaff(app)];
  const { id } = await buildConversation(app);
  const note = await leaveNote(id, `<@${teammate.admin.id}> ${text}`);
  const [hit] = (await search({ q: text, kind: 'note' })).data;
  expect(hit?.excerpt.text).toBe(`@${teammate.admin.codename} ${text}`);
  expect(await ids({ q: teammate.admin.id.slice(0, 8), kind: 'note' })).toEqual([]);
  await staff.client.call(updateStaffNote, {
    params: { id, noteId: note },
    body: { content: 'Something else' },
  });
  expect(await ids({ q: text, kind: 'note' })).toEqual([]);
});

test('deleted notes and notes about erased fans are not found', async () => {
  const text = word();
  const { id } = await buildConversation(app);
  const { id: erased, fan } = await buildConversation(app);
  const deleted = await leaveNote(id, text);
  const kept = await leaveNote(id, text);
  await leaveNote(erased, text);
  await staff.client.call(deleteStaffNote, { params: { id, noteId: deleted } });
  await app.platform.call(eraseFan, { params: { fan: fan.external_id } });
  expect(await ids({ q: text, kind: 'any' })).toEqual([kept]);
});

test('pages of messages and notes together neither skip nor repeat any', async () => {
  const text = word();
  const { id, fan } = await buildConversation(app, { messages: [] });
  const written: string[] = [];
  for (let index = 0; index < 60; index += 1) {
    const content = `${text} ${index}`;
    written.push(
      index % 3 === 0
        ? await leaveNote(id, content)
        : (await buildFanMessage(app, fan, { content })).id,
    );
  }
  for (const filter of [{}, { fan: fan.id }]) {
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await search({ q: text, kind: 'any', ...filter, ...(cursor && { cursor }) });
      found.push(...page.data.map(idOf));
      expect(page.data.length).toBeLessThanOrEqual(25);
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(found).toEqual(written.toReversed());
  }
});

test('a search that takes too long is canceled, and the error says how to narrow it', async () => {
  const own = await startTestApp();
  const { client } = await buildStaff(own);
  await whileLocked(own.databaseUrl, 'lock table messages', async () => {
    const refusal = await client.refused(searchMessages, { query: { q: 'slow' } });
    expect(refusal).toMatchObject({ status: 422, code: 'search_too_broad' });
    expect(refusal.error).toContain('Narrow it down');
  });
  expect((await client.call(searchMessages, { query: { q: 'slow' } })).body.data).toEqual([]);
  await own.close();
});

test.each([
  ['no text', {}],
  ['two characters', { q: ' ab ' }],
  ['201 characters', { q: 'x'.repeat(201) }],
  ['a NUL', { q: 'abc\0d' }],
  ['a side that there is not', { q: 'abc', from: 'staff' }],
  ['a kind that there is not', { q: 'abc', kind: 'notes' }],
  ['no instant', { q: 'abc', after: 'yesterday' }],
  ['no such choice', { q: 'abc', has_attachment: 'maybe' }],
  ['a cursor that is none', { q: 'abc', cursor: 'nonsense' }],
])('a search with %s is refused', async (_what, query) => {
  const refusal = await staff.client.refused(searchMessages, { query });
  expect(refusal).toMatchObject({ status: 400, code: 'invalid_request' });
});
