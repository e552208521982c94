import { recordPurchase } from '@stagedoor/contract/platform/platform';
import type { Backend } from '../backend.ts';
import type { saleOf } from './market.ts';

type Sale = ReturnType<typeof saleOf>;

/** Records two payments of a fan for the same product, as can exist in old data. @returns the id of the superfluous purchase */
export async function payTwice(backend: Backend, first: Sale, second: Sale): Promise<string> {
  const { body } = await backend.platform.call(recordPurchase, { body: first });
  const { id } = body.data;
  await backend.db.kysely.deleteFrom('owned_products').where('purchase_id', '=', id).execute();
  await backend.platform.call(recordPurchase, { body: second });
  await backend.db.kysely.insertInto('double_payments').values({ purchase_id: id }).execute();
  return id;
}
