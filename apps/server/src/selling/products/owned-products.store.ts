import type { Database, Statement } from '../../db/database.ts';
import type { Row } from '../../db/tables.ts';

const statement: Statement = {
  name: 'products_owned',
  text: `select o.product_id, o.purchased_at from conversations c join owned_products o on o.fan_id = c.fan_id
    where c.id = $1 and o.product_id = any($2::uuid[])`,
};

/**
 * Finds the products that a conversation's fan owns: paid for through any offer and not refunded.
 * @param productIds UUIDs
 * @returns the time of each purchase by product id, in the API's instant format
 */
export async function findOwned(
  db: Database,
  conversationId: string,
  productIds: readonly string[],
): Promise<Record<string, string>> {
  if (productIds.length === 0) return {};
  const rows = await db.run<Row<'owned_products', 'product_id' | 'purchased_at'>>(statement, [
    conversationId,
    productIds,
  ]);
  return Object.fromEntries(rows.map((row) => [row.product_id, row.purchased_at.toISOString()]));
}
