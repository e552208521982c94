import {
  DRAFT_KEPT_DAYS,
  DRAFTS_MAX,
  type Draft,
  type DraftReply,
} from '@stagedoor/contract/messaging/drafts';
import { type Database, type Statement, violates } from '../../db/database.ts';
import { type ConversationTouched, insertEvents } from '../../db/outbox-events.ts';
import type { Row, Tx } from '../../db/tables.ts';

type DraftRow = Row<'drafts', 'conversation_id' | 'text' | 'reply_to' | 'version' | 'edited_at'>;

const COLUMNS = 'd.conversation_id, d.text, d.reply_to, d.version, d.edited_at';
const ALIVE = `d.edited_at > now() - interval '${DRAFT_KEPT_DAYS} days'`;

const present = (row: DraftRow): Draft => ({ ...row, edited_at: row.edited_at.toISOString() });

/**
 * Returns an SQL expression for the text of an admin's draft in a conversation; null without a draft or for a blank one.
 * @param admin an SQL expression for the admin's id @param conversation an SQL expression for the conversation's id
 * @param maxChars longer texts are cut
 */
export const draftTextOf = (admin: string, conversation: string, maxChars: number) => `(
  select left(d.text, ${maxChars}) from drafts d
  where d.admin_id = ${admin} and d.conversation_id = ${conversation} and ${ALIVE} and d.text ~ '\\S'
)`;

const listStatement: Statement = {
  name: 'drafts_list',
  text: `select ${COLUMNS} from drafts d where d.admin_id = $1 and ${ALIVE}
    order by d.edited_at desc, d.conversation_id limit ${DRAFTS_MAX}`,
};

/** Returns an admin's drafts, the latest edited first. */
export async function listDrafts(db: Database, adminId: string): Promise<Draft[]> {
  return (await db.run<DraftRow>(listStatement, [adminId])).map(present);
}

const findStatement: Statement = {
  name: 'drafts_find',
  text: `select ${COLUMNS} from conversations c
    left join drafts d on d.conversation_id = c.id and d.admin_id = $1 and ${ALIVE} where c.id = $2`,
};

/** @param conversationId a UUID @returns null if there is no draft, undefined if there is no such conversation */
export async function findDraft(
  db: Database,
  adminId: string,
  conversationId: string,
): Promise<Draft | null | undefined> {
  const [row] = await db.run<DraftRow | { conversation_id: null }>(findStatement, [
    adminId,
    conversationId,
  ]);
  if (row === undefined) return undefined;
  return row.conversation_id === null ? null : present(row);
}

/** The outbox payload of a change. It excludes the text, which must be erased with the fan. */
export interface DraftChanged {
  readonly admin_id: string;
  readonly conversation_id: string;
  /** The draft's version, or the version of its removal. */
  readonly version: number;
}

/** @param changes SQL for rows with a conversation's id and a version; `$1` is the admin's id */
const queued = (changes: string) =>
  `queued as (${insertEvents(
    'draft_updated',
    `jsonb_build_object(
    'admin_id', $1::uuid, 'conversation_id', changed.conversation_id, 'version', changed.version)`,
    `from (${changes}) changed`,
  )})`;

const saveStatement: Statement = {
  name: 'drafts_save',
  // The version is taken once the row is locked, so that of two concurrent saves the later has the higher version.
  text: `with saved as (
      insert into drafts as d (admin_id, conversation_id, text, reply_to, version, edited_at)
      values ($1, $2, $3, $4, nextval('draft_versions'),
        date_trunc('milliseconds', clock_timestamp() - $5::bigint * interval '1 millisecond'))
      on conflict (admin_id, conversation_id) do update set text = excluded.text, reply_to = excluded.reply_to,
        version = nextval('draft_versions'), edited_at = excluded.edited_at
      where d.edited_at <= excluded.edited_at
      returning ${COLUMNS}
    ), trimmed as (
      delete from drafts where admin_id = $1 and conversation_id <> $2 and conversation_id in (
        select conversation_id from drafts where admin_id = $1 order by edited_at desc offset ${DRAFTS_MAX}
      )
    ), ${queued('select conversation_id, version from saved')}
    select saved.*, queued.id as outbox_id from saved, queued`,
};

/** An admin's typed text, and how long ago it was typed. */
export interface TypedDraft {
  readonly text: string;
  readonly replyTo: DraftReply | null;
  readonly ageMs: number;
}

/**
 * Saves a draft, unless a newer one is stored.
 * @param conversationId a UUID
 * @returns null if a newer one is stored; undefined if there is no such conversation
 */
export async function storeDraft(
  db: Database,
  adminId: string,
  conversationId: string,
  { text, replyTo, ageMs }: TypedDraft,
): Promise<{ draft: Draft; outboxId: number } | null | undefined> {
  try {
    const values = [adminId, conversationId, text, replyTo && JSON.stringify(replyTo), ageMs];
    const [row] = await db.run<DraftRow & { outbox_id: number }>(saveStatement, values);
    if (row === undefined) return null;
    const { outbox_id: outboxId, ...draft } = row;
    return { draft: present(draft), outboxId };
  } catch (error) {
    if (violates(error, 'drafts_conversation_id_fkey')) return undefined;
    throw error;
  }
}

const dropStatement: Statement = {
  name: 'drafts_drop',
  text: `with gone as (
      delete from drafts where admin_id = $1 and conversation_id = $2 returning conversation_id
    ), numbered as materialized (select nextval('draft_versions') as version),
    ${queued('select conversation_id, version from gone, numbered')}
    select version, (select id from queued) as "outboxId", exists (select from conversations where id = $2) as known
    from numbered`,
};

/**
 * Discards a draft.
 * @param conversationId a UUID
 * @returns the version of the removal, and the event's id in the outbox if there was a draft; null if there is no such
 * conversation
 */
export async function dropDraft(
  db: Database,
  adminId: string,
  conversationId: string,
): Promise<{ version: number; outboxId: number | null } | null> {
  const [row] = await db.run<{ version: number; outboxId: number | null; known: boolean }>(
    dropStatement,
    [adminId, conversationId],
  );
  return row?.known ? row : null;
}

const dropAllStatement: Statement = {
  name: 'drafts_drop_all',
  text: `with gone as (delete from drafts where admin_id = $1 returning conversation_id),
    numbered as materialized (select nextval('draft_versions') as version),
    ${queued('select conversation_id, version from gone, numbered')}
    select version, coalesce((
      select jsonb_agg(jsonb_build_object('conversationId', payload->>'conversation_id', 'outboxId', id)) from queued
    ), '[]') as dropped from numbered`,
};

/** @returns the version of the removal, and the conversations that had a draft */
export async function dropAllDrafts(
  db: Database,
  adminId: string,
): Promise<{ version: number; dropped: ConversationTouched[] }> {
  const [row] = await db.run<{ version: number; dropped: ConversationTouched[] }>(
    dropAllStatement,
    [adminId],
  );
  return { version: row?.version ?? 0, dropped: row?.dropped ?? [] };
}

/** Deletes the drafts of a removed admin. Queues no events, because the admin is signed out everywhere. */
export async function deleteDraftsOf(tx: Tx, adminId: string): Promise<void> {
  await tx.deleteFrom('drafts').where('admin_id', '=', adminId).execute();
}

/** Purges drafts that have not been edited for too long. */
export async function purgeDrafts(db: Database): Promise<void> {
  await db.runPlanned(`delete from drafts d where not (${ALIVE})`, []);
}
