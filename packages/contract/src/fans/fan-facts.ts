import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { FAN_LANGUAGES_MAX, LANGUAGE_CODES } from '../language-codes.ts';
import { lookupId, sentence, timestamp } from '../primitives.ts';
import { Subscription } from './subscriptions.ts';

/** Offers on a page unless the caller says otherwise. */
export const FAN_OFFERS_PAGE_SIZE = 10;

/** A language by its ISO 639-1 code. */
const language = z.enum(LANGUAGE_CODES).check(z.meta({ id: 'LanguageCode' }));

/** What is known of a fan at a glance. Money is in USD. */
export const FanFacts = z
  .object({
    /** Paid in all, less what was given back. */
    spent: z.number(),
    /** Purchases that were not given back, as for the two below. */
    purchases: z.int(),
    /** What a purchase cost on average, in whole cents; null without any. */
    average_paid: z.nullable(z.number()),
    last_purchase: z.nullable(
      z.object({
        message_id: z.string(),
        title: z.string(),
        amount: z.number(),
        purchased_at: timestamp,
      }),
    ),
    /** When the fan came to be known here. */
    first_seen_at: timestamp,
    /** Messages that are kept, by who wrote them. */
    messages_from_fan: z.int(),
    messages_from_creator: z.int(),
    /** When each wrote last; null for never. */
    fan_wrote_at: z.nullable(timestamp),
    creator_wrote_at: z.nullable(timestamp),
    /** IANA name; null where the platform does not know it. */
    timezone: z.nullable(z.string()),
    /** What the fan speaks, as staff noted it, in their order. */
    languages: z.array(language),
    /** Null for who never had a trial or a subscription. */
    subscription: z.nullable(Subscription),
  })
  .check(z.meta({ id: 'FanFacts' }));
export type FanFacts = z.infer<typeof FanFacts>;

/** Something that the fan was offered, and what became of it. */
export const FanOffer = z
  .object({
    attachment_id: z.string(),
    /** The message that offers it. */
    message_id: z.string(),
    product_id: z.string(),
    title: z.string(),
    /** USD */
    price: z.number(),
    sent_at: timestamp,
    /** Null for what was not bought. */
    purchased_at: z.nullable(timestamp),
    /** Null unless the money was given back. */
    refunded_at: z.nullable(timestamp),
  })
  .check(z.meta({ id: 'FanOffer' }));
export type FanOffer = z.infer<typeof FanOffer>;

export const FanOfferKind = z.enum(['bought', 'open']);
export type FanOfferKind = z.infer<typeof FanOfferKind>;

export const getFanFacts = endpoint({
  method: 'GET',
  path: '/api/messages/admin/conversation/{id}/fan-facts',
  summary:
    'An overview of the conversation’s fan: what they paid and how many messages were written.',
  auth: 'admin',
  params: z.object({ id: lookupId }),
  replies: { 200: z.object({ data: FanFacts }) },
  errors: ['conversation_not_found'],
});

export const replaceFanLanguages = endpoint({
  method: 'PUT',
  path: '/api/messages/admin/conversation/{id}/fan-languages',
  summary: 'Replace the ordered list of languages that the conversation’s fan speaks.',
  auth: 'admin',
  permission: 'can_manage_messages',
  params: z.object({ id: lookupId }),
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

export const listFanOffers = endpoint({
  method: 'GET',
  path: '/api/messages/admin/conversation/{id}/fan-offers',
  summary:
    'What the conversation’s fan has bought, refunded or not (`bought`), or was offered and does not own (`open`); newest first.',
  auth: 'admin',
  params: z.object({ id: lookupId }),
  query: z.object({
    kind: FanOfferKind,
    cursor: z.optional(lookupId),
    limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(100)), FAN_OFFERS_PAGE_SIZE),
  }),
  replies: {
    200: z.object({
      data: z.array(FanOffer),
      /** Null on the last page. */
      next_cursor: z.nullable(z.string()),
    }),
  },
  errors: ['conversation_not_found'],
});
