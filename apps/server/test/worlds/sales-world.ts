import { recordPurchase, recordRefund } from '@stagedoor/contract/platform/platform';
import { updateProduct } from '@stagedoor/contract/selling/products';
import fc from 'fast-check';
import { sql } from 'kysely';
import {
  type BuiltConversation,
  buildConversation,
  buildFanMessage,
  buildReply,
  buildStaff,
} from '../factories.ts';
import type { TestApp } from '../test-app.ts';
import { buildOffer, buildProduct } from './catalogue.ts';
import { saleOf } from './market.ts';
import type { History, HistoryMessage, HistorySale } from './sales-history.ts';

const DAY_MS = 86_400_000;
const SPAN_DAYS = 400;

/** Times in roughly the last year, often exactly on the boundary of a stored sum. */
export const longAgo = fc
  .tuple(
    fc.integer({ min: DAY_MS, max: SPAN_DAYS * DAY_MS }),
    fc.constantFrom(1, 1, 900_000, DAY_MS),
  )
  .map(([ago, step]) => Math.floor((Date.now() - ago) / step) * step);
const cents = fc.integer({ min: 1, max: 9_999 });
const which = fc.nat({ max: 1_000 });

export const happening = fc.oneof(
  { weight: 3, arbitrary: fc.record({ what: fc.constant('write' as const), fan: which }) },
  { weight: 3, arbitrary: fc.record({ what: fc.constant('reply' as const), fan: which, admin: which }) },
  { weight: 4, arbitrary: fc.record({ what: fc.constant('offer' as const), fan: which, admin: which, product: which, both: fc.boolean(), cents }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('reprice' as const), product: which, cents }) },
  { weight: 4, arbitrary: fc.record({ what: fc.constant('buy' as const), offer: which, at: fc.option(longAgo) }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('refund' as const), sale: which }) },
); // biome-ignore format: a line each
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

/** An offer that was not bought. */
interface OpenOffer {
  readonly conversation: BuiltConversation;
  readonly message: HistoryMessage;
  readonly attachmentId: string;
  readonly productId: string;
  readonly cents: number;
}

const ownedKey = ({ conversation, productId }: Pick<OpenOffer, 'conversation' | 'productId'>) =>
  `${conversation.id} ${productId}`;

const choose = <T>(from: readonly T[], index: number): T | undefined => from[index % from.length];

