import type { Database, Statement } from '../../db/database.ts';
import type { Span } from './range.ts';

/** What happened: counts, and cents that fans paid and did not get back. */
export interface Totals {
  readonly messages: number;
  readonly sends: number;
  readonly purchases: number;
  readonly cents: number;
}

/** What happened on one day, by one admin, or with one product. */
export type TotalsRow = Totals & {
  readonly day: number | null;
  readonly admin_id: string | null;
  readonly product_id: string | null;
};

const boundsStatement: Statement = {
  name: 'analytics_bounds',
  text: `select clock_timestamp() as now, least(
      (select created_at from messages where not from_fan order by created_at limit 1),
      (select min(purchased_at) from purchases where refunded_at is null)
    ) as first`,
};

/** The database's clock, and when anything happened first; null where nothing did. */
export async function findBounds(db: Database): Promise<{ now: Date; first: Date | null }> {
  const [row] = await db.run<{ now: Date; first: Date | null }>(boundsStatement, []);
  return row ?? { now: new Date(), first: null };
}

const totalsText = `with facts as (
    select created_at as at, author_id as admin_id, null::uuid as product_id, 1 as messages, 0 as sends, 0 as purchases,
      0 as cents
    from messages where not from_fan and created_at >= $1 and created_at < $2
    union all
    select sent_at, admin_id, product_id, 0, 1, 0, 0 from product_sends where sent_at >= $1 and sent_at < $2
    union all
    select purchased_at, admin_id, product_id, 0, 0, 1, amount_cents from purchases
    where refunded_at is null and purchased_at >= $1 and purchased_at < $2
  )
  select case when grouping(day) = 0 then day end as day, admin_id, product_id, sum(messages) as messages,
    sum(sends) as sends, sum(purchases) as purchases, sum(cents) as cents
  from (select *, width_bucket(at, $3::timestamptz[]) - 1 as day from facts) as dated
  group by grouping sets ((day), (admin_id), (product_id))`;

/**
 * What happened in a span: three times the same, by day, by admin and by product.
 * @param days when each begins; `day` is an index of these
 */
export function sumTotals(db: Database, span: Span, days: readonly string[]): Promise<TotalsRow[]> {
  return db.runPlanned<TotalsRow>(totalsText, [span.start, span.end, days]);
}

/** An admin as the tables show them. */
export interface AdminName {
  readonly id: string;
  readonly codename: string;
  readonly email: string;
}

/** Those with these ids, removed ones too. */
export function findAdmins(db: Database, ids: readonly string[]): Promise<AdminName[]> {
  return db.run<AdminName>(
    {
      name: 'analytics_admins',
      text: 'select id, codename, email from admins where id = any($1::uuid[])',
    },
    [ids],
  );
}

/** A product as the tables show it. */
export interface ProductName {
  readonly id: string;
  readonly title: string;
  readonly price_cents: number;
}

/** Those with these ids, deleted ones too. */
export function findProducts(db: Database, ids: readonly string[]): Promise<ProductName[]> {
  return db.run<ProductName>(
    {
      name: 'analytics_products',
      text: 'select id, title, price_cents from products where id = any($1::uuid[])',
    },
    [ids],
  );
}
