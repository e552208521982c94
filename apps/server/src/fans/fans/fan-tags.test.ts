import {
  FAN_TAGS_MAX,
  type FanTagInput,
  getAdminFields,
  getTags,
  removeTag,
  replaceTags,
  updateAdminFields,
} from '@stagedoor/contract/fans/fans';
import {
  createGlobalTag,
  deleteGlobalTag,
  listGlobalTags,
  updateGlobalTag,
} from '@stagedoor/contract/fans/tags';
import { getConversation } from '@stagedoor/contract/inbox/conversations';
import { expect, test } from 'vitest';
import { buildFan, buildStaff, unique } from '../../../test/factories.ts';
import { sharedApp, startTestApp } from '../../../test/test-app.ts';

const app = await sharedApp();
// Every admin may edit tags.
const staff = await buildStaff(app, { can_manage_messages: false });
const { client } = staff;
const witness = await app.connectSocket(staff.token);

async function buildGlobalTag(label = unique('Tag'), color?: string) {
  const { body } = await client.call(createGlobalTag, { body: { label, ...(color && { color }) } });
  return body.data;
}

async function buildTagged(tags: FanTagInput[] = []) {
  const fan = await buildFan(app);
  const params = { id: fan.conversation_id };
  const { body } = await client.call(replaceTags, { params, body: { tags } });
  return { fan, params, tags: body.data };
}

const tagsOf = async (params: { id: string }) => (await client.call(getTags, { params })).body.data;
const versionOf = async (params: { id: string }) =>
  (await client.call(getConversation, { params })).body.data.version;
/** Resolves once the event with these tags reached all sockets. */
const eventFor = (id: string, labels: readonly string[]) =>
  witness.nextEvent(
    'conversation_updated',
    ({ conversation }) =>
      conversation.id === id &&
      JSON.stringify(conversation.fan.admin_tags.map((tag) => tag.label)) ===
        JSON.stringify(labels),
  );

test('a fan has local and library tags, in the saved order', async () => {
  const library = await buildGlobalTag('Whale', '#00aaFF');
  const { tags, params, fan } = await buildTagged([
    { label: '  New  ', color: '#123456' },
    { globalTagId: library.id, isGlobal: true, label: 'an old name', color: '#000000' },
    { label: 'Plain' },
  ]);
  expect(tags).toMatchObject([
    { label: 'New', color: '#123456', isGlobal: false, globalTagId: null },
    { label: 'Whale', color: '#00aaFF', isGlobal: true, globalTagId: library.id },
    { label: 'Plain', color: null, isGlobal: false, globalTagId: null },
  ]);
  expect(await tagsOf(params)).toEqual(tags);
  const { body } = await client.call(getAdminFields, { params: { customerId: fan.id } });
  expect(body.admin_tags).toEqual(tags);
  const conversation = await client.call(getConversation, { params });
  expect(conversation.body.data.fan.admin_tags).toEqual(tags);
});

test('tags keep their ids when they are moved, renamed or kept, and only then', async () => {
  const { params, tags } = await buildTagged([{ label: 'a' }, { label: 'b' }, { label: 'c' }]);
  const [a, b, c] = tags.map((tag) => tag.id);
  const { body } = await client.call(replaceTags, {
    params,
    body: { tags: [{ id: c, label: 'c' }, { id: a, label: 'renamed' }, { label: 'new' }] },
  });
  expect(body.data.map((tag) => [tag.id, tag.label]).slice(0, 2)).toEqual([
    [c, 'c'],
    [a, 'renamed'],
  ]);
  expect(tags.map((tag) => tag.id)).not.toContain(body.data[2]?.id);
  // An id that was deleted, belongs to another fan or is given twice creates a new tag.
  const { body: again } = await client.call(replaceTags, {
    params,
    body: {
      tags: [
        { id: b, label: 'b' },
        { id: a, label: 'a' },
        { id: a, label: 'twin' },
      ],
    },
  });
  expect(again.data[0]?.id).not.toBe(b);
  expect(again.data[1]?.id).toBe(a);
  const other = await buildTagged([{ id: a ?? '', label: 'stolen' }]);
  expect(other.tags[0]?.id).not.toBe(a);
  expect((await tagsOf(params)).map((tag) => tag.label)).toEqual(['b', 'a', 'twin']);
});

test('saving tags raises the conversation’s version once and is emitted to all', async () => {
  const { params } = await buildTagged();
  const before = await versionOf(params);
  await client.call(replaceTags, { params, body: { tags: [{ label: 'x' }, { label: 'y' }] } });
  expect(await versionOf(params)).toBe(before + 1);
  const event = await eventFor(params.id, ['x', 'y']);
  expect(event.conversation.version).toBe(before + 1);
});

