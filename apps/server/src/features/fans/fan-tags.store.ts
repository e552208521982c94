import { FAN_TAGS_MAX, type FanTag, type FanTagInput } from '@stagedoor/contract/fans';
import { sql, type Transaction } from 'kysely';
import { type Database, isUuid, type Statement } from '../../db/database.ts';
import type { Tables } from '../../db/tables.ts';
import {
  type ConversationTouched,
  lockConversation,
  touchConversation,
} from './fan-conversation.store.ts';

const listStatement: Statement = {
  name: 'fan_tags_list',
  text: `select t.id, coalesce(g.label, t.label) as label, coalesce(g.color, t.color) as color,
      g.id is not null as "isGlobal", g.id as "globalTagId"
    from fan_tags t left join global_tags g on g.id = t.global_tag_id where t.fan_id = $1 order by t.position, t.id`,
};

/** A fan's tags in their order. */
export function listTags(db: Database, fanId: string): Promise<FanTag[]> {
  return db.run<FanTag>(listStatement, [fanId]);
}

/**
 * Replaces a fan's tags by the given list, in its order. Tags that were there before keep their ids. They show in the inbox,
 * so that this is a change of the conversation too.
 * @param tx lost when this gives null
 * @returns null when the fan, or a library tag of the list, does not exist
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
  // Row by row, since rows with and without an id of their own differ in their columns; a fan has few tags.
  for (const row of rows) await tx.insertInto('fan_tags').values(row).execute();
  return touched;
}

/**
 * Adds a tag of the library behind the fan's others.
 * @param tagId a UUID
 * @returns the change, or why there is none
 */
export async function addLibraryTag(
  tx: Transaction<Tables>,
  fanId: string,
  tagId: string,
): Promise<ConversationTouched | 'unchanged' | 'no tag' | 'too many'> {
  if (!(await lockConversation(tx, fanId))) return 'no tag';
  const found = await tx
    .selectFrom('global_tags')
    .select('id')
    .where('id', '=', tagId)
    .forShare()
    .executeTakeFirst();
  if (!found) return 'no tag';
  const held = await tx
    .selectFrom('fan_tags')
    .select(['global_tag_id', 'position'])
    .where('fan_id', '=', fanId)
    .execute();
  if (held.some((tag) => tag.global_tag_id === tagId)) return 'unchanged';
  if (held.length >= FAN_TAGS_MAX) return 'too many';
  const position = Math.max(-1, ...held.map((tag) => tag.position)) + 1;
  await tx
    .insertInto('fan_tags')
    .values({ fan_id: fanId, global_tag_id: tagId, position })
    .execute();
  return (await touchConversation(tx, fanId)) ?? 'no tag';
}

/**
 * @param tx lost when this gives null
 * @param tagId the tag's own id, or the library's
 * @returns null when the fan has no such tag
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
