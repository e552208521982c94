import { replaceFanLanguages } from '@stagedoor/contract/fans/fan-facts';
import { replaceTags } from '@stagedoor/contract/fans/fans';
import { createGlobalTag } from '@stagedoor/contract/fans/tags';
import { claimConversation, setStatus } from '@stagedoor/contract/inbox/conversations';
import { snooze } from '@stagedoor/contract/inbox/queue';
import type { LanguageCode } from '@stagedoor/contract/language-codes';
import {
  type PlatformFan,
  putSubscription,
  recordPurchase,
  recordRefund,
} from '@stagedoor/contract/platform/platform';
import {
  isRule,
  type SegmentCondition,
  type SegmentField,
  type SegmentRule,
} from '@stagedoor/contract/selling/segment-rules';
import { sql } from 'kysely';
import type { Backend } from '../backend.ts';
import { buildFan, buildFanMessage, buildReply } from '../factories.ts';
import { seededRandom } from '../random.ts';
import { buildOffer, buildProduct } from './catalogue.ts';
import { openMarket, saleOf } from './market.ts';

const DAY_MS = 86_400_000;
/** How many days ago things happened. Never close to the days in the rules, so the duration of the test makes no difference. */
const AGES = [0.5, 3.5, 20.5, 80.5, 400.5];
const ZONES = ['Europe/Lisbon', 'Asia/Kathmandu', 'america/new_york', 'Pacific/Apia'];
const LANGUAGES: readonly LanguageCode[] = ['de', 'en', 'pt'];
const NAMES = [
  { first_name: 'Ána', last_name: 'Müller' },
  { first_name: null, last_name: 'Ana_100%' },
  { first_name: null, username: 'ANAKIN' },
  { first_name: '  ', email: 'someone@fans.example' },
  { first_name: '', last_name: '', username: '' },
  { first_name: null },
];

type KnownValue = string | number | boolean | null | readonly string[];

/** A fan for the evaluation in memory. Times are in milliseconds since 1970; null: never, or unknown. */
export interface KnownFan {
  readonly id: string;
  readonly fanId: string;
  readonly displayName: string;
  readonly zone: string | null;
  readonly values: Record<Exclude<SegmentField, 'timezone_hour'>, KnownValue>;
}

export type SegmentsWorld = Awaited<ReturnType<typeof openSegmentsWorld>>;

