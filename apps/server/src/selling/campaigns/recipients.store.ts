import {
  CAMPAIGN_SAMPLES,
  type CampaignPreview,
  type CampaignRecipient,
  type ExclusionReason,
} from '@stagedoor/contract/selling/campaigns';
import { toUsd } from '@stagedoor/contract/selling/cents';
import type { SegmentRule } from '@stagedoor/contract/selling/segment-rules';
import { sql } from 'kysely';
import { type Database, runIn, type Source } from '../../db/database.ts';
import { collectValues, SEGMENT_SETTINGS, type Search, setLocal } from '../../db/searches.ts';
import type { Tx } from '../../db/tables.ts';
import { compileRule, DISPLAY_NAME } from '../segments/compile-rule.ts';
import { compileCampaign, type Delivery } from './campaign-sql.ts';
import type { CampaignRow } from './campaigns.store.ts';

/** Counts the fans who would get a campaign's message now, and returns the first of these fans with their texts. */
export async function previewCampaign(
  search: Search,
  delivery: Delivery,
  rule: SegmentRule,
): Promise<CampaignPreview> {
  const { values, add } = collectValues();
  const segment = compileRule(rule, add);
  const campaign = compileCampaign(delivery, add);
  const text = `
    with audience as materialized (
      select c.* from conversations c ${segment.joins} where ${segment.matches}
    ), decided as materialized (
      select c.id, c.fan_id, c.variant, ${campaign.reason('c.variant')} as reason
      from (select c.*, ${campaign.variant()} as variant from audience c) c
      join fans f on f.id = c.fan_id ${campaign.joins}
    ), samples as (
      select d.id, d.fan_id, ${DISPLAY_NAME} as display_name, d.variant, ${campaign.content('d.variant')} as content
      from (select * from decided where reason is null order by fan_id limit ${CAMPAIGN_SAMPLES}) d
      join fans f on f.id = d.fan_id
    )
    select
      (select coalesce(jsonb_object_agg(coalesce(reason, ''), fans), '{}') from (
        select reason, count(*) as fans from decided group by reason) counted) as counts,
      (select coalesce(jsonb_agg(jsonb_build_object('fan', jsonb_build_object(
        'fan_id', fan_id, 'conversation_id', id, 'display_name', display_name), 'content', content, 'variant', variant)
        order by fan_id), '[]') from samples) as samples`;
  const [row] = await search<{
    counts: Partial<Record<ExclusionReason | '', number>>;
    samples: CampaignPreview['samples'];
  }>({ text, values });
  const { '': sendable = 0, ...reasons } = row?.counts ?? {};
  const excluded = {
    owns_product: 0,
    offered_recently: 0,
    messaged_recently: 0,
    unread: 0,
    in_conversation: 0,
    missing_variable: 0,
    erased: 0,
    daily_cap: 0,
    ...reasons,
  };
  const audience = Object.values(excluded).reduce((sum, fans) => sum + fans, sendable);
  return { audience, sendable, excluded, samples: row?.samples ?? [] };
}

/** How late a campaign can begin and still reach fans whose local sending time has just passed. */
const LATE = "interval '10 minutes'";

/** Stores the fans in a campaign's current audience, each with a variant and a time. */
export async function insertRecipients(
  tx: Tx,
  delivery: Delivery,
  {
    rule,
    send_at,
    begin_at,
    fan_local_time,
  }: Pick<CampaignRow, 'rule' | 'send_at' | 'begin_at' | 'fan_local_time'>,
): Promise<void> {
  // A large audience takes longer than the usual statement timeout.
  await setLocal(tx, { ...SEGMENT_SETTINGS, statement_timeout: '10min' });
  const { values, add } = collectValues();
  const segment = compileRule(rule, add);
  const campaign = compileCampaign(delivery, add);
  const due =
    fan_local_time && send_at !== null
      ? campaign.nextLocalTime(
          `${add(send_at)}::timestamptz`,
          `greatest(${add(begin_at)}::timestamptz, now() - ${LATE})`,
        )
      : 'now()';
  await runIn(
    tx,
    `with added as (
      insert into campaign_recipients (campaign_id, fan_id, conversation_id, variant, due_at, planned_at)
      select ${add(delivery.id)}::uuid, c.fan_id, c.id, ${campaign.variant()}, ${due}, ${due}
      from (select c.id, c.fan_id from conversations c ${segment.joins} where ${segment.matches}) c
      join fans f on f.id = c.fan_id ${campaign.joins}
      returning variant
    )
    update campaign_variants v set audience = counted.fans
    from (select variant, count(*)::int as fans from added group by variant) counted
    where v.campaign_id = ${add(delivery.id)}::uuid and v.variant = counted.variant`,
    values,
  );
}

