import { eraseFan, recordRefund, recordTip } from '@stagedoor/contract/platform/platform';
import {
  operatorsOf,
  SEGMENT_FIELDS,
  type SegmentCondition,
  type SegmentField,
  type SegmentRule,
} from '@stagedoor/contract/selling/segment-rules';
import { explainSegment, previewSegment } from '@stagedoor/contract/selling/segments';
import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { unique } from '../../../test/factories.ts';
import { sharedApp } from '../../../test/test-app.ts';
import {
  matchesCondition,
  matchesRule,
  openSegmentsWorld,
  type SegmentsWorld,
  valuesFor,
} from '../../../test/worlds/segments-world.ts';
import { fillWrittenTimes } from '../../db/written-times.ts';

const app = await sharedApp();
let world: SegmentsWorld;
let values: ReturnType<typeof valuesFor>;
beforeAll(async () => {
  world = await openSegmentsWorld(app, 30);
  values = valuesFor(world);
});

const FIELDS = Object.keys(SEGMENT_FIELDS) as SegmentField[];

/** Returns the conditions on a field with every operator and each of the test values. */
function conditionsOn(field: SegmentField): SegmentCondition[] {
  const known = values[field];
  return Object.keys(operatorsOf(field)).flatMap((op) => {
    const asked = 'days' in known ? known[op.endsWith('days') ? 'days' : 'instants'] : known;
    return asked.map((value) => ({ field, op, value }) as SegmentCondition);
  });
}

/** Expects a preview to return the fans that match in memory, just before the request or just after it. */
async function compare(rule: SegmentRule): Promise<void> {
  const plain = (now: number) =>
    world.fans
      .filter((fan) => matchesRule(fan, rule, now))
      .map((fan) => ({
        fan_id: fan.fanId,
        conversation_id: fan.id,
        display_name: fan.displayName,
      }))
      .toSorted((one, other) => one.fan_id.localeCompare(other.fan_id));
  const before = plain(Date.now());
  const { body } = await world.seller.client.call(previewSegment, { body: { rule, limit: 100 } });
  const found = body.data.fans.toSorted((one, other) => one.fan_id.localeCompare(other.fan_id));
  expect([before, plain(Date.now())], JSON.stringify(rule)).toContainEqual(found);
  expect(body.data.total).toBe(found.length);
}

test.each(FIELDS)('conditions on %s match as in memory, with every operator', async (field) => {
  for (const condition of conditionsOn(field)) await compare({ all: [condition] });
});

const aRule: fc.Arbitrary<SegmentRule> = fc.letrec<{
  part: SegmentRule | SegmentCondition;
  rule: SegmentRule;
}>((tie) => ({
  part: fc.oneof(
    { maxDepth: 4 },
    {
      weight: 3,
      arbitrary: fc.tuple(fc.constantFrom(...FIELDS), fc.nat()).map(([field, index]) => {
        const conditions = conditionsOn(field);
        return conditions[index % conditions.length] as SegmentCondition;
      }),
    },
    { weight: 1, arbitrary: tie('rule') },
  ),
  rule: fc.oneof(
    fc.record({ all: fc.array(tie('part'), { maxLength: 3 }) }),
    fc.record({ any: fc.array(tie('part'), { maxLength: 3 }) }),
  ),
})).rule;

test('random rules match as in memory, and the explanation agrees with each condition', async () => {
  await fc.assert(
    fc.asyncProperty(aRule, fc.nat(29), async (rule, index) => {
      await compare(rule);
      const fan = world.fans[index];
      if (fan === undefined) return;
      const { body } = await world.seller.client.call(explainSegment, {
        body: { rule, conversation_id: fan.id },
      });
      const now = Date.now();
      const conditions = leavesOf(rule).map(({ path, condition }) => ({
        path,
        matches: matchesCondition(fan, condition, now),
        actual: expect.anything(),
      }));
      const shown = body.data.conditions.map((each) => ({
        ...each,
        actual: each.actual ?? 'null',
      }));
      expect({ ...body.data, conditions: shown }).toEqual({
        matches: matchesRule(fan, rule, now),
        conditions,
      });
    }),
    { numRuns: 150 },
  );
});

function leavesOf(rule: SegmentRule, above = ''): { path: string; condition: SegmentCondition }[] {
  const [name, parts] = 'all' in rule ? (['all', rule.all] as const) : (['any', rule.any] as const);
  return parts.flatMap((part, index) => {
    const path = `${above}${name}.${index}`;
    return 'field' in part ? [{ path, condition: part }] : leavesOf(part, `${path}.`);
  });
}

const fanOf = (id: string) =>
  app.db.kysely
    .selectFrom('fans')
    .select('external_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

test('stored spending equals a recount of the payments, even after an erasure', async () => {
  const recount = async () => {
    const { rows } = await sql<{ stored: string; counted: string }>`select
      (select string_agg(s::text, ' ' order by fan_id) from fan_spending s) as stored,
      (select string_agg(p::text, ' ' order by fan_id) from (
        select p.fan_id, sum(p.amount_cents), count(p.purchased_at), max(p.purchased_at)
        from (
          select fan_id, amount_cents, purchased_at, refunded_at from purchases
          union all select fan_id, amount_cents, null, refunded_at from tips
        ) p join fans f on f.id = p.fan_id where p.refunded_at is null group by p.fan_id
      ) p) as counted`.execute(app.db.kysely);
    expect(rows[0]?.stored).toBe(rows[0]?.counted);
  };
  // Refunded at the end, because other tests compare what the fans have spent.
  const { external_id: tipper } = await fanOf(world.fans[0]?.fanId ?? '');
  const payment_reference = unique('tip');
  await recount();
  await app.platform.call(recordTip, { body: { fan: tipper, amount: 5, payment_reference } });
  await recount();
  await app.platform.call(recordRefund, { body: { payment_reference } });
  await recount();
  const buyer = world.fans.find(({ values: { purchases } }) => Number(purchases) > 0);
  if (buyer === undefined) throw new Error('nobody has bought anything');
  const { external_id: fan } = await fanOf(buyer.fanId);
  await app.platform.call(eraseFan, { params: { fan } });
  world.fans.splice(world.fans.indexOf(buyer), 1);
  await recount();
  await compare({ all: [] });
});

test('the job fills in the time of each side’s last message, as sends do', async () => {
  const times = async () =>
    (
      await sql`select id, fan_wrote_at, creator_wrote_at from conversations order by id`.execute(
        app.db.kysely,
      )
    ).rows;
  await fillWrittenTimes(app.db)();
  const filled = await times();
  await sql`update conversations set fan_wrote_at = null, creator_wrote_at = null`.execute(
    app.db.kysely,
  );
  await fillWrittenTimes(app.db)();
  expect(await times()).toEqual(filled);
  await compare({ any: conditionsOn('last_fan_message_at').slice(0, 20) });
});