/** Builds fans who differ in every field that a rule can test. */
export async function openSegmentsWorld(app: Backend, count: number) {
  const random = seededRandom();
  const { manager, seller } = await openMarket(app);
  const { client } = seller;
  const products = [await buildProduct(manager), await buildProduct(manager)];
  const library = (await client.call(createGlobalTag, { body: { label: 'VIP' } })).body.data;
  const fans: KnownFan[] = [];
  for (let index = 0; index < count; index++) fans.push(await build());
  return { manager, seller, products, library, fans, random };

  async function build(): Promise<KnownFan> {
    const zone = random.chance(0.2) ? null : random.pick(ZONES);
    const fan = await buildFan(app, { ...random.pick(NAMES), timezone: zone });
    const id = fan.conversation_id;
    const deals = await trade(fan);
    const written = await write(fan, deals.offered_product.length > 0);
    const tags = random.pick([[], ['VIP'], ['vip', 'new'], [library.id]]);
    await client.call(replaceTags, {
      params: { id },
      body: {
        tags: tags.map((tag) => (tag === library.id ? { globalTagId: tag } : { label: tag })),
      },
    });
    const language = [...LANGUAGES].filter(() => random.chance(0.4));
    await client.call(replaceFanLanguages, { params: { id }, body: { languages: language } });
    const joined_at = Date.now() - random.pick(AGES) * DAY_MS;
    await sql`update fans set created_at = ${new Date(joined_at)} where id = ${fan.id}`.execute(
      app.db.kysely,
    );
    const name =
      [fan.first_name, fan.last_name].filter(Boolean).join(' ').trim() || fan.username || fan.email;
    return {
      id,
      fanId: fan.id,
      displayName: name ?? fan.external_id,
      zone,
      values: {
        ...deals,
        ...written,
        ...(await subscribe(fan)),
        ...(await sort(id, written.unread)),
        // Rules find a library tag by its id or its label.
        tag: tags.flatMap((tag) => (tag === library.id ? [tag, 'vip'] : [tag.toLowerCase()])),
        language,
        joined_at,
        name,
      },
    };
  }

  async function trade(fan: PlatformFan) {
    const sales: { product: string; cents: number; at: number }[] = [];
    const offered: string[] = [];
    for (const product of products.filter(() => random.chance(0.6))) {
      const cents = random.pick([999, 1_000, 2_550]);
      const message = await buildOffer(seller, fan.conversation_id, [product], cents / 100);
      offered.push(product.id);
      if (random.chance(0.4)) continue;
      const at = Date.now() - random.pick(AGES) * DAY_MS;
      const sale = saleOf(fan, message, cents / 100);
      const body = { ...sale, purchased_at: new Date(at).toISOString() };
      await app.platform.call(recordPurchase, { body });
      const { payment_reference } = sale;
      if (random.chance(0.3))
        await app.platform.call(recordRefund, { body: { payment_reference } });
      else sales.push({ product: product.id, cents, at });
    }
    return {
      spent: sales.reduce((sum, { cents }) => sum + cents, 0) / 100,
      purchases: sales.length,
      last_purchase_at: sales.length === 0 ? null : Math.max(...sales.map(({ at }) => at)),
      owns_product: sales.map(({ product }) => product),
      offered_product: offered,
    };
  }

  /** Sends messages from both sides, one side, or neither, and moves all the conversation's messages into the past. */
  async function write(fan: PlatformFan, hasOffers: boolean) {
    const { conversation_id: id } = fan;
    const replies = random.chance(0.3);
    if (replies) await buildReply(seller, id);
    const unread = random.chance(0.5);
    if (unread) await buildFanMessage(app, fan);
    const [fanAt, creatorAt] = [moved(), moved()];
    await sql`update messages set created_at = to_timestamp(case when from_fan then ${fanAt}::float8 else ${creatorAt} end / 1000)
      where conversation_id = ${id}`.execute(app.db.kysely);
    const last_fan_message_at = unread ? fanAt : null;
    const last_creator_message_at = replies || hasOffers ? creatorAt : null;
    // Null in some conversations, as if they were older than the columns.
    const stored = (at: number | null) => new Date(at ?? 0);
    const known = random.chance(0.5)
      ? {
          fan_wrote_at: stored(last_fan_message_at),
          creator_wrote_at: stored(last_creator_message_at),
        }
      : { fan_wrote_at: null, creator_wrote_at: null };
    await app.db.kysely.updateTable('conversations').set(known).where('id', '=', id).execute();
    return { unread, last_fan_message_at, last_creator_message_at };
  }

  function moved(): number {
    return Math.floor(Date.now() - random.pick(AGES) * DAY_MS);
  }

  async function subscribe(fan: PlatformFan) {
    const status = random.pick([null, 'trial', 'subscribed'] as const);
    const ends = random.pick([null, -3.5, 2.5, 20.5]);
    const ends_at =
      ends === null || status === null ? null : Math.floor(Date.now() + ends * DAY_MS);
    const instant = ends_at === null ? null : new Date(ends_at).toISOString();
    const body = status === null ? { status } : { status, ends_at: instant };
    await app.platform.call(putSubscription, { params: { fan: fan.external_id }, body });
    const isOver = ends_at !== null && ends_at < Date.now();
    const current = status === 'subscribed' ? 'active' : (status ?? 'none');
    return { subscription: isOver ? 'ended' : current, subscription_ends_at: ends_at };
  }

  async function sort(id: string, unread: boolean) {
    const status = random.pick(['active', 'archived', 'flagged'] as const);
    if (status !== 'active') await client.call(setStatus, { params: { id }, body: { status } });
    const claimed = random.chance(0.3);
    if (claimed) await client.call(claimConversation, { params: { id } });
    const isSnoozed = random.chance(0.2);
    if (isSnoozed) await client.call(snooze, { params: { id }, body: { until: null } });
    return { status, claimed, unread: unread && !isSnoozed };
  }
}