/**
 * Makes due up to `limit` recipients who only wait for quiet hours to end, so that the next batch checks the hours again.
 * @returns how many
 */
export async function endQuietWaits(tx: Tx, id: string, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    update campaign_recipients set due_at = planned_at where campaign_id = ${id} and fan_id in (
      select fan_id from campaign_recipients
      where campaign_id = ${id} and state = 'pending' and due_at > now() and planned_at <= now() limit ${limit})`.execute(
    tx,
  );
  return Number(numAffectedRows);
}

/** Adds to the counts of a campaign's variants. */
export async function countRecipients(
  tx: Tx,
  id: string,
  counts: readonly { readonly variant: number; readonly sent: number; readonly skipped: number }[],
): Promise<void> {
  for (const { variant, sent, skipped } of counts) {
    await tx
      .updateTable('campaign_variants')
      .set((eb) => ({ sent: eb('sent', '+', sent), skipped: eb('skipped', '+', skipped) }))
      .where('campaign_id', '=', id)
      .where('variant', '=', variant)
      .execute();
  }
}

/** Skips up to `limit` of the remaining recipients. @returns how many, by variant */
export async function skipPending(
  tx: Tx,
  id: string,
  reason: 'canceled' | 'expired',
  limit: number,
): Promise<{ variant: number; sent: number; skipped: number }[]> {
  const { rows } = await sql<{ variant: number; sent: number; skipped: number }>`
    with skipped as (
      update campaign_recipients set state = 'skipped', reason = ${reason}
      where campaign_id = ${id} and fan_id in (
        select fan_id from campaign_recipients where campaign_id = ${id} and state = 'pending' limit ${limit})
      returning variant
    )
    select variant, 0 as sent, count(*)::int as skipped from skipped group by variant`.execute(tx);
  return rows;
}

/** Returns whether a campaign has recipients who are still pending. */
export async function hasPending(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await sql`select from campaign_recipients
    where campaign_id = ${id} and state = 'pending' limit 1`.execute(tx);
  return rows.length > 0;
}

/** The recipients to list. */
export interface RecipientsQuery {
  readonly state: string | null;
  readonly reason: string | null;
  /** The id of the last fan on the previous page; null: the first page. */
  readonly after: string | null;
  readonly limit: number;
}

/** Returns a campaign's recipients, ordered by fan id. */
export async function listRecipients(
  db: Source,
  id: string,
  { state, reason, after, limit }: RecipientsQuery,
): Promise<CampaignRecipient[]> {
  const rows = await db.runPlanned<Omit<CampaignRecipient, 'revenue'> & { cents: number }>(
    `select r.fan_id, r.conversation_id, coalesce(${DISPLAY_NAME}, '') as display_name, r.state, r.reason, r.message_id, r.variant,
      -- Unsending sets the message's read_at, which a trigger records as a read.
      r.state = 'sent' and r.was_read as read, r.state = 'sent' and r.has_replied as replied, bought.purchases, bought.cents
    from campaign_recipients r left join fans f on f.id = r.fan_id
      cross join lateral (
        select count(*)::int as purchases, coalesce(sum(p.amount_cents), 0)::bigint as cents from purchases p
        where p.conversation_id = r.conversation_id and p.campaign_id = r.campaign_id and p.refunded_at is null
      ) bought
    where r.campaign_id = $1 and ($2::text is null or r.state = $2) and ($3::text is null or r.reason = $3)
      and ($4::uuid is null or r.fan_id > $4)
    order by r.fan_id limit $5`,
    [id, state, reason, after, limit],
  );
  return rows.map(({ cents, ...recipient }) => ({ ...recipient, revenue: toUsd(cents) }));
}

/** Finds the messages that these conversations got from a campaign, including unsent ones. */
export function findMessagesOf(
  db: Database,
  id: string,
  conversations: readonly string[],
): Promise<{ conversation_id: string; message_id: string }[]> {
  return db.run(
    {
      name: 'campaigns_messages',
      text: `select r.conversation_id, r.message_id from conversations c
        join campaign_recipients r on r.campaign_id = $1 and r.fan_id = c.fan_id
        where c.id = any($2::uuid[]) and r.message_id is not null`,
    },
    [id, conversations],
  );
}
