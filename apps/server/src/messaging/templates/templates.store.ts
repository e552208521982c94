import type { Template } from '@stagedoor/contract/messaging/templates';
import { toUsd } from '@stagedoor/contract/selling/cents';
import { sql, type Updateable } from 'kysely';
import { ADVISORY_LOCKS } from '../../db/advisory-locks.ts';
import type { Database } from '../../db/database.ts';
import type { Row, Tables, Tx } from '../../db/tables.ts';
import type { StoredAttachment } from '../../media/stored-attachment.ts';
import { filesOf } from './template-files.store.ts';

export type StoredTemplate = Row<'templates'>;

interface TemplateRow extends StoredTemplate, Row<'admins', 'codename' | 'display_color'> {
  /** Null if there is no product or it was deleted. */
  readonly title: string | null;
  readonly is_active: boolean | null;
  readonly files: readonly StoredAttachment[];
}

/** A template and its files as stored. */
export interface FoundTemplate {
  readonly template: Omit<Template, 'attachments'>;
  readonly files: readonly StoredAttachment[];
}

/** @param templates SQL for the rows */
const selectFrom = (
  templates: string,
) => `select t.*, a.codename, a.display_color, p.title, p.is_active, ${filesOf('t')} as files
  from (${templates}) t join admins a on a.id = t.maker_id
  left join products p on p.id = t.product_id and p.deleted_at is null`;

function present(row: TemplateRow): FoundTemplate {
  const { product_id, price_cents, title, is_active, files } = row;
  const template = {
    id: row.id,
    name: row.name,
    content: row.content,
    folder: row.folder,
    is_shared: row.is_shared,
    product:
      product_id === null || price_cents === null || title === null
        ? null
        : { id: product_id, title, price: toUsd(price_cents), is_active: is_active === true },
    uses: row.uses,
    maker: { id: row.maker_id, codename: row.codename, display_color: row.display_color },
    version: row.version,
    updated_at: row.updated_at.toISOString(),
  };
  return { template, files };
}

/** Returns the shared templates and an admin's own, the most used first. All at once, because their number is limited. */
export async function listTemplates(db: Database, adminId: string): Promise<FoundTemplate[]> {
  const rows = await db.run<TemplateRow>(
    {
      name: 'templates_list',
      text: `${selectFrom(`select * from templates where is_shared
        union all select * from templates where not is_shared and maker_id = $1`)}
        order by t.uses desc, lower(t.name), t.id`,
    },
    [adminId],
  );
  return rows.map(present);
}

/** @param id a UUID */
export async function findTemplate(db: Database, id: string): Promise<FoundTemplate | null> {
  const [row] = await db.run<TemplateRow>(
    { name: 'templates_find', text: selectFrom('select * from templates where id = $1') },
    [id],
  );
  return row ? present(row) : null;
}

/** @param id a UUID */
export async function lockTemplate(tx: Tx, id: string): Promise<StoredTemplate | null> {
  const row = await tx
    .selectFrom('templates')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** Serializes the addition of templates: holds a lock until the transaction ends. */
export async function lockTemplates(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.templates})`.execute(tx);
}

/** @param ownerId counts this admin's own templates; null for the shared ones */
export async function countTemplates(tx: Tx, ownerId: string | null): Promise<number> {
  const counted = tx
    .selectFrom('templates')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('is_shared', '=', ownerId === null);
  const { count } = await (ownerId === null
    ? counted
    : counted.where('maker_id', '=', ownerId)
  ).executeTakeFirstOrThrow();
  return count;
}

/** Returns whether the product exists, for sale or not. @param id a UUID */
export async function productExists(tx: Tx, id: string): Promise<boolean> {
  const found = await tx
    .selectFrom('products')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return found !== undefined;
}

type Columns = Pick<
  StoredTemplate,
  'name' | 'content' | 'folder' | 'is_shared' | 'product_id' | 'price_cents'
>;

/** @returns the new template's id */
export async function insertTemplate(
  tx: Tx,
  template: Columns & Pick<StoredTemplate, 'maker_id'>,
): Promise<string> {
  const { id } = await tx
    .insertInto('templates')
    .values(template)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** @param changes undefined fields stay as they are */
export async function updateTemplate(
  tx: Tx,
  id: string,
  changes: { readonly [C in keyof Columns]?: Columns[C] | undefined },
): Promise<void> {
  await tx
    .updateTable('templates')
    .set(changes as Updateable<Tables['templates']>)
    .set((eb) => ({ version: eb('version', '+', 1), updated_at: sql<Date>`now()` }))
    .where('id', '=', id)
    .execute();
}

export async function deleteTemplate(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('templates').where('id', '=', id).execute();
}

/**
 * Counts a use of a template that an admin can see.
 * @param id a UUID
 * @returns the new number of uses; null if there is no such template, or the admin can't see it
 */
export async function countUse(db: Database, id: string, adminId: string): Promise<number | null> {
  const [row] = await db.run<Row<'templates', 'uses'>>(
    {
      name: 'templates_count_use',
      text: `update templates set uses = uses + 1
        where id = $1 and (is_shared or maker_id = $2) and uses < 2147483647 returning uses`,
    },
    [id, adminId],
  );
  return row?.uses ?? null;
}