/** Evaluates a rule in memory. @param now milliseconds since 1970 */
export function matchesRule(fan: KnownFan, rule: SegmentRule, now: number): boolean {
  const each = (part: SegmentCondition | SegmentRule) =>
    isRule(part) ? matchesRule(fan, part, now) : matchesCondition(fan, part, now);
  return 'all' in rule ? rule.all.every(each) : rule.any.some(each);
}

/** Negated operators, each with its opposite. An operator matches exactly the fans that its opposite does not. */
const OPPOSITES: Readonly<Record<string, string>> = {
  ne: 'eq',
  has_not: 'has',
  not_within_days: 'within_days',
};

export function matchesCondition(fan: KnownFan, condition: SegmentCondition, now: number): boolean {
  const { field, op, value } = condition;
  if (field === 'timezone_hour' && fan.zone === null) return false;
  const actual = field === 'timezone_hour' ? hourIn(fan.zone ?? '', now) : fan.values[field];
  const opposite = OPPOSITES[op];
  if (opposite !== undefined) return !isSo(field, actual, opposite, value, now);
  return isSo(field, actual, op, value, now);
}

function isSo(field: SegmentField, actual: KnownValue, op: string, value: unknown, now: number) {
  if (typeof actual === 'object' && actual !== null)
    return actual.includes(String(value).toLowerCase());
  if (actual === null) return false;
  if (op === 'contains') return String(actual).toLowerCase().includes(String(value).toLowerCase());
  const distance = (Number(actual) - now) * (field === 'subscription_ends_at' ? 1 : -1);
  if (op === 'within_days') return distance >= 0 && distance <= Number(value) * DAY_MS;
  const wanted = field.endsWith('_at') ? Date.parse(String(value)) : value;
  if (op === 'eq') return actual === wanted;
  const [left, right] = [Number(actual), Number(wanted)];
  return (
    { gt: left > right, gte: left >= right, lt: left < right, lte: left <= right }[op] === true
  );
}

const hourIn = (timeZone: string, now: number) =>
  Number(
    new Intl.DateTimeFormat('en', { timeZone, hour: 'numeric', hourCycle: 'h23' }).format(now),
  );

/** Returns the values for each field's conditions; for times, also numbers of days. */
export function valuesFor({ products, library, fans }: SegmentsWorld) {
  const instants = (field: SegmentField) =>
    fans.slice(0, 4).map((fan) => {
      const known = field === 'timezone_hour' ? null : fan.values[field];
      return new Date(Number(known ?? Date.now() - 10 * DAY_MS)).toISOString();
    });
  const ids = [...products.map(({ id }) => id), library.id, 'nonsense'];
  const times = (field: SegmentField) => ({ instants: instants(field), days: [1, 7, 30, 3_650] });
  return {
    spent: [0, 9.99, 10, 19.99, 25.5],
    purchases: [0, 1, 2],
    last_purchase_at: times('last_purchase_at'),
    last_fan_message_at: times('last_fan_message_at'),
    last_creator_message_at: times('last_creator_message_at'),
    joined_at: times('joined_at'),
    unread: [true, false],
    status: ['active', 'archived', 'flagged'],
    claimed: [true, false],
    tag: ['ViP', 'new', library.id, 'nobody has this'],
    subscription: ['none', 'trial', 'active', 'ended'],
    subscription_ends_at: times('subscription_ends_at'),
    language: [...LANGUAGES, 'fr'],
    timezone_hour: Array.from({ length: 24 }, (_, hour) => hour),
    owns_product: ids,
    offered_product: ids,
    name: ['ána', 'ANA', 'ana_100%', 'a mü', '%', 'someone@', 'nobody'],
  } satisfies Record<SegmentField, unknown>;
}
