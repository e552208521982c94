import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { Row, Tx } from '../../db/tables.ts';
import type { TimeCursor } from '../../http/cursor.ts';
import type { Variant } from './campaign-sql.ts';

const COLUMNS = [
  'id',
  'name',
  'state',
  'paused_reason',
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
  'quiet_hours',
  'finished_at',
  'unsent_at',
  'unsent_by',
  'is_unsending',
  'unsent_up_to',
  'version',
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
    // The cursor's time has no microseconds.
    .orderBy(sql`date_trunc('milliseconds', created_at)`, 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return withVariants(db.kysely, rows);
}

/**
 * Locks a campaign. Every change to it or to the state of its recipients does this first.
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

/** The time zone where each day begins first. Campaigns at fans' local times begin there. */
const FIRST_ZONE = 'Pacific/Kiritimati';

/** Stores when a started campaign begins: now, at its sending time, or, for local times, when that time first comes in any zone. */
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
