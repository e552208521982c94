import { replaceTags } from '@stagedoor/contract/fans/fans';
import {
  InboxFilter,
  InboxSort,
  inbox,
  myConversations,
} from '@stagedoor/contract/inbox/conversations';
import {
  createSegment,
  deleteSegment,
  explainSegment,
  listSegments,
  previewSegment,
  SEGMENTS_MAX,
  updateSegment,
} from '@stagedoor/contract/selling/segments';
import { listAudit } from '@stagedoor/contract/team/audit';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { buildConversation, buildStaff } from '../../../test/factories.ts';
import { seededRandom } from '../../../test/random.ts';
import { sharedApp } from '../../../test/test-app.ts';
import { buildInboxWorld } from '../../../test/worlds/inbox-world.ts';
import { openInviteDesk } from '../../../test/worlds/invites.ts';

const app = await sharedApp();
const [manager, support] = [await buildStaff(app, { role: 'manager' }), await buildStaff(app)];
beforeEach(async () => {
  await sql`delete from segments`.execute(app.db.kysely);
});

const UNREAD = { field: 'unread', op: 'eq', value: true } as const;
const RULE = { all: [UNREAD, { field: 'spent', op: 'gte', value: 19.99 }] } as const;
const EVERYONE = { all: [] } as const;

const make = async (name = 'Big spenders', rule: object = RULE) =>
  (await manager.client.call(createSegment, { body: { name, rule: rule as typeof RULE } })).body
    .data;
const list = async () => (await support.client.call(listSegments)).body.data;

test('managers save, change and delete segments, which everyone sees by name', async () => {
  const made = await make();
  expect(made).toEqual({
    id: expect.any(String),
    name: 'Big spenders',
    rule: RULE,
    created_by: manager.admin.id,
    updated_at: expect.any(String),
  });
  const other = await make('all fans', EVERYONE);
  expect(await list()).toEqual([other, made]);
  const params = { id: made.id };
  const { body } = await manager.client.call(updateSegment, { params, body: { name: 'Whales' } });
  expect(body.data).toMatchObject({ name: 'Whales', rule: RULE, created_by: manager.admin.id });
  await manager.client.call(updateSegment, { params, body: { rule: { any: [UNREAD] } } });
  expect(await list()).toMatchObject([other, { name: 'Whales', rule: { any: [UNREAD] } }]);
  await manager.client.call(deleteSegment, { params });
  expect(await list()).toEqual([other]);
  for (const id of [made.id, 'nonsense']) {
    const notFound = { status: 404, code: 'segment_not_found' };
    const refused = manager.client.refused;
    expect(await refused(deleteSegment, { params: { id } })).toMatchObject(notFound);
    expect(await refused(updateSegment, { params: { id }, body: {} })).toMatchObject(notFound);
  }
});

test('changes are audited and emitted to all staff', async () => {
  const socket = await app.connectSocket(support.token);
  const { id } = await make();
  expect(await socket.nextEvent('shared_updated')).toEqual({ what: 'segments' });
  await manager.client.call(updateSegment, { params: { id }, body: { name: 'Whales' } });
  await manager.client.call(deleteSegment, { params: { id } });
  const { body } = await manager.client.call(listAudit, { query: { target_id: id } });
  expect(body.data.map(({ action, target_label }) => [action, target_label])).toEqual([
    ['segment.delete', 'Whales'],
    ['segment.update', 'Whales'],
    ['segment.create', 'Big spenders'],
  ]);
  socket.close();
});

test(`there are at most ${SEGMENTS_MAX} segments, even with simultaneous saves`, async () => {
  await sql`insert into segments (name, rule, created_by)
    select 'x', '{"all":[]}', ${manager.admin.id} from generate_series(1, ${SEGMENTS_MAX - 1})`.execute(
    app.db.kysely,
  );
  const body = { name: 'One more', rule: EVERYONE };
  const replies = await Promise.all(
    [1, 2, 3].map(() => manager.client.raw('POST', createSegment.path, { body })),
  );
  expect(replies.filter(({ status }) => status === 409)).toHaveLength(2);
  expect(await list()).toHaveLength(SEGMENTS_MAX);
});

