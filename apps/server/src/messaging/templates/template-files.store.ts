import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { Tx } from '../../db/tables.ts';
import type { StoredAttachment } from '../../media/stored-attachment.ts';
import { FILE_COLUMNS, rowsOf } from '../../media/uploads.store.ts';

/** SQL for a template's files as JSON, in their order. */
export const filesOf = (template: string) => `(
  select coalesce(jsonb_agg(to_jsonb(f) - 'place' order by f.place), '[]')
  from (select ${FILE_COLUMNS}, null as product, place from template_files where template_id = ${template}.id) f)`;

/** Inserts files that their owner can add to a template. */
export async function insertTemplateFiles(
  tx: Tx,
  ownerId: string,
  files: readonly StoredAttachment[],
): Promise<void> {
  await tx.insertInto('template_files').values(rowsOf(files, ownerId)).execute();
}

export async function countTemplateFiles(tx: Tx, templateId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('template_files')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('template_id', '=', templateId)
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * Sets a template's files, in the given order, and deletes its other files.
 * @param ids UUIDs, each once
 * @param template `takerId` is the admin who makes the change
 * @returns false if any file is neither in this template already nor an unused upload of that admin
 */
export async function setTemplateFiles(
  tx: Tx,
  template: { readonly id: string; readonly takerId: string },
  ids: readonly string[],
): Promise<boolean> {
  await sql`delete from template_files
    where template_id = ${template.id} and id <> all(${ids}::uuid[])`.execute(tx);
  const { rows } = await sql`update template_files
    set template_id = ${template.id}, place = array_position(${ids}::uuid[], id)
    where id = any(${ids}::uuid[])
      and (template_id = ${template.id} or template_id is null and owner_id = ${template.takerId})
    returning id`.execute(tx);
  return rows.length === ids.length;
}

/** Deletes files that were uploaded over a day ago and are in no template. */
export async function purgeTemplateFiles(db: Database): Promise<void> {
  await db.kysely
    .deleteFrom('template_files')
    .where('template_id', 'is', null)
    .where('created_at', '<', sql<Date>`now() - interval '1 day'`)
    .execute();
}