/** Opens an installation in which random events can happen, with a history of those that did. */
export async function openSalesWorld(app: TestApp) {
  const manager = await buildStaff(app, { role: 'manager' });
  const staff = [manager, await buildStaff(app), await buildStaff(app)] as const;
  const products = [await buildProduct(manager), await buildProduct(manager)] as const;
  const built = await Promise.all([0, 1, 2].map(() => buildConversation(app, { messages: [] })));
  const conversations = built.map((conversation) => ({
    conversation,
    messages: [] as HistoryMessage[],
  }));
  const sales: HistorySale[] = [];
  const references = new Map<HistorySale, string>();
  /** The sale of each owned product, keyed by conversation and product. Owned products are not offered or bought again. */
  const owned = new Map<string, HistorySale>();
  let offers: OpenOffer[] = [];

  function note(
    messages: HistoryMessage[],
    sent: { id: string; created_at: string },
    adminId: string | null,
    productIds: readonly string[] = [],
  ): HistoryMessage {
    const message = { id: sent.id, adminId, at: Date.parse(sent.created_at), productIds };
    messages.push(message);
    return message;
  }

  async function offer(happened: Happening & { what: 'offer' }): Promise<void> {
    const { conversation, messages } = pick(conversations, happened.fan);
    const seller = pick(staff, happened.admin);
    const offered = (happened.both ? products : [pick(products, happened.product)]).filter(
      ({ id }) => !owned.has(ownedKey({ conversation, productId: id })),
    );
    if (offered.length === 0) return;
    const sent = await buildOffer(seller, conversation.id, offered, happened.cents / 100);
    const productIds = offered.map(({ id }) => id);
    const message = note(messages, sent, seller.admin.id, productIds);
    productIds.forEach((productId, index) => {
      const attachmentId = sent.attachments[index]?.id ?? '';
      offers.push({ conversation, message, attachmentId, productId, cents: happened.cents });
    });
  }

  async function buy(happened: Happening & { what: 'buy' }): Promise<void> {
    const bought = choose(
      offers.filter((open) => !owned.has(ownedKey(open))),
      happened.offer,
    );
    if (bought === undefined) return;
    offers = offers.filter((other) => other !== bought);
    const { conversation, message, productId } = bought;
    const { body } = await app.platform.call(recordPurchase, {
      body: {
        ...saleOf(
          conversation.fan,
          { id: message.id, attachments: [] } as never,
          bought.cents / 100,
        ),
        attachment_id: bought.attachmentId,
        ...(happened.at !== null && { purchased_at: new Date(happened.at).toISOString() }),
      },
    });
    const at = Date.parse(body.data.purchased_at);
    const sale = { message, productId, at, cents: bought.cents, refunded: false };
    references.set(sale, body.data.payment_reference);
    owned.set(ownedKey(bought), sale);
    sales.push(sale);
  }

  async function happen(happened: Happening): Promise<void> {
    switch (happened.what) {
      case 'write': {
        const { conversation, messages } = pick(conversations, happened.fan);
        note(messages, await buildFanMessage(app, conversation.fan), null);
        break;
      }
      case 'reply': {
        const { conversation, messages } = pick(conversations, happened.fan);
        const author = pick(staff, happened.admin);
        note(messages, await buildReply(author, conversation.id), author.admin.id);
        break;
      }
      case 'offer':
        return offer(happened);
      case 'reprice': {
        const { id } = pick(products, happened.product);
        const body = { price: happened.cents / 100 };
        await manager.client.call(updateProduct, { params: { id }, body });
        break;
      }
      case 'buy':
        return buy(happened);
      case 'refund': {
        const sale = choose(sales, happened.sale);
        if (sale === undefined) return;
        const payment_reference = references.get(sale) ?? '';
        await app.platform.call(recordRefund, { body: { payment_reference } });
        sale.refunded = true;
        for (const [key, payment] of owned) if (payment === sale) owned.delete(key);
      }
    }
  }

  const history: History = { conversations, sales };
  return { manager, staff, products, history, happen };
}

function pick<T>(from: readonly T[], index: number): T {
  const found = choose(from, index);
  if (found === undefined) throw new Error('nothing to pick from');
  return found;
}

export type SalesWorld = Awaited<ReturnType<typeof openSalesWorld>>;

/** Changes the times of all messages, in the database and in the history; their order stays the same. No event is emitted. */
export async function moveMessages(app: TestApp, history: History, times: readonly number[]) {
  const { kysely } = app.db;
  let taken = 0;
  for (const { messages } of history.conversations) {
    const moved = messages.map(() => times[taken++ % times.length] ?? 0).toSorted((a, b) => a - b);
    for (const [index, message] of messages.entries()) {
      // No two messages at the same time, as on the server.
      message.at = Math.max(moved[index] ?? 0, (messages[index - 1]?.at ?? 0) + 1);
      const { id } = message;
      const at = new Date(message.at);
      await kysely.updateTable('messages').set({ created_at: at }).where('id', '=', id).execute();
      await kysely
        .updateTable('product_sends')
        .set({ sent_at: at })
        .where('message_id', '=', id)
        .execute();
    }
  }
  await sql`update conversations c set waiting_since = (
      select min(created_at) from messages m where m.conversation_id = c.id and m.from_fan and m.seq > (
        select coalesce(max(seq), 0) from messages a where a.conversation_id = c.id and not a.from_fan
      )
    ) where waiting_since < 'infinity'`.execute(kysely);
}
