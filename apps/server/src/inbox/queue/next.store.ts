import type { SubscriptionStatus } from '@stagedoor/contract/fans/subscriptions';
import type { Database, Statement } from '../../db/database.ts';
import { NEEDS_REPLY } from '../conversations/inbox-page.ts';

/** So many of those who wait longest are weighed, and as many of the caller's own. */
const WEIGHED = 100;

/** What ends within so long is told, and weighs. */
const SOON = "interval '3 days'";

/**
 * What makes a conversation the next one, in minutes of waiting: each minute counts one, up to a day. One's own counts four
 * hours more, so that what was begun is finished; a trial or subscription that ends within a day eight hours, within three
 * days two; each purchase half an hour, up to five of them.
 */
const POINTS = `least(extract(epoch from now() - w.waiting_since) / 60, 1440)
  + case when w.claimed_by is null then 0 else 240 end
  + case when b.ends_at is null or b.ends_at <= now() or b.ends_at > now() + ${SOON} then 0
      when b.ends_at <= now() + interval '1 day' then 480 else 120 end
  + least(bought.count, 5) * 30`;

/** `$1` is the caller, `$2` whom they leave out. */
const weighed = (whose: string) => `
  select id, fan_id, waiting_since, claimed_by from conversations
  where ${NEEDS_REPLY} and ${whose} and id <> all($2::uuid[])
  order by waiting_since, last_message_at desc, id desc limit ${WEIGHED}`;

/**
 * Weighs, locks the first that nobody else is about to take, and claims it. Whatever changed since it was weighed is seen by the
 * lock, which looks at the row anew.
 */
const nextStatement: Statement = {
  name: 'queue_next',
  text: `with waiting as materialized (
      (${weighed('claimed_by is null')}) union all (${weighed('claimed_by = $1')})
    ), judged as materialized (
      select w.id, w.waiting_since, offered.count as offered, bought.count as bought, ${POINTS} as points,
        case when b.ends_at > now() and b.ends_at <= now() + ${SOON} then b.ends_at end as ends_at, b.status
      from waiting w left join fan_benefits b on b.fan_id = w.fan_id
      cross join lateral (select count(*)::int from product_sends s where s.conversation_id = w.id) offered
      cross join lateral (
        select count(*)::int from purchases p where p.conversation_id = w.id and p.refunded_at is null
      ) bought
    ), picked as materialized (
      select c.id, c.claimed_by from conversations c join judged j on j.id = c.id
      where c.waiting_since < 'infinity' and c.status = 'active' and c.snoozed_until is null
        and (c.claimed_by is null or c.claimed_by = $1)
      order by j.points desc, j.waiting_since, j.id limit 1 for no key update of c skip locked
    ), claimed as (
      update conversations c set claimed_by = $1, version = c.version + 1 from picked
      where c.id = picked.id and picked.claimed_by is null
        and exists (select from (select from admins where id = $1 and is_active for share) as claimant)
      returning c.id
    ), queued as (
      insert into outbox (event, payload)
      select 'conversation_updated', jsonb_build_object('conversation_id', id) from claimed returning id
    )
    select (select count(*)::int from waiting) as candidates, picked.id, picked.claimed_by is not null as is_mine,
      (select id from queued) as outbox_id, j.waiting_since, j.status, j.ends_at, j.offered, j.bought
    from (select 1) as one left join (picked join judged j using (id)) on true`,
};

interface Nobody {
  /** Those who waited when it was looked: others were about to take them all, if there were any. */
  readonly candidates: number;
  readonly id: null;
}

/** The conversation that is next, with what made it that. */
export interface Next {
  readonly id: string;
  /** Whether the caller held it before. */
  readonly is_mine: boolean;
  /** The claim's place in the outbox; null where it was no claim. */
  readonly outbox_id: number | null;
  readonly waiting_since: Date;
  readonly status: SubscriptionStatus | null;
  /** Null unless it ends soon. */
  readonly ends_at: Date | null;
  readonly offered: number;
  readonly bought: number;
}

/** @param skip UUIDs of those to leave out */
export async function takeNext(
  db: Database,
  adminId: string,
  skip: readonly string[],
): Promise<Next | Nobody> {
  const [row] = await db.run<Next | Nobody>(nextStatement, [adminId, skip]);
  if (row === undefined) throw new Error('a row is always given');
  return row;
}
