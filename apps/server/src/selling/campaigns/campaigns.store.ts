import type {
  CampaignPreview,
  CampaignRecipient,
  ExclusionReason,
} from '@stagedoor/contract/selling/campaigns';
import { CAMPAIGN_SAMPLES } from '@stagedoor/contract/selling/campaigns';
import type { SegmentRule } from '@stagedoor/contract/selling/segment-rules';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type Database, runIn, type Source } from '../../db/database.ts';
import type { Search } from '../../db/searches.ts';
import type { Row, Tx } from '../../db/tables.ts';
import type { TimeCursor } from '../../http/cursor.ts';
import { collectValues, compileRule, DISPLAY_NAME } from '../segments/compile-rule.ts';
import { compileCampaign, type Delivery, type Variant } from './campaign-sql.ts';

const COLUMNS = [
  'id',
  'name',
  'state',
  'rule',
  'segment_id',
  'exclude',
  'send_at',
  'fan_local_time',
  'per_minute',
  'expires_at',
  'created_by',
  'created_at',
  'started_by',
  'started_at',
  'begin_at',
  'audience_at',
  'paced_at',
  'finished_at',
  'unsent_at',
  'unsent_by',
  'is_unsending',
  'unsent_up_to',
] as const;

export type CampaignRow = Row<'campaigns', (typeof COLUMNS)[number]>;
export type VariantRow = Row<
  'campaign_variants',
  | 'campaign_id'
  | 'variant'
  | 'content'
  | 'attachments'
  | 'share'
  | 'audience'
  | 'sent'
  | 'skipped'
  | 'unsent'
>;
/** A campaign with its messages. */
export interface StoredCampaign extends CampaignRow {
  readonly variants: readonly VariantRow[];
}

/** A locked campaign, and the database's clock. */
export interface LockedCampaign extends StoredCampaign {
  readonly now: Date;
}

/** What fans did with the messages of a variant. */
export interface ResultRow {
  readonly campaign_id: string;
  readonly variant: number;
  readonly read: number;
  readonly replied: number;
  readonly offers: number;
  readonly purchases: number;
  readonly cents: number;
}

type NewCampaign = Pick<
  CampaignRow,
  | 'name'
  | 'segment_id'
  | 'rule'
  | 'exclude'
  | 'send_at'
  | 'fan_local_time'
  | 'per_minute'
  | 'expires_at'
  | 'created_by'
>;

