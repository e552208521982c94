import type { Sale } from '@stagedoor/contract/selling/analytics';
import { toUsd } from '@stagedoor/contract/selling/cents';
import type { Source } from '../../db/database.ts';
import { FAN_NAME } from '../../db/fan-name.ts';
import { collectValues } from '../../db/searches.ts';
import type { Row } from '../../db/tables.ts';
import type { TimeCursor } from '../../http/cursor.ts';
import type { Span } from './range.ts';

type SaleRow = Omit<Sale, 'purchased_at' | 'refunded_at' | 'amount'> &
  Row<'purchases', 'purchased_at' | 'refunded_at' | 'amount_cents'>;

/** The sales to list. */
export interface SalesQuery extends Span {
  /** UUIDs; null: any. */
  readonly adminId: string | null;
  readonly productId: string | null;
  /** The cursor after the last sale of the previous page. */
  readonly cursor: TimeCursor | null;
  readonly limit: number;
}

/** Returns the sales of a span, including refunded ones, newest first. */
export async function listSales(db: Source, query: SalesQuery): Promise<Sale[]> {
  const { values, add } = collectValues(query.start, query.end, query.limit);
  const conditions = ['p.purchased_at >= $1', 'p.purchased_at < $2'];
  if (query.adminId !== null) conditions.push(`p.admin_id = ${add(query.adminId)}`);
  if (query.productId !== null) conditions.push(`p.product_id = ${add(query.productId)}`);
  if (query.cursor !== null) {
    const { at, id } = query.cursor;
    conditions.push(`(p.purchased_at, p.id) < (${add(at)}, ${add(id)})`);
  }
  return readSales(
    db,
    `select * from purchases p where ${conditions.join(' and ')}
      order by p.purchased_at desc, p.id desc limit $3`,
    values,
  );
}

/**
 * Returns the sales of the selected purchases, newest first.
 * @param picked a query that selects purchases
 */
export async function readSales(db: Source, picked: string, values: unknown[]): Promise<Sale[]> {
  const rows = await db.runPlanned<SaleRow>(
    `select p.id, p.purchased_at, p.refunded_at, p.amount_cents, p.product_id, products.title as product_title,
      p.admin_id, admins.codename as admin_codename, p.fan_id,
      case when f.id is null then '' else coalesce(${FAN_NAME}, 'Fan') end as fan_name,
      p.conversation_id, p.message_id, p.payment_reference
    from (${picked}) as p
      join products on products.id = p.product_id join admins on admins.id = p.admin_id
      left join fans f on f.id = p.fan_id
    order by p.purchased_at desc, p.id desc`,
    values,
  );
  return rows.map(({ amount_cents, purchased_at, refunded_at, ...row }) => ({
    ...row,
    purchased_at: purchased_at.toISOString(),
    refunded_at: refunded_at?.toISOString() ?? null,
    amount: toUsd(amount_cents),
  }));
}
