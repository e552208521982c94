import { sql } from 'kysely';
import type { Database } from '../src/db/database.ts';
import { sweepFiles } from '../src/media/new-objects.ts';
import { purgeTemplateFiles } from '../src/messaging/templates/template-files.store.ts';
import { purgeProducts } from '../src/selling/products/products.store.ts';
import type { ObjectStorage } from '../src/storage/storage.ts';

/**
 * Finds texts in any column of any table of a database, also inside JSON and as bytes.
 * @returns 'table: text' for each text found
 */
export async function findInDatabase(db: Database, texts: readonly string[]): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema') order by 1`.execute(db.kysely);
  const found: string[] = [];
  for (const { name } of tables) {
    for (const text of texts) {
      const { rows } = await sql<{ there: boolean }>`
        select exists (select from ${sql.raw(name)} t where position(lower(${text}) in lower(t::text)) > 0
          or position(${Buffer.from(text).toString('hex')} in t::text) > 0) as there`.execute(
        db.kysely,
      );
      if (rows[0]?.there) found.push(`${name}: ${text}`);
    }
  }
  return found;
}

/** Returns the objects that contain one of the texts. */
export async function findInObjects(
  storage: ObjectStorage,
  keys: readonly string[],
  texts: readonly string[],
): Promise<string[]> {
  const found: string[] = [];
  for (const key of keys) {
    const chunks: Buffer[] = [];
    for await (const chunk of (await storage.get(key))?.body ?? []) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    if (texts.some((text) => key.includes(text) || bytes.includes(text))) found.push(key);
  }
  return found;
}

/** Deletes unreferenced rows and objects, as the server does every ten minutes. */
export async function sweepUp(stores: { db: Database; storage: ObjectStorage }): Promise<void> {
  await purgeTemplateFiles(stores.db);
  await purgeProducts(stores.db);
  await sweepFiles(stores);
}
