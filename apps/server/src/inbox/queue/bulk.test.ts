import { createGlobalTag } from '@stagedoor/contract/fans/tags';
import { BULK_MAX, type BulkAction, bulk } from '@stagedoor/contract/inbox/bulk';
import { assignConversation, getConversation } from '@stagedoor/contract/inbox/conversations';
import { removeAdmin } from '@stagedoor/contract/team/admins';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { buildConversation, buildFanMessage, buildStaff, unique } from '../../../test/factories.ts';
import { untilWaiting, whileLocked } from '../../../test/on-database.ts';
import { sharedApp } from '../../../test/test-app.ts';
import { until } from '../../../test/until.ts';

const app = await sharedApp();
const staff = await buildStaff(app);
const witness = await app.connectSocket(staff.token);

const run = async (ids: string[], action: BulkAction, by = staff) =>
  (await by.client.call(bulk, { body: { ids, action } })).body.data;
const now = async (id: string) =>
  (await staff.client.call(getConversation, { params: { id } })).body.data;
const actionsOn = async (id: string) =>
  (
    await app.db.kysely
      .selectFrom('audit_log')
      .select('action')
      .where('target_id', '=', id)
      .orderBy('id')
      .execute()
  ).map(({ action }) => action);
const buildTag = async () =>
  (await staff.client.call(createGlobalTag, { body: { label: unique('tag'), color: '#336699' } }))
    .body.data;