test('the endpoint by fan id replaces tags in the same way', async () => {
  const { fan, params } = await buildTagged([{ label: 'old' }]);
  const { body } = await client.call(updateAdminFields, {
    params: { customerId: fan.id },
    body: { admin_tags: [{ label: 'new' }] },
  });
  expect(body.data).toEqual({ admin_tags: await tagsOf(params), version: 0 });
  await eventFor(params.id, ['new']);
});

test('renaming or recoloring a library tag affects every fan and is emitted once', async () => {
  const library = await buildGlobalTag();
  const [one, two] = [
    await buildTagged([{ globalTagId: library.id }]),
    await buildTagged([{ label: 'own' }, { globalTagId: library.id }]),
  ];
  const { body } = await client.call(updateGlobalTag, {
    params: { id: library.id },
    body: { label: 'Renamed' },
  });
  expect(body.data).toEqual({ ...library, label: 'Renamed' });
  await client.call(updateGlobalTag, { params: { id: library.id }, body: { color: '#ABCDEF' } });
  const now = { id: library.id, label: 'Renamed', color: '#ABCDEF' };
  await witness.nextEvent('global_tag_updated', ({ tag }) => tag.color === '#ABCDEF');
  const received = witness
    .received('global_tag_updated')
    .filter(({ tag }) => tag.id === library.id);
  expect(received.slice(1).map(({ tag }) => tag)).toEqual([body.data, now]);
  for (const { params } of [one, two]) {
    expect((await tagsOf(params)).at(-1)).toMatchObject({ label: 'Renamed', color: '#ABCDEF' });
  }
});

test('deleting a library tag removes it from every fan and keeps their other tags', async () => {
  const library = await buildGlobalTag();
  const one = await buildTagged([{ label: 'a' }, { globalTagId: library.id }, { label: 'b' }]);
  const two = await buildTagged([{ globalTagId: library.id }]);
  const { body } = await client.call(deleteGlobalTag, { params: { id: library.id } });
  expect(body.data).toEqual({ deleted: true });
  await witness.nextEvent('global_tag_deleted', ({ id }) => id === library.id);
  expect((await tagsOf(one.params)).map((tag) => tag.label)).toEqual(['a', 'b']);
  expect(await tagsOf(two.params)).toEqual([]);
  const again = await client.refused(deleteGlobalTag, { params: { id: library.id } });
  expect(again).toMatchObject({ status: 404, code: 'tag_not_found' });
});

test('the library is sorted by label ignoring case, and a new tag has the default color', async () => {
  const own = await startTestApp();
  const viewer = await buildStaff(own);
  for (const label of ['beta', 'Alpha', 'Gamma', 'alpha 2']) {
    await viewer.client.call(createGlobalTag, { body: { label } });
  }
  const { body } = await viewer.client.call(listGlobalTags);
  expect(body.data.map((tag) => tag.label)).toEqual(['Alpha', 'alpha 2', 'beta', 'Gamma']);
  expect(new Set(body.data.map((tag) => tag.color))).toEqual(new Set(['#FF5733']));
  await own.close();
});

test('a fan can have a library tag only once', async () => {
  const library = await buildGlobalTag();
  const { params } = await buildTagged([{ label: 'kept' }]);
  const twice = [library.id, library.id.toUpperCase()].map((globalTagId) => ({ globalTagId }));
  const refusal = await client.refused(replaceTags, { params, body: { tags: twice } });
  expect(refusal).toMatchObject({
    status: 400,
    code: 'invalid_request',
    error: 'Add each library tag only once',
  });
  expect((await tagsOf(params)).map((tag) => tag.label)).toEqual(['kept']);
});

test('a library tag is found by its id in upper case', async () => {
  const library = await buildGlobalTag();
  const { params } = await buildTagged([]);
  const tags = [{ globalTagId: library.id.toUpperCase() }];
  await client.call(replaceTags, { params, body: { tags } });
  expect((await tagsOf(params)).map((tag) => tag.globalTagId)).toEqual([library.id]);
});

test('saving an unknown library tag changes nothing', async () => {
  const { params } = await buildTagged([{ label: 'kept' }]);
  const before = await versionOf(params);
  for (const globalTagId of [crypto.randomUUID(), 'nonsense']) {
    const refusal = await client.refused(replaceTags, {
      params,
      body: { tags: [{ label: 'new' }, { globalTagId }] },
    });
    expect(refusal).toMatchObject({ status: 404, code: 'tag_not_found' });
  }
  expect((await tagsOf(params)).map((tag) => tag.label)).toEqual(['kept']);
  expect(await versionOf(params)).toBe(before);
});

