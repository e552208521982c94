import {
  type Conversation,
  getConversation,
  InboxFilter,
  InboxSort,
  inbox,
  myConversations,
} from '@stagedoor/contract/inbox/conversations';
import { expect, test } from 'vitest';
import {
  buildConversation,
  buildFan,
  buildFanMessage,
  buildReply,
  buildStaff,
} from '../../../test/factories.ts';
import { seededRandom } from '../../../test/random.ts';
import { sharedApp, startTestApp } from '../../../test/test-app.ts';
import { buildInboxWorld } from '../../../test/worlds/inbox-world.ts';

const app = await sharedApp();
const random = seededRandom();
/** Never changed by a test: those that need other data start their own server. */
const world = await buildInboxWorld(app, random, 40);
const { viewer } = world;
const said = (what: string) => `${what} (seed ${random.seed})`;

const KEEPS: Record<InboxFilter, (conversation: Conversation) => boolean> = {
  all: () => true,
  unread: (conversation) => conversation.unread_count > 0 && conversation.snooze === null,
  needs_reply: ({ status, waiting_since, snooze }) =>
    status === 'active' && waiting_since !== null && snooze === null,
  mine: (conversation) => conversation.claimed_by === viewer.admin.id,
  archived: (conversation) => conversation.status === 'archived',
};

const time = (at: string | null, none: number) => (at === null ? none : Date.parse(at));
const newestFirst = (a: Conversation, b: Conversation) =>
  time(b.last_message_at, 0) - time(a.last_message_at, 0) || (a.id < b.id ? 1 : -1);
const ORDERS: Record<InboxSort, (a: Conversation, b: Conversation) => number> = {
  unread_first: (a, b) =>
    Number(b.unread_count > 0) - Number(a.unread_count > 0) || newestFirst(a, b),
  newest: newestFirst,
  longest_waiting: (a, b) => {
    const [ofA, ofB] = [time(a.waiting_since, Infinity), time(b.waiting_since, Infinity)];
    return ofA === ofB ? newestFirst(a, b) : ofA - ofB;
  },
};

/** The `needs_reply` list is always in the order of waiting. */
const orderOf = (filter: InboxFilter, sort: InboxSort) =>
  ORDERS[filter === 'needs_reply' ? 'longest_waiting' : sort];

const lists = InboxFilter.options.flatMap((filter) =>
  InboxSort.options.map((sort) => ({ filter, sort })),
);
const ids = (conversations: readonly Conversation[]) => conversations.map(({ id }) => id);

/** Follows the cursors to the end. */
async function pageThrough(query: {
  filter: InboxFilter;
  sort: InboxSort;
  limit: number;
}): Promise<Conversation[][]> {
  const pages: Conversation[][] = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const { body } = await viewer.client.call(inbox, {
      query: { ...query, ...(cursor !== undefined && { cursor }) },
    });
    pages.push(body.data);
    cursor = body.next_cursor;
  }
  return pages;
}

test.each(lists)(
  'the list $filter by $sort has the right conversations, order and total',
  async ({ filter, sort }) => {
    const expected = (await world.now()).filter(KEEPS[filter]).toSorted(orderOf(filter, sort));
    const { body } = await viewer.client.call(inbox, { query: { filter, sort, limit: 200 } });
    expect(body.data, said('the list')).toEqual(expected);
    expect(body.total).toBe(expected.length);
    expect(body.next_cursor).toBeNull();
  },
);

test.each(lists)(
  'the pages of $filter by $sort add up to the list, by cursor and by offset',
  async ({ filter, sort }) => {
    const { body: whole } = await viewer.client.call(inbox, {
      query: { filter, sort, limit: 200 },
    });
    const pages = await pageThrough({ filter, sort, limit: 7 });
    expect(ids(pages.flat()), said('by cursor')).toEqual(ids(whole.data));
    expect(pages.slice(0, -1).every((page) => page.length === 7)).toBe(true);
    const byOffset: string[] = [];
    for (let offset = 0; offset < whole.total; offset += 7) {
      const { body } = await viewer.client.call(inbox, {
        query: { filter, sort, limit: 7, offset },
      });
      byOffset.push(...ids(body.data));
    }
    expect(byOffset, said('by offset')).toEqual(ids(whole.data));
  },
);

