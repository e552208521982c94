import { type SearchHit, searchConversations } from '@stagedoor/contract/inbox/conversations';
import type { FanProfileInput } from '@stagedoor/contract/platform/platform';
import { expect, test } from 'vitest';
import {
  buildConversation,
  buildFan,
  buildFanMessage,
  buildReply,
  buildStaff,
} from '../../../test/factories.ts';
import { untilWaiting, whileLocked } from '../../../test/on-database.ts';
import { sharedApp, startTestApp } from '../../../test/test-app.ts';

const app = await sharedApp();
const staff = await buildStaff(app);

const search = async (q: string): Promise<SearchHit[]> =>
  (await staff.client.call(searchConversations, { query: { q } })).body.data;
const found = async (q: string) => (await search(q)).map(({ id }) => id);

let words = 0;
/** A unique text of letters only, so that every part of it is within a word. */
const word = () =>
  `q${[...String(++words).padStart(4, '0')].map((digit) => 'abcdefghij'[Number(digit)]).join('')}z`;

test.each(['', ' ', 'w', ' w ', '😀'])('%j is too short to find anything', async (q) => {
  await buildConversation(app, { messages: ['w 😀 w'] });
  expect(await search(q)).toEqual([]);
});

test.each(['first_name', 'last_name', 'username'] as const)(
  'a part of the %s finds the conversation, in any case',
  async (field) => {
    const text = word();
    const { id } = await buildConversation(app, { fan: { [field]: `Xx${text}yy` } });
    for (const q of [text, text.toUpperCase(), text.slice(1, -1), ` ${text} `]) {
      expect(await found(q)).toContain(id);
    }
    expect((await search(text))[0]?.match).toBeNull();
  },
);

test('a part of the email address finds the conversation', async () => {
  const text = word();
  const { id } = await buildConversation(app, { fan: { email: `${text}@fans.example` } });
  expect(await found(`${text}@fans`)).toEqual([id]);
});

test('first and last name with a space between them find the conversation', async () => {
  const [first, last] = [word(), word()];
  const { id } = await buildConversation(app, { fan: { first_name: first, last_name: last } });
  expect(await found(`${first} ${last}`)).toEqual([id]);
});

test('two characters search names and the last message, but not older ones', async () => {
  const own = await startTestApp();
  const { client } = await buildStaff(own);
  const named = await buildConversation(own, { fan: { first_name: 'Zx' }, messages: ['hello'] });
  const last = await buildConversation(own, { messages: ['old', 'the buzxer'] });
  await buildConversation(own, { messages: ['older zx', 'newer'] });
  const { body } = await client.call(searchConversations, { query: { q: 'ZX' } });
  expect(body.data.map(({ id }) => id).toSorted()).toEqual([named.id, last.id].toSorted());
  const { body: three } = await client.call(searchConversations, { query: { q: ' zx' } });
  expect(three.data).toHaveLength(2);
  await own.close();
});

test('three characters search every message of both sides and return the match', async () => {
  const [ofFan, ofStaff] = [word(), word()];
  const { id, fan, messages } = await buildConversation(app, {
    messages: [`${'long '.repeat(50)}${ofFan}${' tail'.repeat(100)}`, 'something else'],
  });
  const reply = await buildReply(staff, id, { content: `I say ${ofStaff}!` });
  await buildFanMessage(app, fan, { content: 'and the last one' });

  const [hit, ...others] = await search(ofFan);
  expect(others).toEqual([]);
  expect(hit).toMatchObject({
    id,
    match: { message_id: messages[0]?.id, created_at: messages[0]?.created_at },
  });
  expect(hit?.match?.excerpt).toContain(ofFan);
  expect(hit?.match?.excerpt).toMatch(/^….+…$/);
  expect(hit?.match?.excerpt.length).toBeLessThan(200);
  expect(await search(ofStaff)).toMatchObject([
    { id, match: { message_id: reply.id, excerpt: `I say ${ofStaff}!` } },
  ]);
});

test.each(['', 'İ'])(
  'an excerpt contains the match and splits no character, even after %j',
  async (first) => {
    const text = word();
    const content = `${first}${'😀'.repeat(100)}x${text}${'😀'.repeat(100)}`;
    await buildConversation(app, { messages: [content, 'something else'] });
    const { excerpt } = (await search(text))[0]?.match ?? { excerpt: '' };
    expect(excerpt).toContain(text);
    expect(excerpt).not.toMatch(/\p{Cs}/u);
  },
);

test('the placeholder of a message that has only attachments is not found', async () => {
  const own = await startTestApp();
  const { client } = await buildStaff(own);
  const { id } = await buildConversation(own, {
    messages: ['[Attachment]', 'see my attachment', 'ok'],
  });
  await buildConversation(own, { messages: ['[Attachment]', 'ok'] });
  const { body } = await client.call(searchConversations, { query: { q: 'attach' } });
  expect(body.data.map((hit) => hit.id)).toEqual([id]);
  await own.close();
});

