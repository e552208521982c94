import { replaceTags } from '@stagedoor/contract/fans/fans';
import { createGlobalTag, updateGlobalTag } from '@stagedoor/contract/fans/tags';
import {
  type Conversation,
  InboxFilter,
  InboxSort,
  inbox,
  myConversations,
} from '@stagedoor/contract/inbox/conversations';
import { expect, test } from 'vitest';
import { buildConversation, buildStaff } from '../../../test/factories.ts';
import { seededRandom } from '../../../test/random.ts';
import { sharedApp, startTestApp } from '../../../test/test-app.ts';
import { buildInboxWorld } from '../../../test/worlds/inbox-world.ts';

const app = await sharedApp();
const random = seededRandom();
/** Never changed by a test. */
const world = await buildInboxWorld(app, random, 30);
const { client } = world.viewer;
const library = (await client.call(createGlobalTag, { body: { label: 'Größe' } })).body.data;
const unused = (await client.call(createGlobalTag, { body: { label: 'Unused' } })).body.data;
for (const { id } of world.built) {
  const tags = random.pick([
    [],
    [{ label: 'Some other' }],
    [{ globalTagId: library.id }],
    [{ label: 'größe' }, { label: 'x' }],
    // A library tag and a local tag with the same label still count as one conversation.
    [{ label: 'GRÖSSE' }, { label: 'größe' }, { globalTagId: library.id }],
  ]);
  await client.call(replaceTags, { params: { id }, body: { tags } });
}
const said = (what: string) => `${what} (seed ${random.seed})`;

const ids = (conversations: readonly Conversation[]) => conversations.map(({ id }) => id);
const byId = ({ fan }: Conversation) =>
  fan.admin_tags.some((tag) => tag.globalTagId === library.id);
const byLabel = ({ fan }: Conversation) =>
  fan.admin_tags.some((tag) => tag.label.toLowerCase() === 'größe');
const lists = InboxFilter.options.flatMap((filter) =>
  InboxSort.options.map((sort) => ({ filter, sort })),
);

test.each(lists)(
  'with a tag, $filter by $sort has only the tagged conversations, in pages and with their total',
  async ({ filter, sort }) => {
    const { body: whole } = await client.call(inbox, { query: { filter, sort, limit: 200 } });
    for (const [tag, carries] of [
      [library.id, byId],
      ['GRÖßE', byLabel],
    ] as const) {
      const expected = ids(whole.data.filter(carries));
      const seen: string[] = [];
      let cursor: string | null | undefined;
      while (cursor !== null) {
        const { body } = await client.call(inbox, {
          query: { filter, sort, tag, limit: 2, ...(cursor !== undefined && { cursor }) },
        });
        expect(body.total).toBe(expected.length);
        seen.push(...ids(body.data));
        cursor = body.next_cursor;
      }
      expect(seen, said(`by cursor, tag ${tag}`)).toEqual(expected);
      const { body: byOffset } = await client.call(inbox, {
        query: { filter, sort, tag, limit: 200, offset: 1 },
      });
      expect(ids(byOffset.data), said('by offset')).toEqual(expected.slice(1));
    }
  },
);

test('my conversations can be filtered by tag, too', async () => {
  const mine = await client.call(myConversations, { query: { tag: library.id, limit: 200 } });
  const filtered = await client.call(inbox, {
    query: { tag: library.id, filter: 'mine', limit: 200 },
  });
  expect(mine.body).toEqual(filtered.body);
});

test('a tag that no fan has, or that does not exist, gives an empty list', async () => {
  for (const tag of [unused.id, crypto.randomUUID(), 'nobody', '%', 'größ_', "' or true --"]) {
    const { body } = await client.call(inbox, { query: { tag } });
    expect(body).toEqual({ data: [], next_cursor: null, total: 0 });
  }
});

test('a blank tag doesn’t filter', async () => {
  const { body } = await client.call(inbox, { query: { tag: '  ', limit: 200 } });
  expect(body.total).toBe(30);
});

test('a tag’s id matches in upper and lower case', async () => {
  const { body } = await client.call(inbox, { query: { tag: library.id.toUpperCase() } });
  expect(body.total).toBe((await world.now()).filter(byId).length);
});

test('a renamed tag matches by its new label and no longer by its old one', async () => {
  const own = await startTestApp();
  const viewer = await buildStaff(own);
  const { id } = await buildConversation(own);
  const { body: tag } = await viewer.client.call(createGlobalTag, { body: { label: 'Old' } });
  const tags = [{ globalTagId: tag.data.id }];
  await viewer.client.call(replaceTags, { params: { id }, body: { tags } });
  await viewer.client.call(updateGlobalTag, {
    params: { id: tag.data.id },
    body: { label: 'New' },
  });
  const found = async (query: { tag: string }) =>
    ids((await viewer.client.call(inbox, { query })).body.data);
  expect(await found({ tag: 'new' })).toEqual([id]);
  expect(await found({ tag: 'old' })).toEqual([]);
  expect(await found({ tag: tag.data.id })).toEqual([id]);
  await own.close();
});

test.each([{ tag: 'x'.repeat(129) }, { tag: 'a\0b' }])('the tag %o is refused', async (query) => {
  const refusal = await client.refused(inbox, { query });
  expect(refusal).toMatchObject({ status: 400, code: 'invalid_request' });
});