const SPENT = { field: 'spent', op: 'gt', value: 1 };
const nested = (depth: number): object =>
  depth === 1 ? { all: [SPENT] } : { any: [nested(depth - 1)] };

describe('an invalid rule is refused with the path of its first fault', () => {
  test.each([
    ['rule', 'all'],
    ['rule', {}],
    ['rule', SPENT],
    ['rule', { all: [], any: [] }],
    ['rule.all', { all: {} }],
    ['rule.all.1', { all: [SPENT, null] }],
    ['rule.any.0.field', { any: [{ ...SPENT, field: 'shoe_size' }] }],
    ['rule.any.0.field', { any: [{ ...SPENT, field: 'constructor' }] }],
    ['rule.all.1.any.0.op', { all: [SPENT, { any: [{ ...SPENT, op: 'contains' }] }] }],
    ['rule.all.0.op', { all: [{ ...SPENT, op: 'toString' }] }],
    ['rule.all.0.extra', { all: [{ ...SPENT, extra: 1 }] }],
    ['rule.all.0.value', { all: [{ field: 'spent', op: 'gt' }] }],
    ['rule.all.0.value', { all: [{ ...SPENT, value: '1' }] }],
    ['rule.all.0.value', { all: [{ ...SPENT, value: 0.001 }] }],
    ['rule.all.0.value', { all: [{ ...SPENT, value: -1 }] }],
    ['rule.all.0.value', { all: [{ field: 'timezone_hour', op: 'eq', value: 24 }] }],
    ['rule.all.0.value', { all: [{ field: 'joined_at', op: 'gt', value: 7 }] }],
    ['rule.all.0.value', { all: [{ field: 'joined_at', op: 'within_days', value: 0 }] }],
    ['rule.all.0.value', { all: [{ field: 'status', op: 'eq', value: 'open' }] }],
    ['rule.all.0.value', { all: [{ field: 'language', op: 'has', value: 'xx' }] }],
    ['rule.all.0.value', { all: [{ field: 'tag', op: 'has', value: ' ' }] }],
    ['rule.all.0.value', { all: [{ field: 'name', op: 'contains', value: 'a\0' }] }],
    ['rule.any.0.any.0.any.0.any.0.any.0', nested(6)],
    ['rule.all.50', { all: Array.from({ length: 51 }, () => SPENT) }],
  ])('%s of %j', async (path, rule) => {
    for (const [endpoint, rest] of [
      [previewSegment, {}],
      [explainSegment, { conversation_id: 'x' }],
      [createSegment, { name: 'x' }],
    ] as const) {
      const body = { ...rest, rule };
      const { status, text } = await manager.client.raw('POST', endpoint.path, { body });
      expect({ status, ...JSON.parse(text) }).toMatchObject({
        status: 400,
        code: 'invalid_rule',
        error: expect.stringContaining(`${path}: `),
        fields: { [path]: expect.any(String) },
      });
    }
  });
});

test('rules can be nested 5 levels deep and have 50 conditions', async () => {
  for (const rule of [nested(5), { any: Array.from({ length: 50 }, () => SPENT) }]) {
    const { status } = await support.client.raw('POST', previewSegment.path, { body: { rule } });
    expect(status).toBe(200);
  }
});

test('a preview lists the fans with the newest messages first, as many as asked for', async () => {
  const first = await buildConversation(app, { fan: { first_name: 'Mia', last_name: 'Sol' } });
  const second = await buildConversation(app, { fan: { first_name: null } });
  const { client } = support;
  const { body } = await client.call(previewSegment, { body: { rule: EVERYONE, limit: 2 } });
  expect(body.data.fans).toEqual([
    {
      fan_id: second.fan.id,
      conversation_id: second.id,
      display_name: second.fan.external_id,
    },
    { fan_id: first.fan.id, conversation_id: first.id, display_name: 'Mia Sol' },
  ]);
  const none = await client.call(previewSegment, { body: { rule: EVERYONE, limit: 0 } });
  expect(none.body.data).toEqual({ total: body.data.total, fans: [] });
  const nobody = await client.call(previewSegment, { body: { rule: { any: [] } } });
  expect(nobody.body.data).toEqual({ total: 0, fans: [] });
});

