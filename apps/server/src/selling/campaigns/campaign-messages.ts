import { campaignTextParts } from '@stagedoor/contract/selling/campaign-text';
import type { CampaignAttachment } from '@stagedoor/contract/selling/campaigns';
import { toCents, toUsd } from '@stagedoor/contract/selling/cents';
import { isUuid, runIn } from '../../db/database.ts';
import type { Row, Tx } from '../../db/tables.ts';
import { AppError, invalidAttachment } from '../../errors.ts';
import type { StoredAttachment } from '../../media/stored-attachment.ts';
import { manages } from '../../team/admins/roles.ts';
import { asAttachment } from '../products/product-attachment.ts';
import { FOR_SALE, productForSaleIn } from '../products/products.store.ts';
import { takeCampaignFiles } from './campaign-files.store.ts';
import { productsOf, type Variant } from './campaign-sql.ts';

/** The identifying fields of an attachment: a file's id, or an offer's product and price. */
type Named =
  | { readonly id: string }
  | { readonly product_id: string; readonly is_paid: true; readonly price: number };

/** Returns the error of the guard rail that refuses a message; null if none does. */
export type RefusalOf = (message: {
  readonly content: string;
  readonly attachments: Named[];
}) => AppError | null;

export const nameAttachment = (input: CampaignAttachment): Named =>
  input.product_id == null
    ? { id: input.id }
    : { product_id: input.product_id, is_paid: true, price: input.price };

const nameStored = ({ id, product }: StoredAttachment): Named =>
  product === null
    ? { id }
    : { product_id: product.id, is_paid: true, price: toUsd(product.price_cents ?? 0) };

/** Returns a text with every variable replaced by its fallback. */
const withFallbacks = (content: string): string =>
  campaignTextParts(content)
    .map((part) => ('text' in part ? part.text : (part.fallback ?? '')))
    .join('');

/** Checks messages, with the fallbacks of their variables, against the guard rails. @throws AppError 422 for a refused message */
export function requireAllowed(
  refusalOf: RefusalOf,
  messages: readonly { readonly content: string; readonly attachments: Named[] }[],
): void {
  for (const { content, attachments } of messages) {
    const refusal = refusalOf({ content: withFallbacks(content), attachments });
    if (refusal !== null) throw refusal;
  }
}

/**
 * Builds the messages of an unsaved campaign with their offers, but without their files.
 * @throws AppError 400 `invalid_attachment` for a product that can't be sold
 */
export const buildOffers = (
  tx: Tx,
  messages: readonly (Omit<Variant, 'attachments'> & { readonly attachments: Named[] })[],
): Promise<Variant[]> =>
  Promise.all(
    messages.map(async ({ attachments, ...message }) => ({
      ...message,
      attachments: await Promise.all(
        attachments.flatMap((each) =>
          'id' in each ? [] : [offerOf(tx, each.product_id, each.price)],
        ),
      ),
    })),
  );

/**
 * Builds the attachments of a draft's messages. Both messages can use the same file.
 * @throws AppError 400 `invalid_attachment` for a file that isn't the admin's or is in use, or a product that can't be sold
 */
export async function buildMessages(
  tx: Tx,
  campaign: { readonly id: string; readonly ownerId: string },
  messages: readonly {
    readonly content: string;
    readonly share: number;
    readonly attachments: Named[];
  }[],
): Promise<Variant[]> {
  const named = messages.map(({ attachments }) =>
    attachments.flatMap((each) => ('id' in each ? [each.id] : [])),
  );
  if (named.some((ids) => new Set(ids).size < ids.length))
    throw invalidAttachment('An upload can be attached only once');
  const ids = [...new Set(named.flat())];
  if (!ids.every(isUuid)) throw invalidAttachment('Upload not found');
  const files = await takeCampaignFiles(tx, campaign, ids);
  return Promise.all(
    messages.map(async ({ attachments, ...message }) => ({
      ...message,
      attachments: await Promise.all(
        attachments.map(async (each) => {
          if (!('id' in each)) return offerOf(tx, each.product_id, each.price);
          const file = files.get(each.id);
          if (file === undefined) throw invalidAttachment('Upload not found');
          return file;
        }),
      ),
    })),
  );
}

/**
 * Checks a stored campaign's messages again, before they are sent.
 * @returns the messages, with their products as they are now
 * @throws AppError 400 `invalid_attachment` for a product that is no longer for sale, 422 for a guard rail
 */
export async function renewMessages<V extends Variant>(
  tx: Tx,
  refusalOf: RefusalOf,
  variants: readonly V[],
): Promise<V[]> {
  requireAllowed(
    refusalOf,
    variants.map(({ content, attachments }) => ({
      content,
      attachments: attachments.map(nameStored),
    })),
  );
  return Promise.all(
    variants.map(async (variant) => ({
      ...variant,
      attachments: await Promise.all(
        variant.attachments.map(async (each) =>
          each.product === null
            ? each
            : offerOf(tx, each.product.id, toUsd(each.product.price_cents ?? 0)),
        ),
      ),
    })),
  );
}

/**
 * Returns why a started campaign can't be sent now: the admin who started it may no longer do so, or a product is no longer for
 * sale. Null if it can be sent.
 */
export async function findHindrance(
  tx: Tx,
  startedBy: string | null,
  variants: readonly Variant[],
): Promise<AppError | null> {
  const products = productsOf(variants);
  const [found] = await runIn<Hindrances>(
    tx,
    `select is_active, role, can_manage_messages,
      (select count(*)::int from products where id = any($2::uuid[]) and ${FOR_SALE}) as for_sale
    from admins where id = $1`,
    [startedBy, products],
  );
  if (found === undefined) return null;
  const { is_active, role, can_manage_messages, for_sale } = found;
  if (!is_active) return mayNotSend('The person who started this was removed');
  if (!(can_manage_messages && manages(role)))
    return mayNotSend('The person who started this can no longer send mass messages');
  return for_sale === products.length ? null : invalidAttachment(NO_PRODUCT);
}

interface Hindrances extends Row<'admins', 'is_active' | 'role' | 'can_manage_messages'> {
  readonly for_sale: number;
}

const mayNotSend = (message: string) => new AppError('message_privilege_required', { message });

const NO_PRODUCT = 'Product not found';

async function offerOf(tx: Tx, id: string, price: number): Promise<StoredAttachment> {
  const product = await productForSaleIn(tx, id);
  if (product === null) throw invalidAttachment(NO_PRODUCT);
  return asAttachment(product, toCents(price));
}
