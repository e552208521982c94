import type { FanFacts } from '@stagedoor/contract/fans/fan-facts';
import type { SubscriptionStatus } from '@stagedoor/contract/fans/subscriptions';
import { toUsd } from '@stagedoor/contract/selling/cents';
import type { Database, Statement } from '../../db/database.ts';
import type { Row } from '../../db/tables.ts';
import { WRITTEN } from './message-tallies.store.ts';

interface FactsRow
  extends Row<'fans', 'timezone' | 'languages'>,
    Row<'message_tallies', 'from_fan' | 'from_creator' | 'fan_wrote_at' | 'creator_wrote_at'> {
  readonly first_seen_at: Date;
  readonly subscription_status: SubscriptionStatus | null;
  readonly subscription_ends_at: Date | null;
  readonly cents: number;
  readonly tip_cents: number;
  readonly purchases: number;
  readonly last_message_id: string | null;
  readonly last_title: string | null;
  readonly last_cents: number | null;
  readonly last_purchased_at: Date | null;
  readonly counted: number;
}

/**
 * Reads only this fan's rows through indexes, and only the messages newer than the tally. `offset 0` keeps the planner from
 * scanning all purchases by time until it finds one by this fan.
 */
const factsStatement: Statement = {
  name: 'fan_facts',
  text: `select f.created_at as first_seen_at, f.timezone, f.languages, b.status as subscription_status, b.ends_at as subscription_ends_at,
      paid.cents, paid.purchases, tipped.tip_cents, last.message_id as last_message_id, last.title as last_title,
      last.amount_cents as last_cents, last.purchased_at as last_purchased_at,
      written.from_fan, written.from_creator, written.fan_wrote_at, written.creator_wrote_at, written.counted
    from conversations c join fans f on f.id = c.fan_id
    left join fan_benefits b on b.fan_id = c.fan_id
    cross join lateral (
      select coalesce(sum(p.amount_cents), 0)::bigint as cents, count(*)::int as purchases
      from purchases p where p.conversation_id = c.id and p.refunded_at is null
    ) paid
    cross join lateral (
      select coalesce(sum(t.amount_cents), 0)::bigint as tip_cents from tips t
      where t.conversation_id = c.id and t.refunded_at is null
    ) tipped
    left join lateral (
      select p.message_id, products.title, p.amount_cents, p.purchased_at
      from (
        select * from (select * from purchases p where p.conversation_id = c.id and p.refunded_at is null offset 0) p
        order by p.purchased_at desc, p.id desc limit 1
      ) p join products on products.id = p.product_id
    ) last on true
    cross join lateral (${WRITTEN}) written
    where c.id = $1`,
};

/**
 * Returns a fan's summary, and the number of messages newer than the tally that had to be counted.
 * @param conversationId a UUID
 */
export async function findFanFacts(
  db: Database,
  conversationId: string,
): Promise<{ facts: FanFacts; counted: number } | null> {
  const [row] = await db.run<FactsRow>(factsStatement, [conversationId]);
  return row === undefined ? null : { facts: present(row), counted: row.counted };
}

const present = (row: FactsRow): FanFacts => ({
  spent: toUsd(row.cents + row.tip_cents),
  tipped: toUsd(row.tip_cents),
  purchases: row.purchases,
  average_paid: row.purchases === 0 ? null : toUsd(Math.round(row.cents / row.purchases)),
  last_purchase:
    row.last_message_id === null || row.last_purchased_at === null
      ? null
      : {
          message_id: row.last_message_id,
          title: row.last_title ?? '',
          amount: toUsd(row.last_cents ?? 0),
          purchased_at: row.last_purchased_at.toISOString(),
        },
  first_seen_at: row.first_seen_at.toISOString(),
  messages_from_fan: row.from_fan,
  messages_from_creator: row.from_creator,
  fan_wrote_at: row.fan_wrote_at?.toISOString() ?? null,
  creator_wrote_at: row.creator_wrote_at?.toISOString() ?? null,
  timezone: row.timezone,
  languages: row.languages,
  subscription:
    row.subscription_status === null
      ? null
      : {
          status: row.subscription_status,
          ends_at: row.subscription_ends_at?.toISOString() ?? null,
        },
});
