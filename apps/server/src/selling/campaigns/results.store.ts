import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { lockConversations } from '../../db/change-conversation.ts';
import type { Database } from '../../db/database.ts';
import type { Tx } from '../../db/tables.ts';

/** The results of a variant: how many fans read it and replied, and the number and total of purchases. */
export interface ResultRow {
  readonly campaign_id: string;
  readonly variant: number;
  readonly read: number;
  readonly replied: number;
  readonly purchases: number;
  readonly cents: number;
}

/** SQL: whether the recipient `r` replied to the message `m` within 24 hours. */
const REPLIED = `exists (
  select from messages a where a.conversation_id = r.conversation_id and a.seq > m.seq and a.from_fan
    and a.created_at <= r.sent_at + interval '24 hours')`;

/**
 * Saves the results of mass messages before the messages or the replies to them are deleted. The caller has locked the
 * conversations.
 * @param which a condition on the messages `m`
 */
export async function keepResults(tx: Tx, which: RawBuilder<SqlBool>): Promise<void> {
  await sql`update campaign_recipients r set was_read = r.was_read or m.read_at is not null,
      has_replied = r.has_replied or ${sql.raw(REPLIED)}
    from messages m join conversations c on c.id = m.conversation_id
    where ${which} and m.campaign_id is not null and m.unsent_at is null
      and r.campaign_id = m.campaign_id and r.fan_id = c.fan_id`.execute(tx);
}

/** Returns the figures that depend on what fans do: messages read, replies and purchases. */
export function sumResults(db: Database, ids: readonly string[]): Promise<ResultRow[]> {
  return db.runPlanned<ResultRow>(
    `with offered as (
      select distinct v.campaign_id, (a->'product'->>'id')::uuid as product_id
      from campaign_variants v, jsonb_array_elements(v.attachments) a
      where v.campaign_id = any($1::uuid[]) and a->'product' <> 'null'
    ), bought as (
      select r.campaign_id, r.variant, count(*)::int as purchases, sum(p.amount_cents)::bigint as cents
      from offered join purchases p using (product_id, campaign_id)
        join campaign_recipients r on r.campaign_id = p.campaign_id and r.fan_id = p.fan_id
      where p.refunded_at is null group by r.campaign_id, r.variant
    ), reached as (
      select campaign_id, variant, count(*) filter (where was_read)::int as read,
        count(*) filter (where has_replied)::int as replied
      from campaign_recipients where campaign_id = any($1::uuid[]) and state = 'sent' group by campaign_id, variant
    )
    select campaign_id, variant, read, replied, coalesce(purchases, 0) as purchases, coalesce(cents, 0)::bigint as cents
    from reached left join bought using (campaign_id, variant)`,
    [ids],
  );
}

/** The number of recipients examined per transaction. Small, so that locks are short. */
const BATCH = 1_000;

/** Returns a one-time job that stores the results of campaigns from before migration 0059 added triggers for them. */
export function fillResults(db: Database): () => Promise<void> {
  let isDone = false;
  return async () => {
    if (isDone) return;
    const { rows: campaigns } = await sql<{
      id: string;
    }>`select id from campaigns where audience_at < (
      select timestamp::timestamptz from kysely_migration where name = '0059-results-kept-at-once')`.execute(
      db.kysely,
    );
    for (const { id } of campaigns) {
      let after: string | null = '00000000-0000-0000-0000-000000000000';
      while (after !== null) after = await fillBatch(db, id, after);
    }
    isDone = true;
  };
}

/** @returns the last fan of the batch; null after the last batch */
function fillBatch(db: Database, campaignId: string, after: string): Promise<string | null> {
  return db.kysely.transaction().execute(async (tx) => {
    const { rows } = await sql<{
      fan_id: string;
      conversation_id: string;
      message_id: string;
      lacks: boolean | null;
    }>`
      select r.fan_id, r.conversation_id, r.message_id,
        m.read_at is not null and not r.was_read or not r.has_replied and ${sql.raw(REPLIED)} as lacks
      from campaign_recipients r left join messages m on m.id = r.message_id
      where r.campaign_id = ${campaignId} and r.fan_id > ${after} order by r.fan_id limit ${sql.lit(BATCH)}`.execute(
      tx,
    );
    const lacking = rows.filter(({ lacks }) => lacks);
    const conversations = lacking.map((row) => row.conversation_id);
    await lockConversations(tx, sql`id = any(${conversations}::uuid[])`);
    await keepResults(tx, sql`m.id = any(${lacking.map((row) => row.message_id)}::uuid[])`);
    return rows.length < BATCH ? null : (rows.at(-1)?.fan_id ?? null);
  });
}
