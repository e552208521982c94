import type { FanOffer } from '@stagedoor/contract/fans/fan-facts';
import { toUsd } from '@stagedoor/contract/selling/cents';
import type { Database, Statement } from '../../db/database.ts';
import type { Row } from '../../db/tables.ts';
import type { TimeCursor } from '../../http/cursor.ts';

/** Which page of a list to return. Lists are sorted newest first. */
interface Page {
  readonly after: TimeCursor | null;
  readonly limit: number;
}

export interface OfferWithCursor {
  readonly offer: FanOffer;
  readonly cursor: TimeCursor;
}

interface OfferRow
  extends Row<
      'product_sends',
      'attachment_id' | 'message_id' | 'product_id' | 'price_cents' | 'sent_at'
    >,
    Row<'products', 'title'>,
    Row<'purchases', 'id' | 'refunded_at'> {
  readonly purchased_at: Date | null;
}

const COLUMNS =
  's.attachment_id, s.message_id, s.product_id, products.title, s.price_cents, s.sent_at';

/**
 * `$2` and `$3` are the cursor. A fan's rows are found by conversation and then sorted; `offset 0` keeps the planner from
 * scanning all fans' rows by time.
 */
const boughtStatement: Statement = {
  name: 'fan_offers_bought',
  text: `select p.id, ${COLUMNS}, p.purchased_at, p.refunded_at
    from (
      select * from (select * from purchases where conversation_id = $1 offset 0) as theirs
      where ($2::timestamptz is null or (purchased_at, id) < ($2, $3::uuid))
      order by purchased_at desc, id desc limit $4
    ) p
    join product_sends s on s.attachment_id = p.attachment_id join products on products.id = s.product_id
    order by p.purchased_at desc, p.id desc`,
};

/** An offer is open until the fan buys its product, through any offer. After a refund, the offer that was paid stays closed. */
const openStatement: Statement = {
  name: 'fan_offers_open',
  text: `select s.attachment_id as id, ${COLUMNS}, null::timestamptz as purchased_at, null::timestamptz as refunded_at
    from (
      select * from (select * from product_sends where conversation_id = $1 offset 0) s
      where ($2::timestamptz is null or (s.sent_at, s.attachment_id) < ($2, $3::uuid))
        and not exists (
          select from purchases p
          where p.conversation_id = $1 and p.product_id = s.product_id and p.refunded_at is null
        )
        and not exists (
          select from purchases p
          where p.conversation_id = $1 and p.product_id = s.product_id and p.attachment_id = s.attachment_id
        )
      order by s.sent_at desc, s.attachment_id desc limit $4
    ) s join products on products.id = s.product_id
    order by s.sent_at desc, s.attachment_id desc`,
};

/** Returns what a fan bought, including refunded purchases. @param conversationId a UUID */
export const findBought = (db: Database, conversationId: string, page: Page) =>
  find(db, boughtStatement, conversationId, page, (row) => row.purchased_at ?? row.sent_at);

/** Returns a fan's open offers. @param conversationId a UUID */
export const findOpenOffers = (db: Database, conversationId: string, page: Page) =>
  find(db, openStatement, conversationId, page, (row) => row.sent_at);

/** @param at returns the time by which a row is sorted */
async function find(
  db: Database,
  statement: Statement,
  conversationId: string,
  { after, limit }: Page,
  at: (row: OfferRow) => Date,
): Promise<OfferWithCursor[]> {
  const rows = await db.run<OfferRow>(statement, [
    conversationId,
    after?.at ?? null,
    after?.id ?? null,
    limit,
  ]);
  return rows.map((row) => ({
    cursor: { at: at(row).toISOString(), id: row.id },
    offer: {
      attachment_id: row.attachment_id,
      message_id: row.message_id,
      product_id: row.product_id,
      title: row.title,
      price: toUsd(row.price_cents),
      sent_at: row.sent_at.toISOString(),
      purchase_id: row.purchased_at && row.id,
      purchased_at: row.purchased_at?.toISOString() ?? null,
      refunded_at: row.refunded_at?.toISOString() ?? null,
    },
  }));
}
