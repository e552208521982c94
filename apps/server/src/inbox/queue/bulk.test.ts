import { createGlobalTag } from '@stagedoor/contract/fans/tags';
import { BULK_MAX, bulk } from '@stagedoor/contract/inbox/bulk';
import { getConversation } from '@stagedoor/contract/inbox/conversations';
import { afterAll, expect, test } from 'vitest';
import { buildConversation, buildStaff, unique } from '../../../test/factories.ts';
import { startTestApp } from '../../../test/test-app.ts';
import { until } from '../../../test/until.ts';

const app = await startTestApp();
afterAll(() => app.close());
const staff = await buildStaff(app);
const witness = await app.connectSocket(staff.token);

const run = async (ids: string[], action: Parameters<typeof body>[1]) =>
  (await staff.client.call(bulk, { body: body(ids, action) })).body.data;
const body = (
  ids: string[],
  action:
    | { kind: 'claim' | 'release' | 'archive' | 'unarchive' }
    | { kind: 'add_tag' | 'remove_tag'; tag_id: string },
) => ({ ids, action });
const now = async (id: string) =>
  (await staff.client.call(getConversation, { params: { id } })).body.data;
const buildTag = async () =>
  (await staff.client.call(createGlobalTag, { body: { label: unique('tag'), color: '#336699' } }))
    .body.data;

test('an action is applied where possible, and the other results say why it failed', async () => {
  const colleague = await buildStaff(app, { codename: unique('Kiwi') });
  const free = await buildConversation(app);
  const own = await buildConversation(app, { claimedBy: staff.admin });
  const others = await buildConversation(app, { claimedBy: colleague.admin });
  const unknown = crypto.randomUUID();
  const results = await run([free.id, own.id, others.id, unknown, free.id], { kind: 'claim' });
  expect(results).toMatchObject([
    { id: free.id, changed: true, failure: null, conversation: { claimed_by: staff.admin.id } },
    { id: own.id, changed: false, failure: null },
    {
      id: others.id,
      changed: false,
      failure: {
        code: 'already_claimed',
        error: expect.stringContaining(colleague.admin.codename),
      },
      conversation: { claimed_by: colleague.admin.id },
    },
    {
      id: unknown,
      changed: false,
      failure: { code: 'conversation_not_found' },
      conversation: null,
    },
  ]);
  await until('the claim was emitted', () =>
    witness
      .received('conversation_updated')
      .some(({ conversation }) => conversation.id === free.id && conversation.claimed_by !== null),
  );
});

test('unarchiving reverses archiving; flagged conversations stay flagged', async () => {
  const [one, flagged] = [
    await buildConversation(app),
    await buildConversation(app, { status: 'flagged' }),
  ];
  const ids = [one.id, flagged.id];
  expect(await run(ids, { kind: 'archive' })).toMatchObject([
    { changed: true, conversation: { status: 'archived' } },
    { changed: false, failure: { code: 'invalid_transition' } },
  ]);
  expect(await run([one.id], { kind: 'archive' })).toMatchObject([
    { changed: false, failure: null },
  ]);
  expect(await run([one.id], { kind: 'unarchive' })).toMatchObject([
    { changed: true, conversation: { status: 'active' } },
  ]);
});

test('a library tag is appended once, and can be removed again', async () => {
  const [first, second] = [await buildTag(), await buildTag()];
  const { id } = await buildConversation(app);
  await run([id], { kind: 'add_tag', tag_id: first.id });
  const [added] = await run([id], { kind: 'add_tag', tag_id: second.id });
  expect(added?.changed).toBe(true);
  expect((await now(id)).fan.admin_tags.map(({ globalTagId }) => globalTagId)).toEqual([
    first.id,
    second.id,
  ]);
  const before = await now(id);
  expect(await run([id], { kind: 'add_tag', tag_id: second.id })).toMatchObject([
    { changed: false, failure: null },
  ]);
  expect(await now(id)).toEqual(before);
  await run([id], { kind: 'remove_tag', tag_id: first.id });
  expect((await now(id)).fan.admin_tags.map(({ globalTagId }) => globalTagId)).toEqual([second.id]);
  expect(await run([id], { kind: 'remove_tag', tag_id: first.id })).toMatchObject([
    { changed: false, failure: null },
  ]);
});

test.each(['nothing', crypto.randomUUID()])('the unknown tag %s is refused', async (tag_id) => {
  const { id } = await buildConversation(app);
  expect(await run([id], { kind: 'add_tag', tag_id })).toMatchObject([
    { changed: false, failure: { code: 'tag_not_found' } },
  ]);
});

test('a hundred conversations are accepted, one more is refused', async () => {
  const ids = Array.from({ length: BULK_MAX }, () => crypto.randomUUID());
  expect(await run(ids, { kind: 'claim' })).toHaveLength(BULK_MAX);
  const refusal = await staff.client.refused(bulk, {
    body: body([...ids, crypto.randomUUID()], { kind: 'claim' }),
  });
  expect(refusal).toMatchObject({ status: 400, code: 'invalid_request' });
});
