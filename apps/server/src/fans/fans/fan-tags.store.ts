import { FAN_TAGS_MAX, type FanTag, type FanTagInput } from '@stagedoor/contract/fans/fans';
import { sql, type Transaction } from 'kysely';
import { type Database, isUuid, type Statement } from '../../db/database.ts';
import type { ConversationTouched } from '../../db/outbox-events.ts';
import type { Row, Tables } from '../../db/tables.ts';
import {
  lockConversations,
  touchConversation,
  touchConversations,
} from './fan-conversation.store.ts';

const listStatement: Statement = {
  name: 'fan_tags_list',
  text: `select t.id, coalesce(g.label, t.label) as label, coalesce(g.color, t.color) as color,
      g.id is not null as "isGlobal", g.id as "globalTagId"
    from fan_tags t left join global_tags g on g.id = t.global_tag_id where t.fan_id = $1 order by t.position, t.id`,
};

/** Returns a fan's tags in order. */
export function listTags(db: Database, fanId: string): Promise<FanTag[]> {
  return db.run<FanTag>(listStatement, [fanId]);
}

/**
 * Replaces a fan's tags with the given ordered list. Existing tags keep their ids. Tags show in the inbox, so this also
 * changes the conversation.
 * @param tx must be rolled back if this returns null
 * @returns null if the fan or one of the library tags does not exist
 */
export async function replaceTags(
  tx: Transaction<Tables>,
  fanId: string,
  tags: readonly FanTagInput[],
): Promise<ConversationTouched | null> {
  const globalIds = tags.flatMap((tag) => tag.globalTagId ?? []);
  if (!globalIds.every(isUuid)) return null;
  const touched = await touchConversation(tx, fanId);
  if (touched === null) return null;
  const found = await tx
    .selectFrom('global_tags')
    .select('id')
    .where('id', '=', sql<string>`any(${globalIds}::uuid[])`)
    .forShare()
    .execute();
  const known = new Set(found.map((tag) => tag.id));
  if (!globalIds.every((id) => known.has(id))) return null;
  const before = await tx
    .deleteFrom('fan_tags')
    .where('fan_id', '=', fanId)
    .returning('id')
    .execute();
  const ids = new Set(before.map((tag) => tag.id));
  const rows = tags.map((tag, position) => {
    const kept = tag.id !== undefined && ids.delete(tag.id) ? { id: tag.id } : {};
    const own = tag.globalTagId
      ? { label: null, color: null, global_tag_id: tag.globalTagId }
      : { label: tag.label ?? '', color: tag.color ?? null, global_tag_id: null };
    return { ...kept, ...own, fan_id: fanId, position };
  });
  // One insert per row, because rows with and without an id have different columns; a fan has few tags.
  for (const row of rows) await tx.insertInto('fan_tags').values(row).execute();
  return touched;
}

/** The result of adding a tag to several fans. */
interface TagAdded {
  readonly touched: readonly ConversationTouched[];
  /** The conversations of fans who already have the most tags allowed. */
  readonly full: ReadonlySet<string>;
}

/**
 * Appends a library tag to several fans' tags. Fans who already have it stay unchanged.
 * @param conversationIds UUIDs @param tagId a UUID
 * @returns null if there is no such tag
 */
export async function addLibraryTag(
  tx: Transaction<Tables>,
  conversationIds: readonly string[],
  tagId: string,
): Promise<TagAdded | null> {
  const locked = await lockConversations(tx, conversationIds);
  const found = await tx
    .selectFrom('global_tags')
    .select('id')
    .where('id', '=', tagId)
    .forShare()
    .executeTakeFirst();
  if (!found) return null;
  const { rows } = await sql<{ fan_id: string; is_added: boolean; is_full: boolean }>`
    with held as materialized (
      select fan_id, count(t.id) >= ${FAN_TAGS_MAX} as is_full, coalesce(max(t.position), -1) + 1 as position,
        coalesce(bool_or(t.global_tag_id = ${tagId}), false) as has_it
      from unnest(${locked.map(({ fan_id }) => fan_id)}::uuid[]) as fan (fan_id) left join fan_tags t using (fan_id)
      group by fan_id
    ), added as (
      insert into fan_tags (fan_id, global_tag_id, position)
      select fan_id, ${tagId}, position from held where not has_it and not is_full returning fan_id
    )
    select fan_id, added.fan_id is not null as is_added, is_full and not has_it as is_full
    from held left join added using (fan_id)`.execute(tx);
  const fansWhere = (matches: (row: (typeof rows)[number]) => boolean) =>
    new Set(rows.filter(matches).map(({ fan_id }) => fan_id));
  const full = fansWhere(({ is_full }) => is_full);
  return {
    touched: await touchConversations(tx, [...fansWhere(({ is_added }) => is_added)]),
    full: new Set(locked.filter(({ fan_id }) => full.has(fan_id)).map(({ id }) => id)),
  };
}

/** Removes a library tag from several fans. @param conversationIds UUIDs @param tagId a UUID */
export async function removeLibraryTag(
  tx: Transaction<Tables>,
  conversationIds: readonly string[],
  tagId: string,
): Promise<ConversationTouched[]> {
  const locked = await lockConversations(tx, conversationIds);
  const { rows } = await sql<Row<'fan_tags', 'fan_id'>>`
    delete from fan_tags where fan_id = any(${locked.map(({ fan_id }) => fan_id)}::uuid[]) and global_tag_id = ${tagId}
    returning fan_id`.execute(tx);
  return touchConversations(
    tx,
    rows.map(({ fan_id }) => fan_id),
  );
}

/**
 * Removes one of a fan's tags.
 * @param tx must be rolled back if this returns null
 * @param tagId the id of the fan's tag or of the library tag
 * @returns null if the fan has no such tag
 */
export async function removeTag(
  tx: Transaction<Tables>,
  fanId: string,
  tagId: string,
): Promise<ConversationTouched | null> {
  const touched = await touchConversation(tx, fanId);
  const removed = await tx
    .deleteFrom('fan_tags')
    .where('fan_id', '=', fanId)
    .where((eb) => eb.or([eb('id', '=', tagId), eb('global_tag_id', '=', tagId)]))
    .executeTakeFirst();
  return removed.numDeletedRows === 0n ? null : touched;
}
