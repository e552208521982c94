import { FAN_TAGS_MAX, type FanTag, type FanTagInput } from '@stagedoor/contract/fans/fans';
import { sql } from 'kysely';
import { type Database, isUuid, type Statement } from '../../db/database.ts';
import type { ConversationTouched } from '../../db/outbox-events.ts';
import type { Row, Tx } from '../../db/tables.ts';
import { tagNotFound } from '../../errors.ts';
import { changeFans, type HeldFan } from './change-fan.ts';

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
 * Replaces a fan's tags with the given ordered list. Existing tags keep their ids.
 * @throws AppError 404 `tag_not_found` if one of the library tags does not exist
 */
export async function replaceTags(
  tx: Tx,
  fan: HeldFan,
  tags: readonly FanTagInput[],
): Promise<void> {
  const globalIds = tags.flatMap((tag) => tag.globalTagId ?? []);
  const known = await lockLibraryTags(tx, globalIds);
  if (!globalIds.every((id) => known.has(id))) throw tagNotFound();
  const before = await tx
    .deleteFrom('fan_tags')
    .where('fan_id', '=', fan.id)
    .returning('id')
    .execute();
  const ids = new Set(before.map((tag) => tag.id));
  const rows = tags.map((tag, position) => {
    const kept = tag.id !== undefined && ids.delete(tag.id) ? { id: tag.id } : {};
    const own = tag.globalTagId
      ? { label: null, color: null, global_tag_id: tag.globalTagId }
      : { label: tag.label ?? '', color: tag.color ?? null, global_tag_id: null };
    return { ...kept, ...own, fan_id: fan.id, position };
  });
  // One insert per row, because rows with and without an id have different columns; a fan has few tags.
  for (const row of rows) await tx.insertInto('fan_tags').values(row).execute();
}

/** Locks the library tags that exist, so that they can't be deleted before the commit. @returns their ids */
async function lockLibraryTags(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const found = await tx
    .selectFrom('global_tags')
    .select('id')
    .where('id', '=', sql<string>`any(${ids.filter(isUuid)}::uuid[])`)
    .forShare()
    .execute();
  return new Set(found.map(({ id }) => id));
}

/**
 * Appends a library tag to several fans' tags. Fans who already have it stay unchanged.
 * @param conversationIds UUIDs
 * @returns the changed conversations, and in `full` those whose fans can't have more tags; null if there is no such tag
 */
export async function addLibraryTag(
  tx: Tx,
  conversationIds: readonly string[],
  tagId: string,
): Promise<{ touched: readonly ConversationTouched[]; full: ReadonlySet<string> } | null> {
  const full = new Set<string>();
  let isKnown = false;
  const touched = await changeFans(tx, conversationIds, async (fans) => {
    isKnown = (await lockLibraryTags(tx, [tagId])).size > 0;
    if (!isKnown) return [];
    const { rows } = await sql<{ fan_id: string; is_added: boolean; is_full: boolean }>`
      with held as materialized (
        select fan_id, count(t.id) >= ${FAN_TAGS_MAX} as is_full, coalesce(max(t.position), -1) + 1 as position,
          coalesce(bool_or(t.global_tag_id = ${tagId}), false) as has_it
        from unnest(${fans.map(({ id }) => id)}::uuid[]) as fan (fan_id) left join fan_tags t using (fan_id)
        group by fan_id
      ), added as (
        insert into fan_tags (fan_id, global_tag_id, position)
        select fan_id, ${tagId}, position from held where not has_it and not is_full returning fan_id
      )
      select fan_id, added.fan_id is not null as is_added, is_full and not has_it as is_full
      from held left join added using (fan_id)`.execute(tx);
    const results = new Map(rows.map((row) => [row.fan_id, row]));
    for (const { id, conversationId } of fans)
      if (results.get(id)?.is_full) full.add(conversationId);
    return fans.filter(({ id }) => results.get(id)?.is_added);
  });
  return isKnown ? { touched, full } : null;
}

/** Removes a library tag from several fans. @param conversationIds UUIDs @param tagId a UUID */
export const removeLibraryTag = (
  tx: Tx,
  conversationIds: readonly string[],
  tagId: string,
): Promise<ConversationTouched[]> =>
  changeFans(tx, conversationIds, async (fans) => {
    // Waits for the tag's deletion, which deletes the same rows in another order.
    await lockLibraryTags(tx, [tagId]);
    const { rows } = await sql<Row<'fan_tags', 'fan_id'>>`
      delete from fan_tags where fan_id = any(${fans.map(({ id }) => id)}::uuid[]) and global_tag_id = ${tagId}
      returning fan_id`.execute(tx);
    const changed = new Set(rows.map(({ fan_id }) => fan_id));
    return fans.filter(({ id }) => changed.has(id));
  });

/**
 * Removes one of a fan's tags.
 * @param tagId the id of the fan's tag or of the library tag
 * @throws AppError 404 `tag_not_found`
 */
export async function removeTag(tx: Tx, fan: HeldFan, tagId: string): Promise<void> {
  if (!isUuid(tagId)) throw tagNotFound();
  const removed = await tx
    .deleteFrom('fan_tags')
    .where('fan_id', '=', fan.id)
    .where((eb) => eb.or([eb('id', '=', tagId), eb('global_tag_id', '=', tagId)]))
    .executeTakeFirst();
  if (removed.numDeletedRows === 0n) throw tagNotFound();
}
