import * as z from 'zod/mini';
import { get, put } from '../endpoint.ts';
import { FAN_LANGUAGES_MAX, LANGUAGE_CODES } from '../language-codes.ts';
import {
  byId,
  lookupId,
  namedObject,
  pageOf,
  schemaNames,
  sentence,
  timestamp,
} from '../primitives.ts';
import { Subscription } from './subscriptions.ts';

export const FAN_OFFERS_PAGE_SIZE = 10;

/** An ISO 639-1 language code. */
const language = z.enum(LANGUAGE_CODES).register(schemaNames, { id: 'LanguageCode' });

/** A summary of a fan. Amounts are in USD. */
export const FanFacts = namedObject('FanFacts', {
  /** The total of purchases and tips that weren't refunded. */
  spent: z.number(),
  /** The part of `spent` that was tips. */
  tipped: z.number(),
  /** The number of purchases that weren't refunded. `average_paid` and `last_purchase` are based on the same purchases. */
  purchases: z.int(),
  /** The average purchase amount, rounded to the cent; null without purchases. */
  average_paid: z.nullable(z.number()),
  last_purchase: z.nullable(
    z.object({
      message_id: z.string(),
      title: z.string(),
      amount: z.number(),
      purchased_at: timestamp,
    }),
  ),
  /** When the fan was first recorded here. */
  first_seen_at: timestamp,
  /** The number of stored messages from each side. */
  messages_from_fan: z.int(),
  messages_from_creator: z.int(),
  /** When each side last wrote; null for never. */
  fan_wrote_at: z.nullable(timestamp),
  creator_wrote_at: z.nullable(timestamp),
  /** An IANA name; null if the platform doesn't know it. */
  timezone: z.nullable(z.string()),
  /** The languages that the fan speaks, recorded by staff, in the staff's order. */
  languages: z.array(language),
  /** Null if the fan never had a trial or a subscription. */
  subscription: z.nullable(Subscription),
});
export type FanFacts = z.infer<typeof FanFacts>;

/** A product offered to the fan, and whether it was bought or refunded. */
export const FanOffer = namedObject('FanOffer', {
  attachment_id: z.string(),
  /** The message that contains the offer. */
  message_id: z.string(),
  product_id: z.string(),
  title: z.string(),
  /** USD */
  price: z.number(),
  sent_at: timestamp,
  /** Null if not bought, like `purchased_at`. */
  purchase_id: z.nullable(z.string()),
  purchased_at: z.nullable(timestamp),
  refunded_at: z.nullable(timestamp),
});
export type FanOffer = z.infer<typeof FanOffer>;

export const FanOfferKind = z.enum(['bought', 'open']);
export type FanOfferKind = z.infer<typeof FanOfferKind>;

export const getFanFacts = get('/api/messages/admin/conversation/{id}/fan-facts', {
  summary:
    'An overview of the conversation’s fan: what they paid and how many messages were written.',
  auth: 'admin',
  params: byId,
  replies: { 200: z.object({ data: FanFacts }) },
  errors: ['conversation_not_found'],
});

export const replaceFanLanguages = put('/api/messages/admin/conversation/{id}/fan-languages', {
  isAct: true,
  summary: 'Replace the ordered list of languages that the conversation’s fan speaks.',
  auth: 'admin',
  permission: 'can_manage_messages',
  params: byId,
  body: z.strictObject({
    languages: z.array(language).check(
      z.maxLength(FAN_LANGUAGES_MAX),
      z.refine(
        (codes) => new Set(codes).size === codes.length,
        sentence('Add each language only once'),
      ),
    ),
  }),
  replies: { 200: z.object({ data: FanFacts }) },
  errors: ['conversation_not_found'],
});

export const listFanOffers = get('/api/messages/admin/conversation/{id}/fan-offers', {
  summary:
    'The products that the conversation’s fan bought, including refunded ones (`bought`), or was offered but does not own (`open`); newest first.',
  auth: 'admin',
  params: byId,
  query: z.object({
    kind: FanOfferKind,
    cursor: z.optional(lookupId),
    limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(100)), FAN_OFFERS_PAGE_SIZE),
  }),
  replies: { 200: pageOf(FanOffer) },
  errors: ['conversation_not_found'],
});