/** @returns the new campaign's id */
export async function insertCampaign(
  tx: Tx,
  { rule, exclude, ...details }: NewCampaign,
): Promise<string> {
  const { id } = await tx
    .insertInto('campaigns')
    .values({ ...details, rule: JSON.stringify(rule), exclude: JSON.stringify(exclude) })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Deletes a draft's messages. */
export async function deleteVariants(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('campaign_variants').where('campaign_id', '=', id).execute();
}

/** Stores a campaign's messages, or replaces their attachments. */
export async function setVariants(tx: Tx, id: string, variants: readonly Variant[]): Promise<void> {
  await tx
    .insertInto('campaign_variants')
    .values(
      variants.map(({ attachments, ...each }, variant) => ({
        ...each,
        campaign_id: id,
        variant,
        attachments: JSON.stringify(attachments),
      })),
    )
    .onConflict((oc) =>
      oc
        .columns(['campaign_id', 'variant'])
        .doUpdateSet((eb) => ({ attachments: eb.ref('excluded.attachments') })),
    )
    .execute();
}

async function withVariants(
  db: Database['kysely'] | Tx,
  rows: readonly CampaignRow[],
): Promise<StoredCampaign[]> {
  if (rows.length === 0) return [];
  const variants = await db
    .selectFrom('campaign_variants')
    .selectAll()
    .where(
      'campaign_id',
      'in',
      rows.map(({ id }) => id),
    )
    .orderBy('variant')
    .execute();
  return rows.map((row) => ({
    ...row,
    variants: variants.filter(({ campaign_id }) => campaign_id === row.id),
  }));
}

/** @param id a UUID @param startedBy only a campaign that this admin started; null: any */
export async function findCampaign(
  db: Database,
  id: string,
  startedBy: string | null = null,
): Promise<StoredCampaign | null> {
  const rows = await db.kysely
    .selectFrom('campaigns')
    .select(COLUMNS)
    .where('id', '=', id)
    .$if(startedBy !== null, (query) => query.where('started_by', '=', startedBy))
    .execute();
  const [found] = await withVariants(db.kysely, rows);
  return found ?? null;
}

/** Returns a page of campaigns, newest first. @param startedBy only those that this admin started; null: all */
export async function listCampaigns(
  db: Database,
  startedBy: string | null,
  cursor: TimeCursor | null,
  limit: number,
): Promise<StoredCampaign[]> {
  const rows = await db.kysely
    .selectFrom('campaigns')
    .select(COLUMNS)
    .$if(startedBy !== null, (query) => query.where('started_by', '=', startedBy))
    .$if(cursor !== null, (query) =>
      query.where(
        sql<boolean>`(date_trunc('milliseconds', created_at), id) < (${cursor?.at}, ${cursor?.id})`,
      ),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return withVariants(db.kysely, rows);
}

/**
 * Locks a campaign. Every change to it or its recipients does this first.
 * @param id a UUID
 * @param wait `skip locked` returns null for a campaign that another process is working on
 */
export async function lockCampaign(
  tx: Tx,
  id: string,
  wait: '' | 'skip locked' = '',
): Promise<LockedCampaign | null> {
  const { rows } = await sql<CampaignRow>`
    select ${sql.join(COLUMNS.map((column) => sql.ref(column)))} from campaigns
    where id = ${id} for no key update ${sql.raw(wait)}`.execute(tx);
  const [found] = await withVariants(tx, rows);
  if (found === undefined) return null;
  const { rows: clock } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(tx);
  return { ...found, now: clock[0]?.now ?? new Date() };
}

type Change = { -readonly [C in keyof CampaignRow]?: CampaignRow[C] };

/** Changes a locked campaign. */
export async function updateCampaign(
  tx: Tx,
  id: string,
  { rule, exclude, ...change }: Change,
): Promise<void> {
  await tx
    .updateTable('campaigns')
    .set({
      ...change,
      ...(rule !== undefined && { rule: JSON.stringify(rule) }),
      ...(exclude !== undefined && { exclude: JSON.stringify(exclude) }),
    })
    .where('id', '=', id)
    .execute();
}

/** Returns the campaigns that may have pending work: to begin, to send, to skip remaining recipients, or to unsend. */
export async function findDue(db: Database): Promise<string[]> {
  const rows = await db.run<{ id: string }>(
    {
      name: 'campaigns_due',
      text: `select id from campaigns where is_unsending or finished_at is null
        and (state in ('running', 'canceled') or state = 'scheduled' and begin_at <= now())
        order by created_at`,
    },
    [],
  );
  return rows.map(({ id }) => id);
}

/** SQL: whether the fan answered a recipient's message `m` in time. */
const REPLIED = `exists (
  select from messages a where a.conversation_id = r.conversation_id and a.seq > m.seq and a.from_fan
    and a.created_at <= r.sent_at + interval '24 hours')`;

/**
 * Saves the results of mass messages before these or the replies to them are deleted. The caller holds the locks of their
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

/** Reads the figures that fans change: messages read, replies and purchases. */
export function sumResults(db: Database, ids: readonly string[]): Promise<ResultRow[]> {
  return db.runPlanned<ResultRow>(
    `select r.campaign_id, r.variant, count(*) filter (where r.was_read or m.read_at is not null)::int as read,
      count(*) filter (where r.has_replied or ${REPLIED})::int as replied,
      sum(offered.offers)::int as offers, sum(bought.purchases)::int as purchases, sum(bought.cents)::bigint as cents
    from campaign_recipients r
    left join messages m on m.id = r.message_id
    cross join lateral (select count(*) as offers from product_sends s where s.message_id = r.message_id) offered
    left join lateral (
      select count(*) as purchases, coalesce(sum(p.amount_cents), 0) as cents
      from purchases p where p.message_id = r.message_id and p.refunded_at is null
    ) bought on true
    where r.campaign_id = any($1::uuid[]) and r.state = 'sent'
    group by r.campaign_id, r.variant`,
    [ids],
  );
}

/** Counts who would get a campaign's message now, and returns the first of them with their texts. */
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

/** A campaign that begins at most this late still reaches fans whose local sending time has just passed. */
const LATE = "interval '10 minutes'";

/** Stores who is in a campaign's audience at this moment, each with their variant and time. */
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
  await sql`set local statement_timeout = '10min'`.execute(tx);
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
      insert into campaign_recipients (campaign_id, fan_id, conversation_id, variant, due_at)
      select ${add(delivery.id)}::uuid, c.fan_id, c.id, ${campaign.variant()}, ${due}
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

/** Whether a campaign has recipients who are not decided yet. */
export async function hasPending(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await sql`select from campaign_recipients
    where campaign_id = ${id} and state = 'pending' limit 1`.execute(tx);
  return rows.length > 0;
}

/** The recipients to list. */
export interface RecipientsQuery {
  readonly state: string | null;
  readonly reason: string | null;
  /** The fan's id that the page starts after; null: the first page. */
  readonly after: string | null;
  readonly limit: number;
}

/** Returns a campaign's recipients in the order of their fans' ids. */
export function listRecipients(
  db: Source,
  id: string,
  { state, reason, after, limit }: RecipientsQuery,
): Promise<CampaignRecipient[]> {
  return db.runPlanned<CampaignRecipient>(
    `select r.fan_id, r.conversation_id, coalesce(${DISPLAY_NAME}, '') as display_name, r.state, r.reason, r.message_id, r.variant
    from campaign_recipients r left join fans f on f.id = r.fan_id
    where r.campaign_id = $1 and ($2::text is null or r.state = $2) and ($3::text is null or r.reason = $3)
      and ($4::uuid is null or r.fan_id > $4)
    order by r.fan_id limit $5`,
    [id, state, reason, after, limit],
  );
}

/** The time zone where each day begins first. Campaigns at fans' local times begin there. */
const FIRST_ZONE = 'Pacific/Kiritimati';

/** Stores when a started campaign begins: now, at its time, or when that time first comes in any zone. */
export async function setBeginning(
  tx: Tx,
  id: string,
  isLocal: boolean,
  teamZone: string,
): Promise<void> {
  await sql`update campaigns set begin_at = case
      when ${isLocal} then greatest(now(), (send_at at time zone coalesce(
        (select name from pg_timezone_names where lower(name) = lower(${teamZone}) limit 1), 'UTC'
      )) at time zone ${FIRST_ZONE})
      else coalesce(send_at, now()) end
    where id = ${id}`.execute(tx);
}

/** Finds the messages that some conversations got from a campaign, unsent ones included. */
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