test('an action is applied where possible, and the other results say why it failed', async () => {
  const teammate = await buildStaff(app, { codename: unique('Kiwi') });
  const free = await buildConversation(app);
  const own = await buildConversation(app, { claimedBy: staff.admin });
  const others = await buildConversation(app, { claimedBy: teammate.admin });
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
        error: expect.stringContaining(teammate.admin.codename),
      },
      conversation: { claimed_by: teammate.admin.id },
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

test('unflagging leaves archived conversations as they are, and unarchiving leaves flagged ones', async () => {
  const [archived, flagged] = [
    await buildConversation(app, { status: 'archived' }),
    await buildConversation(app, { status: 'flagged' }),
  ];
  const unchanged = (status: string) => ({
    changed: false,
    failure: null,
    conversation: { status },
  });
  expect(await run([archived.id], { kind: 'unflag' })).toMatchObject([unchanged('archived')]);
  expect(await run([flagged.id], { kind: 'unarchive' })).toMatchObject([unchanged('flagged')]);
  expect(await run([archived.id, flagged.id], { kind: 'unflag' })).toMatchObject([
    { changed: false },
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

test('removing a tag waits while the tag is being deleted', async () => {
  const { id } = await buildConversation(app);
  const tag = await buildTag();
  await run([id], { kind: 'add_tag', tag_id: tag.id });
  const lock = `select from global_tags where id = '${tag.id}' for update`;
  const [removing] = await whileLocked(app.databaseUrl, lock, async () => {
    const removal = run([id], { kind: 'remove_tag', tag_id: tag.id });
    await untilWaiting(app, 1);
    return [removal];
  });
  expect(await removing).toMatchObject([{ changed: true }]);
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
    body: { ids: [...ids, crypto.randomUUID()], action: { kind: 'claim' } },
  });
  expect(refusal).toMatchObject({ status: 400, code: 'invalid_request' });
});

test('reading marks all messages of each conversation and staff’s own marks, and is emitted', async () => {
  const [one, two, marked, read] = [
    await buildConversation(app),
    await buildConversation(app),
    await buildConversation(app),
    await buildConversation(app),
  ];
  await buildFanMessage(app, one.fan);
  await run([marked.id, read.id], { kind: 'read' });
  await run([marked.id], { kind: 'unread' });
  const ids = [one.id, two.id, marked.id, read.id];
  expect(await run(ids, { kind: 'read' })).toMatchObject([
    { changed: true, failure: null, conversation: { unread_count: 0 } },
    { changed: true, failure: null, conversation: { unread_count: 0 } },
    { changed: true, failure: null, conversation: { unread_count: 0 } },
    { changed: false, failure: null },
  ]);
  for (const id of [one.id, two.id]) {
    const event = await witness.nextEvent(
      'message_read',
      ({ conversation_id }) => conversation_id === id,
    );
    expect(event).toMatchObject({ unread_count: 0, version: (await now(id)).version });
  }
  expect(await run(ids, { kind: 'unread' })).toMatchObject(
    ids.map(() => ({ changed: true, conversation: { unread_count: 1 } })),
  );
});

test('conversations are snoozed and woken together, audited for each', async () => {
  const ids = [(await buildConversation(app)).id, (await buildConversation(app)).id];
  const until = new Date(Date.now() + 3_600_000).toISOString();
  const asleep = ids.map(() => ({ changed: true, conversation: { snooze: { until } } }));
  expect(await run(ids, { kind: 'snooze', until })).toMatchObject(asleep);
  expect(await run(ids, { kind: 'snooze', until })).toMatchObject(
    ids.map(() => ({ changed: false, failure: null })),
  );
  expect(await run(ids, { kind: 'unsnooze' })).toMatchObject(
    ids.map(() => ({ changed: true, conversation: { snooze: null } })),
  );
  for (const id of ids) {
    expect(await actionsOn(id)).toEqual(['conversation.snooze', 'conversation.unsnooze']);
  }
  const past = { kind: 'snooze', until: new Date(Date.now() - 1_000).toISOString() } as const;
  const refusal = await staff.client.refused(bulk, { body: { ids, action: past } });
  expect(refusal).toMatchObject({ status: 400, code: 'invalid_request' });
});

test('an assignment is undone by its author: each conversation returns to its former holder', async () => {
  const [manager, kiwi, olive, gone] = [
    await buildStaff(app, { role: 'manager' }),
    await buildStaff(app),
    await buildStaff(app),
    await buildStaff(app),
  ];
  const [free, own, olives, ofGone] = [
    await buildConversation(app),
    await buildConversation(app, { claimedBy: manager.admin }),
    await buildConversation(app, { claimedBy: olive.admin }),
    await buildConversation(app, { claimedBy: gone.admin }),
  ];
  const ids = [free.id, own.id, olives.id, ofGone.id];
  const holders = async () => Promise.all(ids.map(async (id) => (await now(id)).claimed_by));
  await run(ids, { kind: 'assign', admin_id: kiwi.admin.id }, manager);
  expect(await holders()).toEqual(ids.map(() => kiwi.admin.id));
  await manager.client.call(removeAdmin, { params: { id: gone.admin.id } });
  expect(await run(ids, { kind: 'unassign' }, olive)).toMatchObject(
    ids.map(() => ({ changed: false, failure: { code: 'already_claimed' } })),
  );
  expect(await run(ids, { kind: 'unassign' }, manager)).toMatchObject(
    ids.map(() => ({ changed: true, failure: null })),
  );
  expect(await holders()).toEqual([null, manager.admin.id, olive.admin.id, null]);
  expect(await actionsOn(own.id)).toEqual(['conversation.assign', 'conversation.unassign']);
  expect(await run([free.id, olives.id], { kind: 'unassign' }, manager)).toMatchObject([
    { changed: false, failure: null },
    { changed: false, failure: { code: 'already_claimed' } },
  ]);
});

test('an assignment that changed since, or is over a minute old, is not undone', async () => {
  const [kiwi, olive] = [await buildStaff(app), await buildStaff(app)];
  const [passedOn, old] = [await buildConversation(app), await buildConversation(app)];
  const ids = [passedOn.id, old.id];
  await run(ids, { kind: 'assign', admin_id: kiwi.admin.id });
  const body = { admin_id: olive.admin.id };
  await kiwi.client.call(assignConversation, { params: { id: passedOn.id }, body });
  await sql`alter table audit_log disable trigger audit_log_is_kept`.execute(app.db.kysely);
  await sql`update audit_log set at = at - interval '1 minute' where target_id = ${old.id}`.execute(
    app.db.kysely,
  );
  await sql`alter table audit_log enable trigger audit_log_is_kept`.execute(app.db.kysely);
  expect(await run(ids, { kind: 'unassign' })).toMatchObject([
    { changed: false, conversation: { claimed_by: olive.admin.id } },
    { changed: false, conversation: { claimed_by: kiwi.admin.id } },
  ]);
});
