import {
  HANDOVER_MAX,
  SHIFT_DRAFT_MAX_CHARS,
  SHIFT_OFFERS_MAX,
  SHIFT_PROMISES_MAX,
  type ShiftItem,
} from '@stagedoor/contract/messaging/handovers';
import type { Database, Statement } from '../../db/database.ts';
import type { Row } from '../../db/tables.ts';
import {
  type OpenPromiseRow,
  openPromisesOf,
  presentOpenPromises,
} from '../../fans/statements/promises.store.ts';
import {
  type ConversationRow,
  presentConversation,
  selectConversations,
} from '../../inbox/conversations/conversations.store.ts';
import { draftTextOf } from '../drafts/drafts.store.ts';

interface OfferRow
  extends Row<'product_sends', 'attachment_id' | 'price_cents'>,
    Row<'products', 'title'> {
  readonly sent_at: string;
}

interface ShiftRow extends ConversationRow {
  readonly offers: OfferRow[] | null;
  readonly draft: string | null;
  readonly promises: OpenPromiseRow[] | null;
}

/** The newest unpaid offers of each conversation. */
const OFFERS = `(
  select jsonb_agg(jsonb_build_object('attachment_id', o.attachment_id, 'title', o.title, 'price_cents', o.price_cents,
    'sent_at', o.sent_at) order by o.sent_at desc)
  from (
    select s.attachment_id, p.title, s.price_cents, s.sent_at
    from product_sends s join products p on p.id = s.product_id
    where s.conversation_id = c.id
      and not exists (select from owned_products b where b.fan_id = s.fan_id and b.product_id = s.product_id)
    order by s.sent_at desc limit ${SHIFT_OFFERS_MAX}
  ) o
) as offers`;

const OPEN = `, ${OFFERS}, ${draftTextOf('$1', 'c.id', SHIFT_DRAFT_MAX_CHARS)} as draft,
  ${openPromisesOf('c.id', SHIFT_PROMISES_MAX)} as promises`;

const claimsStatement: Statement = {
  name: 'handovers_shift',
  text: `${selectConversations(
    `(select * from conversations where claimed_by = $1 order by last_message_at desc, id limit ${HANDOVER_MAX})`,
    OPEN,
  )} order by c.last_message_at desc, c.id`,
};

/** Returns an admin's claimed conversations, newest first, up to the maximum for one handover. */
export async function findShift(db: Database, adminId: string): Promise<ShiftItem[]> {
  const rows = await db.run<ShiftRow>(claimsStatement, [adminId]);
  return rows.map((row) => ({
    conversation: presentConversation(row),
    unpaid_offers: (row.offers ?? []).map(({ attachment_id, title, price_cents, sent_at }) => ({
      attachment_id,
      title,
      price: price_cents / 100,
      sent_at: new Date(sent_at).toISOString(),
    })),
    draft: row.draft,
    promises: presentOpenPromises(row.promises),
  }));
}

export async function countClaims(db: Database, adminId: string): Promise<number> {
  const [row] = await db.run<{ count: number }>(
    {
      name: 'handovers_claims',
      text: 'select count(*)::int as count from conversations where claimed_by = $1',
    },
    [adminId],
  );
  return row?.count ?? 0;
}