test('a tag can be removed by its own id or by the library’s', async () => {
  const library = await buildGlobalTag();
  const { params, tags } = await buildTagged([
    { label: 'a' },
    { globalTagId: library.id },
    { label: 'b' },
  ]);
  const before = await versionOf(params);
  const byLibrary = await client.call(removeTag, { params: { ...params, tagId: library.id } });
  expect(byLibrary.body.data.map((tag) => tag.label)).toEqual(['a', 'b']);
  const byOwn = await client.call(removeTag, { params: { ...params, tagId: tags[0]?.id ?? '' } });
  expect(byOwn.body.data).toEqual([tags[2]]);
  expect(await versionOf(params)).toBe(before + 2);
  await eventFor(params.id, ['b']);
});

test('an unknown tag or one of another fan can’t be removed', async () => {
  const other = await buildTagged([{ label: 'theirs' }]);
  const { params } = await buildTagged([{ label: 'mine' }]);
  const before = await versionOf(params);
  for (const tagId of [other.tags[0]?.id ?? '', crypto.randomUUID(), 'nonsense']) {
    const refusal = await client.refused(removeTag, { params: { ...params, tagId } });
    expect(refusal).toMatchObject({ status: 404, code: 'tag_not_found' });
  }
  expect(await tagsOf(other.params)).toHaveLength(1);
  expect(await versionOf(params)).toBe(before);
});

test('simultaneous saves and removals neither fail nor mix: the tags are from one save, or fewer', async () => {
  const library = await buildGlobalTag();
  const { params } = await buildTagged([{ globalTagId: library.id }]);
  const path = `/api/messages/admin/conversation/${params.id}/tags`;
  const replies = await Promise.all(
    Array.from({ length: 24 }, (_, index) =>
      index % 3 === 0
        ? client.raw('DELETE', `${path}/${library.id}`)
        : client.raw('PUT', path, {
            body: {
              tags: [{ globalTagId: library.id }, { label: `w${index}` }, { label: `x${index}` }],
            },
          }),
    ),
  );
  for (const { status, text } of replies) expect([200, 404], text).toContain(status);
  const labels = (await tagsOf(params))
    .map((tag) => tag.label)
    .filter((label) => label !== library.label);
  expect(labels).toHaveLength(2);
  expect(labels[0]?.slice(1)).toBe(labels[1]?.slice(1));
});

test.each([
  { tags: [{}] },
  { tags: [{ label: '   ' }] },
  { tags: [{ label: 'x'.repeat(61) }] },
  { tags: [{ label: 'x', color: 'red' }] },
  { tags: [{ label: 'x', color: '#12345G' }] },
  { tags: [{ label: 'x', color: 'url(x)' }] },
  { tags: [{ label: 'x', position: 1 }] },
  { tags: Array.from({ length: FAN_TAGS_MAX + 1 }, (_, index) => ({ label: `${index}` })) },
  { tags: 'x' },
  {},
])('saving %j is refused', async (body) => {
  const { params } = await buildTagged([{ label: 'kept' }]);
  const refusal = await client.refused(replaceTags, { params, body });
  expect(refusal).toMatchObject({ status: 400, code: 'invalid_request' });
  expect(await tagsOf(params)).toHaveLength(1);
});

test.each([
  { label: '  ' },
  { label: 'x'.repeat(61) },
  { label: 'x', color: '#fff' },
  { label: 'x', id: 'y' },
])('the library refuses the tag %j', async (body) => {
  const refusal = await client.refused(createGlobalTag, { body });
  expect(refusal).toMatchObject({ status: 400, code: 'invalid_request' });
  const library = await buildGlobalTag();
  const update = await client.refused(updateGlobalTag, { params: { id: library.id }, body });
  expect(update.status).toBe(400);
});

test('reading or changing tags of an unknown conversation is refused', async () => {
  for (const id of ['nonsense', crypto.randomUUID()]) {
    const refusals = await Promise.all([
      client.refused(getTags, { params: { id } }),
      client.refused(replaceTags, { params: { id }, body: { tags: [] } }),
      client.refused(removeTag, { params: { id, tagId: id } }),
    ]);
    expect(refusals.map(({ code }) => code)).toEqual(refusals.map(() => 'conversation_not_found'));
    const tag = await client.refused(updateGlobalTag, { params: { id }, body: { label: 'x' } });
    expect(tag).toMatchObject({ status: 404, code: 'tag_not_found' });
  }
});
