import { type Kysely, sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { Tables } from '../../db/tables.ts';

/** The most rows one transaction removes, so that others wait only briefly for its locks. */
export const BATCH = 500;

/** The cursor of the walk through the messages: `at` is the instant as the database prints it. */
export interface MessageCursor {
  readonly at: string;
  readonly id: string;
}

/** The result of a batch. */
export interface Purged {
  readonly gone: number;
  /** The cursor for the next batch; null: this was the last. */
  readonly next: MessageCursor | null;
}

/**
 * Purges a batch of old messages with their reactions, and queues their files for deletion. Keeps messages that staff have not
 * read, and those with a product that the fan bought.
 * @param after the cursor from the batch before; null: from the oldest
 */
export function purgeMessages(
  db: Database,
  days: number,
  after: MessageCursor | null,
): Promise<Purged> {
  return db.kysely.transaction().execute(async (tx) => {
    const { rows: old } = await sql<MessageCursor & { conversation_id: string }>`
      select id, conversation_id, created_at::text as at from messages
      where created_at < now() - make_interval(days => ${days}::int)
        and created_at >= coalesce(${after?.at ?? null}::timestamptz, '-infinity')
        and (${after === null} or (created_at, id) > (${after?.at ?? null}::timestamptz, ${after?.id ?? null}::uuid))
      order by created_at, id limit ${sql.lit(BATCH)}`.execute(tx);
    if (old.length === 0) return { gone: 0, next: null };
    const gone = await purge(tx, old);
    return { gone, next: old.length === BATCH ? (old.at(-1) ?? null) : null };
  });
}

/** Locks the conversations first, as every send does, so that purchases and reads until then are visible. */
async function purge(
  tx: Kysely<Tables>,
  old: readonly { id: string; conversation_id: string }[],
): Promise<number> {
  const conversations = [...new Set(old.map((message) => message.conversation_id))];
  await sql`select from conversations where id = any(${conversations}::uuid[]) order by id for no key update`.execute(
    tx,
  );
  const { rows } = await sql<{ gone: number }>`
    with gone as (
      delete from messages m where id = any(${old.map(({ id }) => id)}::uuid[])
        and not (from_fan and read_at is null)
        and not exists (select from purchases p where p.message_id = m.id and p.refunded_at is null)
      returning id, conversation_id, seq
    ), files as (
      delete from uploads u using gone where u.conversation_id = gone.conversation_id and u.message_id = gone.id
    ), untallied as (
      delete from message_tallies t using gone where t.conversation_id = gone.conversation_id
    ), emptied as (
      update conversations c set last_message_content = null, version = version + 1
      from gone where c.id = gone.conversation_id and c.last_seq = gone.seq returning c.id
    ), queued as (
      insert into outbox (event, payload)
      select 'conversation_updated', jsonb_build_object('conversation_id', id) from emptied
    )
    select count(*)::int as gone from gone`.execute(tx);
  return rows[0]?.gone ?? 0;
}

/** Purges a batch of the oldest audit log rows. @returns how many */
export function purgeAudit(db: Database, days: number): Promise<number> {
  return db.kysely.transaction().execute(async (tx) => {
    // Required by the audit log's trigger; ends with the transaction.
    await sql`set local stagedoor.retention = 'on'`.execute(tx);
    return deleteOld(tx, 'audit_log', 'at', days);
  });
}

/** Purges a batch of invitations that nobody accepted. @returns how many */
export const purgeInvites = (db: Database, days: number): Promise<number> =>
  deleteOld(db.kysely, 'invites', 'expires_at', days, sql`and state <> 'accepted'`);

async function deleteOld(
  db: Kysely<Tables>,
  table: 'audit_log' | 'invites',
  column: string,
  days: number,
  which = sql``,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from ${sql.table(table)} where id in (
      select id from ${sql.table(table)}
      where ${sql.ref(column)} < now() - make_interval(days => ${days}::int) ${which}
      order by ${sql.ref(column)} limit ${sql.lit(BATCH)} for update skip locked)`.execute(db);
  return Number(numAffectedRows);
}
