import type { Source } from '../../db/database.ts';
import type { Row } from '../../db/tables.ts';

/** An admin as analytics tables show them. */
export type AdminName = Row<'admins', 'id' | 'codename' | 'email'>;

/** Returns the admins with these ids, including removed ones. */
export function findAdmins(db: Source, ids: readonly string[]): Promise<AdminName[]> {
  const text = 'select id, codename, email from admins where id = any($1::uuid[])';
  return db.run<AdminName>({ name: 'analytics_admins', text }, [ids]);
}

/** A product as analytics tables show it. */
export type ProductName = Row<'products', 'id' | 'title' | 'price_cents'>;

/** Returns the products with these ids, including deleted ones. */
export function findProducts(db: Source, ids: readonly string[]): Promise<ProductName[]> {
  const text = 'select id, title, price_cents from products where id = any($1::uuid[])';
  return db.run<ProductName>({ name: 'analytics_products', text }, [ids]);
}