test('by default, the list has all conversations, unread first, twenty per page', async () => {
  const { body } = await viewer.client.call(inbox);
  const expected = (await world.now()).toSorted(ORDERS.unread_first);
  expect(ids(body.data)).toEqual(ids(expected.slice(0, 20)));
  expect(body.total).toBe(40);
});

test('an offset past the end gives an empty last page', async () => {
  const { body } = await viewer.client.call(inbox, { query: { offset: 1_000 } });
  expect(body).toMatchObject({ data: [], next_cursor: null, total: 40 });
});

test.each(InboxSort.options)(
  'while new messages arrive, paging by %s shows each remaining conversation exactly once',
  async (sort) => {
    const own = await startTestApp();
    const moving = await buildInboxWorld(own, random, 30);
    const touched = new Set<string>();
    const seen: string[] = [];
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const { body } = await moving.viewer.client.call(inbox, {
        query: { sort, limit: 4, ...(cursor !== undefined && { cursor }) },
      });
      seen.push(...ids(body.data));
      cursor = body.next_cursor;
      for (let times = 0; times < 2; times++) touched.add(await moving.happen());
    }
    const still = moving.built.map(({ id }) => id).filter((id) => !touched.has(id));
    expect(still.length).toBeGreaterThan(0);
    for (const id of still) {
      expect(
        seen.filter((each) => each === id),
        said(`by ${sort}`),
      ).toHaveLength(1);
    }
    // A new message only moves a conversation up, above the pages already read.
    if (sort === 'newest') expect(new Set(seen).size, said('no repetition')).toBe(seen.length);
    await own.close();
  },
);

test('my conversations are all that the caller has claimed, in any status', async () => {
  const mine = await viewer.client.call(myConversations, { query: { limit: 200 } });
  const filtered = await viewer.client.call(inbox, { query: { filter: 'mine', limit: 200 } });
  expect(mine.body).toEqual(filtered.body);
  expect(mine.body.data.length).toBeGreaterThan(0);
  expect(new Set(mine.body.data.map(({ claimed_by }) => claimed_by))).toEqual(
    new Set([viewer.admin.id]),
  );
  const { client } = await buildStaff(app);
  expect((await client.call(myConversations)).body).toEqual({
    data: [],
    next_cursor: null,
    total: 0,
  });
});

test.each([
  { limit: 0 },
  { limit: 201 },
  { limit: 'x' },
  { limit: 1.5 },
  { offset: -1 },
  { filter: 'flagged' },
  { sort: 'oldest' },
  { cursor: '' },
  { cursor: 'nonsense' },
  { cursor: Buffer.from('[true,"infinity","infinity"]').toString('base64url') },
  { cursor: Buffer.from(`[1,"x","y","${crypto.randomUUID()}"]`).toString('base64url') },
  {
    cursor: Buffer.from(
      `[true,"0000-01-01T00:00:00.000Z","infinity","${crypto.randomUUID()}"]`,
    ).toString('base64url'),
  },
  { cursor: 'a'.repeat(600) },
])('a list with %j is refused', async (query) => {
  const refusal = await viewer.client.refused(inbox, { query });
  expect(refusal).toMatchObject({ status: 400, code: 'invalid_request' });
  expect(Object.keys(refusal.fields)).toEqual(Object.keys(query));
});

test('a cursor of one list is harmless in another', async () => {
  for (const from of lists) {
    const { body } = await viewer.client.call(inbox, { query: { ...from, limit: 1 } });
    for (const to of lists) {
      const reply = await viewer.client.call(inbox, {
        query: { ...to, cursor: body.next_cursor ?? undefined },
      });
      expect(reply.status).toBe(200);
    }
  }
});

test('a conversation without messages has null times and comes last by newest', async () => {
  const own = await startTestApp();
  const { client } = await buildStaff(own);
  const silent = await buildFan(own, { first_name: null });
  const { id } = await buildConversation(own);
  const { body } = await client.call(inbox);
  expect(ids(body.data)).toEqual([id, silent.conversation_id]);
  expect(body.data[1]).toMatchObject({
    last_seq: 0,
    unread_count: 0,
    last_message_at: null,
    last_message_content: null,
    waiting_since: null,
    claimed_by: null,
    claimant: null,
    status: 'active',
  });
  await own.close();
});

