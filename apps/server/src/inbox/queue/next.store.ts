import type { SubscriptionStatus } from '@stagedoor/contract/fans/subscriptions';
import { conversationChange } from '../../db/change-conversation.ts';
import type { Database, Statement } from '../../db/database.ts';
import { collectValues, type Search } from '../../db/searches.ts';
import { type ConversationFilter, NEEDS_REPLY } from '../conversations/inbox-page.ts';

/** The maximum number of unclaimed conversations to score, and of the caller's claims: those that have waited longest. */
const SCORED = 100;

/** A trial or subscription that ends within this time adds points and is given as a reason. */
const SOON = "interval '3 days'";

/**
 * A conversation's score, in minutes of waiting: one point per minute, up to a day. The caller's own claim adds four hours, so
 * that claimed conversations get finished first. A trial or subscription adds eight hours if it ends within a day, or two hours
 * if it ends within three days. Each purchase adds half an hour, up to five purchases.
 */
const POINTS = `least(extract(epoch from now() - w.waiting_since) / 60, 1440)
  + case when w.claimed_by is null then 0 else 240 end
  + case when b.ends_at is null or b.ends_at <= now() or b.ends_at > now() + ${SOON} then 0
      when b.ends_at <= now() + interval '1 day' then 480 else 120 end
  + least(bought.count, 5) * 30`;

/** SQL that narrows the candidates `c`. */
type Narrowing = ReturnType<ConversationFilter>;

/** SQL: the longest-waiting candidates. `$1` is the caller, `$2` the ids to skip. @param owned a condition on `claimed_by` */
const candidates = (owned: string, { joins, matches }: Narrowing) => `
  select c.id, c.fan_id, c.waiting_since, c.claimed_by from (
    select * from conversations where ${NEEDS_REPLY} and ${owned} and id <> all($2::uuid[])
  ) c ${joins} where ${matches}
  order by c.waiting_since, c.last_message_at desc, c.id desc limit ${SCORED}`;

/**
 * Scores the candidates, locks the best one that isn't locked by another transaction, and claims it. Locking reads the row
 * again, so changes since the scoring are seen.
 */
const nextText = (narrowing: Narrowing) =>
  conversationChange({
    first: `waiting as materialized (
      (${candidates('claimed_by is null', narrowing)})
      union all (${candidates('claimed_by = $1', narrowing)})
    ), judged as materialized (
      select w.id, w.waiting_since, offered.count as offered, bought.count as bought, ${POINTS} as points,
        case when b.ends_at > now() and b.ends_at <= now() + ${SOON} then b.ends_at end as ends_at, b.status
      from waiting w left join fan_benefits b on b.fan_id = w.fan_id
      cross join lateral (select count(*)::int from product_sends s where s.conversation_id = w.id) offered
      cross join lateral (
        select count(*)::int from purchases p where p.conversation_id = w.id and p.refunded_at is null
      ) bought
    )`,
    before: `
      select c.id, c.claimed_by from conversations c join judged j on j.id = c.id
      where c.waiting_since < 'infinity' and c.status = 'active' and c.snoozed_until is null
        and (c.claimed_by is null or c.claimed_by = $1)
      order by j.points desc, j.waiting_since, j.id limit 1 for no key update of c skip locked`,
    set: 'claimed_by = $1',
    where: `before.claimed_by is null
      and exists (select from (select from admins where id = $1 and is_active for share) as claimant)`,
    select: `
      select (select count(*)::int from waiting) as candidates, before.id, before.claimed_by is not null as is_mine,
        (select id from queued) as outbox_id, j.waiting_since, j.status, j.ends_at, j.offered, j.bought
      from (select 1) as one left join (before join judged j using (id)) on true`,
  });

const nextStatement: Statement = {
  name: 'queue_next',
  text: nextText({ joins: '', matches: 'true' }),
};

interface Nobody {
  /** The number of waiting conversations. If there were any, other transactions had locked all of them. */
  readonly candidates: number;
  readonly id: null;
}

/** The next conversation, with the reasons for its score. */
export interface Next {
  readonly id: string;
  /** Whether the caller already held it. */
  readonly is_mine: boolean;
  /** The claim's outbox id; null if nothing was claimed. */
  readonly outbox_id: number | null;
  readonly waiting_since: Date;
  readonly status: SubscriptionStatus | null;
  /** The end of the trial or subscription; null unless it ends soon. */
  readonly ends_at: Date | null;
  readonly offered: number;
  readonly bought: number;
}

/**
 * Claims the next conversation.
 * @param skip UUIDs of conversations to skip
 * @param filter which conversations to choose from; null for all
 * @param segmentSearch runs the statement if there is a filter
 * @throws AppError 422 if the filter takes too long
 */
export async function takeNext(
  db: Database,
  adminId: string,
  skip: readonly string[],
  filter: ConversationFilter | null,
  segmentSearch: Search,
): Promise<Next | Nobody> {
  const { values, add } = collectValues(adminId, skip);
  const [row] = await (filter === null
    ? db.run<Next | Nobody>(nextStatement, values)
    : segmentSearch<Next | Nobody>({ text: nextText(filter(add)), values }));
  if (row === undefined) throw new Error('no row returned');
  return row;
}