test('an explanation says what each condition found', async () => {
  const { id } = await buildConversation(app, { fan: { first_name: 'Mia', timezone: null } });
  await support.client.call(replaceTags, { params: { id }, body: { tags: [{ label: 'VIP' }] } });
  const rule = {
    any: [
      { field: 'tag', op: 'has', value: 'vip' },
      {
        all: [
          { field: 'spent', op: 'gt', value: 5 },
          { field: 'name', op: 'contains', value: 'MI' },
          { field: 'timezone_hour', op: 'ne', value: 5 },
          { field: 'subscription', op: 'eq', value: 'none' },
          { field: 'last_creator_message_at', op: 'not_within_days', value: 7 },
        ],
      },
    ],
  } as const;
  const explain = (conversation_id: string) => ({ body: { rule, conversation_id } });
  const { body } = await support.client.call(explainSegment, explain(id));
  expect(body.data).toEqual({
    matches: true,
    conditions: [
      { path: 'any.0', matches: true, actual: ['VIP'] },
      { path: 'any.1.all.0', matches: false, actual: 0 },
      { path: 'any.1.all.1', matches: true, actual: 'Mia' },
      { path: 'any.1.all.2', matches: false, actual: null },
      { path: 'any.1.all.3', matches: true, actual: 'none' },
      { path: 'any.1.all.4', matches: true, actual: null },
    ],
  });
  for (const unknown of ['nonsense', manager.admin.id]) {
    expect(await support.client.refused(explainSegment, explain(unknown))).toMatchObject({
      status: 404,
      code: 'conversation_not_found',
    });
  }
});

test('the end of a benefit equals the time that the API shows', async () => {
  const { invited, accept } = await openInviteDesk(app);
  const { id, fan } = await buildConversation(app);
  const { token } = await invited();
  const value = (await accept(token, fan.external_id)).body.data.benefit_ends_at ?? '';
  const rule = { all: [{ field: 'subscription_ends_at', op: 'eq', value }] } as const;
  const { body } = await support.client.call(previewSegment, { body: { rule } });
  expect(body.data.fans).toMatchObject([{ conversation_id: id }]);
});

test('the inbox shows only a segment’s fans, in every list and order, in pages and with their total', async () => {
  const { viewer, built } = await buildInboxWorld(app, seededRandom(), 20);
  const { client } = viewer;
  for (const [index, { id }] of built.entries()) {
    if (index % 3 > 0) continue;
    await client.call(replaceTags, { params: { id }, body: { tags: [{ label: 'odd' }] } });
  }
  const { id: segment } = await make('Segment', {
    any: [UNREAD, { field: 'tag', op: 'has', value: 'odd' }],
  });
  for (const filter of InboxFilter.options) {
    for (const sort of InboxSort.options) {
      for (const tag of [undefined, 'odd']) {
        const query = { filter, sort, limit: 200, ...(tag !== undefined && { tag }) };
        const { body: whole } = await client.call(inbox, { query });
        const expected = whole.data
          .filter(
            ({ unread_count, snooze, fan }) =>
              (unread_count > 0 && snooze === null) || fan.admin_tags.length > 0,
          )
          .map(({ id }) => id);
        const seen: string[] = [];
        let cursor: string | null | undefined;
        while (cursor !== null) {
          const { body } = await client.call(inbox, {
            query: { ...query, segment, limit: 4, ...(cursor !== undefined && { cursor }) },
          });
          expect(body.total, `${filter} by ${sort}`).toBe(expected.length);
          seen.push(...body.data.map(({ id }) => id));
          cursor = body.next_cursor;
        }
        expect(seen, `${filter} by ${sort}`).toEqual(expected);
      }
    }
  }
  const { body } = await client.call(myConversations, { query: { segment } });
  expect(body.total).toBe(body.data.length);
  const offset = await client.call(inbox, { query: { segment, offset: 2 } });
  const top = await client.call(inbox, { query: { segment } });
  expect(offset.body.data.slice(0, 3)).toEqual(top.body.data.slice(2, 5));
  for (const unknown of ['nonsense', manager.admin.id]) {
    expect(await client.refused(inbox, { query: { segment: unknown } })).toMatchObject({
      status: 404,
      code: 'segment_not_found',
    });
  }
});