test('a claimed conversation shows its claimant', async () => {
  const own = await startTestApp();
  const local = await buildStaff(own, {
    codename: 'Quince of this test',
    display_color: '#B4235A',
  });
  const { id } = await buildConversation(own, { claimedBy: local.admin });
  const { body } = await local.client.call(getConversation, { params: { id } });
  expect(body.data.claimed_by).toBe(local.admin.id);
  expect(body.data.claimant).toEqual({
    id: local.admin.id,
    codename: 'Quince of this test',
    display_color: '#B4235A',
  });
  await own.close();
});

test('a fan waits since their oldest message without a reply', async () => {
  const own = await startTestApp();
  const staff = await buildStaff(own);
  const { id, fan, messages } = await buildConversation(own, { messages: ['one', 'two'] });
  const waiting = async () =>
    (await staff.client.call(getConversation, { params: { id } })).body.data.waiting_since;
  expect(await waiting()).toBe(messages[0]?.created_at);
  await buildReply(staff, id);
  expect(await waiting()).toBeNull();
  const next = await buildFanMessage(own, fan);
  expect(await waiting()).toBe(next.created_at);
  await own.close();
});

test('a long last message is cut in the list and complete in the conversation', async () => {
  const own = await startTestApp();
  const staff = await buildStaff(own);
  const { id } = await buildConversation(own, { messages: ['😀'.repeat(4_000)] });
  const { body } = await staff.client.call(getConversation, { params: { id } });
  const preview = body.data.last_message_content ?? '';
  expect(preview.length).toBeLessThan(2_000);
  expect('😀'.repeat(4_000).startsWith(preview)).toBe(true);
  expect(preview).not.toMatch(/\p{Surrogate}/u);
  await own.close();
});

test('a fan’s tags are in order; library tags have the library’s label and color', async () => {
  const own = await startTestApp();
  const { client } = await buildStaff(own);
  const fan = await buildFan(own);
  const global = await own.db.kysely
    .insertInto('global_tags')
    .values({ label: 'VIP', color: '#112233' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await own.db.kysely
    .insertInto('fan_tags')
    .values([
      { fan_id: fan.id, position: 2, label: 'Second', color: null, global_tag_id: null },
      { fan_id: fan.id, position: 1, label: null, color: null, global_tag_id: global.id },
    ])
    .execute();
  const tags = async () =>
    (await client.call(inbox)).body.data[0]?.fan.admin_tags.map(({ id: _id, ...tag }) => tag);
  expect(await tags()).toEqual([
    { label: 'VIP', color: '#112233', isGlobal: true, globalTagId: global.id },
    { label: 'Second', color: null, isGlobal: false, globalTagId: null },
  ]);
  await own.db.kysely.updateTable('global_tags').set({ label: 'Whale' }).execute();
  expect((await tags())?.[0]?.label).toBe('Whale');
  await own.close();
});

test('an unknown conversation is not found, whatever its id looks like', async () => {
  for (const id of [crypto.randomUUID(), 'nonsense', '1', 'a'.repeat(128), '../../x', "' or 1=1"]) {
    const refusal = await viewer.client.refused(getConversation, { params: { id } });
    expect(refusal).toMatchObject({
      status: 404,
      code: 'conversation_not_found',
      error: 'Conversation not found',
    });
  }
});

test('a changed profile shows in the inbox immediately', async () => {
  const own = await startTestApp();
  const { client, token } = await buildStaff(own);
  const socket = await own.connectSocket(token);
  const fan = await buildFan(own, { first_name: 'Ana', timezone: 'Europe/Lisbon' });
  const { conversation } = await socket.nextEvent('conversation_updated');
  expect(conversation.fan).toMatchObject({
    external_id: fan.external_id,
    first_name: 'Ana',
    timezone: 'Europe/Lisbon',
  });
  const { body } = await client.call(getConversation, { params: { id: fan.conversation_id } });
  expect(body.data).toEqual(conversation);
  await own.close();
});
