import type { ConversationPage } from '@stagedoor/contract/inbox/conversations';
import type { SegmentRule } from '@stagedoor/contract/selling/segment-rules';
import { explainSegment, previewSegment } from '@stagedoor/contract/selling/segments';
import type { Call, Get } from './calls.ts';

const FANS = 20;
const DEPTH = 5;
const CONDITIONS = 50;

type Part = Extract<SegmentRule, { readonly all: unknown }>['all'][number];

/** Returns the calls that preview segments with all kinds of rules, and one that explains a segment. */
export async function segmentCalls(get: Get): Promise<Call[]> {
  const { data } = (await get('/api/products')) as { data: { id: string }[] };
  const [product = '', other = ''] = data.map(({ id }) => id);
  const rules = rulesOf(product, other);
  const inbox = (await get('/api/messages/admin/inbox?filter=all')) as ConversationPage;
  const conversation_id = inbox.data[0]?.id ?? '';
  return [
    ...Object.entries(rules).map(([name, rule]) => ({
      name: `segment: ${name}`,
      paths: [previewSegment.path],
      body: { rule, limit: FANS },
    })),
    {
      name: `segment explanation: ${CONDITIONS} conditions`,
      paths: [explainSegment.path],
      body: { rule: rules[FIFTY], conversation_id },
    },
  ];
}

const FIFTY = `${CONDITIONS} conditions`;

function rulesOf(product: string, other: string): Readonly<Record<string, SegmentRule>> {
  const vip: Part = { field: 'tag', op: 'has', value: 'VIP' };
  const spender: Part = { field: 'spent', op: 'gte', value: 100 };
  const owner: Part = { field: 'owns_product', op: 'has', value: product };
  const offered: Part = { field: 'offered_product', op: 'has', value: product };
  const isNew: Part = { field: 'tag', op: 'has', value: 'new' };
  const neverBought: Part = { field: 'purchases', op: 'eq', value: 0 };
  const notOwner: Part = { field: 'owns_product', op: 'has_not', value: product };
  const notVip: Part = { field: 'tag', op: 'has_not', value: 'VIP' };
  const recent: Part = { field: 'last_fan_message_at', op: 'within_days', value: 30 };
  const silent: Part = { field: 'last_creator_message_at', op: 'not_within_days', value: 30 };
  return {
    everyone: { all: [] },
    'a common tag': { all: [vip] },
    'without a common tag': { all: [notVip] },
    'a rare tag': { all: [{ field: 'tag', op: 'has', value: 'wedding' }] },
    'spent at least': { all: [spender] },
    'never bought': { all: [neverBought] },
    'wrote within 30 days': { all: [recent] },
    'not written to for 30 days': { all: [silent] },
    'owns a product': { all: [owner] },
    "doesn't own a product": { all: [notOwner] },
    'offered and not bought': { all: [offered, notOwner] },
    'subscription ends within a week': {
      all: [{ field: 'subscription_ends_at', op: 'within_days', value: 7 }],
    },
    'a name': { all: [{ field: 'name', op: 'contains', value: 'silva' }] },
    'the hour of the day': { all: [{ field: 'timezone_hour', op: 'gte', value: 8 }] },
    'all of five fields': { all: [vip, spender, recent, silent, notOwner] },
    'any of five fields': { any: [vip, spender, recent, owner, offered] },
    'none of two products': {
      all: [notOwner, { field: 'owns_product', op: 'has_not', value: other }],
    },
    'any of two tags, not a third': { all: [{ any: [vip, isNew] }, notOwner, spender] },
    [`${DEPTH} levels`]: {
      all: [
        notVip,
        { any: [spender, { all: [recent, { any: [owner, { all: [offered, silent] }] }] }] },
      ],
    },
    [FIFTY]: {
      all: Array.from({ length: CONDITIONS / 5 }, (_, index) => ({
        any: [
          { field: 'spent', op: 'gte', value: index * 10 },
          { field: 'tag', op: index % 2 === 0 ? 'has' : 'has_not', value: 'birthday' },
          { field: 'last_fan_message_at', op: 'within_days', value: index + 1 },
          { field: 'owns_product', op: 'has', value: index % 2 === 0 ? product : other },
          { field: 'subscription', op: 'eq', value: 'active' },
        ],
      })),
    },
  };
}
