import type { GlobalTag } from '@stagedoor/contract/fans/tags';
import type { Database } from '../../db/database.ts';
import type { Tx } from '../../db/tables.ts';

const LIBRARY_MAX = 1_000;
const COLUMNS = ['id', 'label', 'color'] as const;

/** Returns the tag library, sorted by label. */
export function listTags(db: Database): Promise<GlobalTag[]> {
  return db.kysely
    .selectFrom('global_tags')
    .select(COLUMNS)
    .orderBy((eb) => eb.fn<string>('lower', ['label']))
    .orderBy('id')
    .limit(LIBRARY_MAX)
    .execute();
}

export function createTag(tx: Tx, label: string, color: string): Promise<GlobalTag> {
  return tx
    .insertInto('global_tags')
    .values({ label, color })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

/** Changes the given fields of a tag. @returns null if there is no such tag */
export async function updateTag(
  tx: Tx,
  id: string,
  change: { label?: string | undefined; color?: string | undefined },
): Promise<GlobalTag | null> {
  const tag = await tx
    .updateTable('global_tags')
    .set((eb) => ({
      label: change.label ?? eb.ref('label'),
      color: change.color ?? eb.ref('color'),
    }))
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirst();
  return tag ?? null;
}

/** Deletes a tag. @returns whether it existed */
export async function deleteTag(tx: Tx, id: string): Promise<boolean> {
  const result = await tx.deleteFrom('global_tags').where('id', '=', id).executeTakeFirst();
  return result.numDeletedRows > 0n;
}