test('ASCII letters match in any case next to non-ASCII letters', async () => {
  const text = word();
  const { id } = await buildConversation(app, {
    messages: [`ÑANDÚ ${text.toUpperCase()} 😊 KIND`, 'something else'],
  });
  for (const q of [text, `ñandú ${text}`, `${text.toUpperCase()} 😊 kind`]) {
    expect(await found(q), q).toEqual([id]);
  }
});

test('of several matching messages in a conversation, the newest is shown', async () => {
  const text = word();
  const { id, messages } = await buildConversation(app, {
    messages: [`${text} 1`, `${text} 2`, 'other'],
  });
  expect(await search(text)).toMatchObject([{ id, match: { message_id: messages[1]?.id } }]);
});

test('if the last message or the name matches, no other message is shown', async () => {
  const text = word();
  const last = await buildConversation(app, { messages: [`${text} early`, `then ${text}`] });
  const named = await buildConversation(app, {
    fan: { username: text },
    messages: [`${text} early`, 'x'],
  });
  const hits = await search(text);
  expect(hits.map(({ id, match }) => [id, match])).toEqual([
    [named.id, null],
    [last.id, null],
  ]);
});

test('%, _ and \\ are literal', async () => {
  const text = word();
  const literal: [string, string][] = [
    [`${text}100%off`, `${text}100%`],
    [`${text}snake_case`, `${text}snake_`],
    [String.raw`${text}back\slash`, String.raw`${text}back\s`],
  ];
  for (const [content, q] of literal) {
    const { id } = await buildConversation(app, { messages: [content] });
    await buildConversation(app, { messages: [content.replaceAll(/[%_\\]/g, 'X')] });
    expect(await found(q)).toEqual([id]);
  }
  const own = await startTestApp();
  const { client } = await buildStaff(own);
  await buildConversation(own, { messages: ['plain text without any of them'] });
  for (const q of ['%%', '__', '\\\\', '%%%', '___', '\\\\\\', '_%', 'pla%', 'pl_in']) {
    const { body } = await client.call(searchConversations, { query: { q } });
    expect(body.data, q).toEqual([]);
  }
  await own.close();
});

test.each<[string, FanProfileInput, string, string]>([
  ['Cyrillic', { first_name: 'Привет' }, 'ПРИВЕТ', 'привет'],
  ['Greek', { first_name: 'Ωμέγα' }, 'ΩΜΈΓΑ', 'ωμέγα'],
  ['accents', { first_name: 'ÉLODIE' }, 'élodie', 'Élo'],
  ['two letters', { first_name: 'ЖЩ' }, 'жщ', 'ЖЩ'],
  ['emoji', { username: '🔥🎉🔥' }, '🔥🎉', '🎉🔥'],
  ['Chinese', { first_name: '王小明' }, '小明', '王小明'],
])('case is ignored beyond ASCII, too: %s', async (_script, fan, ...queries) => {
  const { id } = await buildConversation(app, { fan });
  const written = await buildConversation(app, {
    messages: [`… ${Object.values(fan).join('')} …`],
  });
  for (const q of queries) {
    expect(await found(q)).toEqual([written.id, id]);
  }
});

test('results are newest first, at most fifty', async () => {
  const text = word();
  const fans = [];
  for (let number = 0; number < 52; number++) fans.push(await buildFan(app, { last_name: text }));
  const spoke = [fans[7], fans[3], fans[40]].flatMap((fan) => fan ?? []);
  for (const fan of spoke) await buildFanMessage(app, fan);
  const hits = await found(text);
  expect(hits).toHaveLength(50);
  expect(hits.slice(0, 3)).toEqual(spoke.toReversed().map((fan) => fan.conversation_id));
});

test('archived conversations are found too', async () => {
  const text = word();
  const { id } = await buildConversation(app, { fan: { last_name: text }, status: 'archived' });
  expect(await found(text)).toEqual([id]);
});

test.each([
  ['no text', {}],
  ['201 characters', { q: 'x'.repeat(201) }],
  ['a NUL', { q: 'ab\0cd' }],
])('a search with %s is refused', async (_what, query) => {
  const refusal = await staff.client.refused(searchConversations, { query });
  expect(refusal).toMatchObject({ status: 400, code: 'invalid_request' });
});

test('a search that takes too long is canceled, and slow searches don’t block the database for others', async () => {
  const own = await startTestApp();
  const { client } = await buildStaff(own);
  const slow = () => client.raw('GET', `${searchConversations.path}?q=slow`);
  let searches: ReturnType<typeof slow>[] = [];
  await whileLocked(own.databaseUrl, 'lock table messages', async () => {
    // As many as there are database connections.
    searches = Array.from({ length: 16 }, slow);
    await untilWaiting(own, 4);
    expect(own.db.poolState()).toMatchObject({ waiting: 0 });
    const first = await searches[0];
    expect([first?.status, first?.text]).toEqual([
      422,
      expect.stringContaining('search_too_broad'),
    ]);
  });
  await Promise.all(searches);
  await own.close();
});
