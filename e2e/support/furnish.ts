import type { Desk } from './journey.ts';

/** Gives a fan custom tags, in this order. A plain label becomes an orange tag. */
export async function tagFan(
  desk: Desk,
  fanId: string,
  tags: readonly (string | { label: string; color: string })[],
): Promise<void> {
  const values = tags.map((tag, position) => ({
    ...(typeof tag === 'string' ? { label: tag, color: '#FF5733' } : tag),
    fan_id: fanId,
    position,
    global_tag_id: null,
  }));
  await desk.db.kysely.insertInto('fan_tags').values(values).execute();
}
