import { type Conversation, getConversation } from '@stagedoor/contract/inbox/conversations';
import { listMessages, type Message } from '@stagedoor/contract/messaging/messages';
import { listFanMessages } from '@stagedoor/contract/platform/platform';
import type { Product } from '@stagedoor/contract/selling/products';
import type { Backend } from '../backend.ts';
import { type BuiltConversation, buildConversation, buildStaff, unique } from '../factories.ts';
import { buildOffer, buildProduct } from './catalogue.ts';

/** A product offered to a fan, and the report of its sale. */
export interface Deal {
  readonly conversation: BuiltConversation;
  readonly product: Product;
  readonly message: Message;
  readonly sale: ReturnType<typeof saleOf>;
}

/** Returns the report of a sale of a message's first attachment. @param amount USD */
export const saleOf = (fan: { external_id: string }, message: Message, amount: number) => ({
  fan: fan.external_id,
  message_id: message.id,
  attachment_id: message.attachments[0]?.id ?? '',
  amount,
  payment_reference: unique('payment'),
});

/** Opens helpers for offering products and looking at them as the fan and as staff. */
export async function openMarket(app: Backend) {
  const manager = await buildStaff(app, { role: 'manager' });
  const seller = await buildStaff(app);
  return {
    /** Can change the catalog. */
    manager,
    /** Sends the offers. */
    seller,

    /** @param price USD @param product a new one by default */
    async buildDeal(price = 9.99, product?: Product): Promise<Deal> {
      const conversation = await buildConversation(app);
      const sold = product ?? (await buildProduct(manager));
      const message = await buildOffer(seller, conversation.id, [sold], price);
      const sale = saleOf(conversation.fan, message, price);
      return { conversation, product: sold, message, sale };
    },

    /** Returns a deal's attachment as the fan and as staff see it. */
    async seen({ conversation, message }: Deal) {
      const [fan, staff] = await Promise.all([
        app.platform.call(listFanMessages, { params: { fan: conversation.fan.external_id } }),
        manager.client.call(listMessages, { params: { id: conversation.id } }),
      ]);
      const ofFan = fan.body.data.find(({ id }) => id === message.id)?.attachments[0];
      const ofStaff = staff.body.data.find(({ id }) => id === message.id)?.attachments[0];
      if (!ofFan || !ofStaff) throw new Error('the message has no attachment');
      return { ofFan, ofStaff };
    },

    async versionOf({
      conversation: { id },
    }: Pick<Deal, 'conversation'>): Promise<Conversation['version']> {
      return (await manager.client.call(getConversation, { params: { id } })).body.data.version;
    },

    /** Returns the stored purchases. */
    purchasesOf: ({ id }: Pick<Message, 'id'>) =>
      app.db.kysely.selectFrom('purchases').selectAll().where('message_id', '=', id).execute(),
  };
}
