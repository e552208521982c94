import * as z from 'zod/mini';
import { get, managed, post } from '../endpoint.ts';
import { fanExternalId } from '../fans/external-id.ts';
import { BenefitType } from '../fans/invites.ts';
import { PlatformMessage, ReactionEmoji } from '../messaging/messages.ts';
import { byId, dataOf, lookupId, namedObject, pageOf, timestamp } from '../primitives.ts';
import { EarningPeriod } from '../selling/earnings.ts';
import { CreatorProfile } from '../team/creator.ts';
import { PlatformFan, Purchase, Tip } from './platform.ts';

/** Fields of every conversation event. `fan` is the platform's id. */
const inConversation = { fan: fanExternalId, conversation_id: z.string() };

/** The `data` of each webhook event, by type. */
export const webhookData = {
  /** The creator sent a message. The event has the message as the fan sees it at delivery time. */
  'message.created': z.object({ ...inConversation, message: PlatformMessage }),
  /** The creator unsent a message before the fan read or bought it. */
  'message.deleted': z.object({ ...inConversation, message_id: z.string() }),
  /** Staff read the fan's messages, up to and including this one. */
  'message.read': z.object({
    ...inConversation,
    up_to_message_id: z.string(),
    read_at: timestamp,
  }),
  /** The creator added or removed a reaction. A message can have several reactions by the creator. */
  'reaction.toggled': z.object({
    ...inConversation,
    message_id: z.string(),
    action: z.enum(['added', 'removed']),
    emoji: ReactionEmoji,
  }),
  'invite.created': z.object({
    invite_id: z.string(),
    email: z.string(),
    benefit_type: BenefitType,
    created_at: timestamp,
    expires_at: timestamp,
  }),
  /** Someone joined on the welcome page: a fan that the platform did not create. */
  'invite.accepted': z.object({
    invite_id: z.string(),
    fan: PlatformFan,
    benefit_type: BenefitType,
    accepted_at: timestamp,
    benefit_ends_at: z.nullable(timestamp),
  }),
  /** A fan paid without going through the platform. */
  'purchase.recorded': Purchase,
  /** A payment that didn't go through the platform was refunded. */
  'purchase.refunded': Purchase,
  /** A fan tipped without going through the platform. */
  'tip.recorded': Tip,
  /** A tip that didn't go through the platform was refunded. */
  'tip.refunded': Tip,
  /** The creator's display name or picture changed. */
  'creator.updated': CreatorProfile,
  /** A manager closed a pay period. */
  'period.closed': EarningPeriod,
  /** An earning was corrected: a contest was accepted, or a sale, a refund or hours of a closed period were recorded late. */
  'earning.adjusted': z.object({
    id: z.string(),
    admin_id: z.string(),
    at: timestamp,
    amount: z.number(),
    note: z.nullable(z.string()),
  }),
  /** A manager requested a test event. */
  'webhook.test': z.object({ sent_by: z.string() }),
} as const;

export type WebhookType = keyof typeof webhookData;
export type WebhookData<T extends WebhookType> = z.infer<(typeof webhookData)[T]>;

/** Every event type, in documentation order. */
export const WEBHOOK_TYPES = Object.keys(webhookData) as [WebhookType, ...WebhookType[]];

/** The body of a delivery. `timestamp` is when the event happened, not when it is delivered. */
export type WebhookEvent<T extends WebhookType = WebhookType> = {
  [N in T]: { readonly type: N; readonly timestamp: string; readonly data: WebhookData<N> };
}[T];

/**
 * `waiting`: not delivered yet, will be tried again. `failed`: the last retry failed, no receiver was set for three days, or there
 * was nothing to send any more, for example because the fan was erased or the message unsent.
 */
export const DeliveryState = z.enum(['waiting', 'delivered', 'failed']);
export type DeliveryState = z.infer<typeof DeliveryState>;

/** One attempt to deliver an event. */
const attempt = z.object({
  at: timestamp,
  /** Milliseconds until the response or the timeout. */
  duration_ms: z.int(),
  /** The response's HTTP status; null without a response. */
  status: z.nullable(z.int()),
  /** The start of the response body, or the error. */
  answer: z.string(),
});
export type DeliveryAttempt = z.infer<typeof attempt>;

/** A webhook event and its delivery state. */
export const Delivery = namedObject('Delivery', {
  /** The `webhook-id` header. It is the same on every attempt, so that a receiver can detect duplicates. */
  id: z.string(),
  type: z.enum(WEBHOOK_TYPES),
  state: DeliveryState,
  conversation_id: z.nullable(z.string()),
  created_at: timestamp,
  attempts: z.int(),
  last_attempt: z.nullable(attempt),
});
export type Delivery = z.infer<typeof Delivery>;

/** The webhook’s address and delivery status. */
export const Webhook = namedObject('Webhook', {
  /** Set by PLATFORM_WEBHOOK_URL. If null, no events are stored or sent. */
  url: z.nullable(z.string()),
  waiting: z.int(),
  /** The number of failed deliveries that are still within the retention period. */
  failed: z.int(),
  last_delivered_at: z.nullable(timestamp),
  /** When the latest failed attempt was made; null if an attempt has succeeded since. */
  failing_since: z.nullable(timestamp),
});
export type Webhook = z.infer<typeof Webhook>;

const PATH = '/api/admin/platform/webhook';

export const getWebhook = get(PATH, {
  ...managed,
  summary: 'The webhook’s address and delivery status.',
  replies: { 200: z.object({ data: Webhook }) },
});

export const testWebhook = post(`${PATH}/test`, {
  ...managed,
  summary: 'Send a `webhook.test` event.',
  replies: { 201: z.object({ data: Delivery }) },
  errors: ['webhook_not_set', 'rate_limited'],
});

export const listDeliveries = get(`${PATH}/deliveries`, {
  ...managed,
  summary: 'The events of the last few days, newest first.',
  query: z.object({
    state: z.optional(DeliveryState),
    cursor: z.optional(lookupId),
    limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(200)), 50),
  }),
  replies: { 200: pageOf(Delivery) },
});

export const getDelivery = get(`${PATH}/deliveries/{id}`, {
  ...managed,
  summary: 'One event with its latest attempts, and the body that an attempt would send now.',
  params: byId,
  replies: {
    200: dataOf({
      ...Delivery.shape,
      /** JSON; null if there is nothing to send any more, for example because the fan was erased. */
      body: z.nullable(z.string()),
      /** Newest first, at most 20. */
      tries: z.array(attempt),
    }),
  },
  errors: ['delivery_not_found'],
});

export const redeliver = post(`${PATH}/deliveries/{id}/redeliver`, {
  ...managed,
  summary:
    'Redeliver an event with the same `webhook-id`. It is sent after the events of its conversation that are still waiting.',
  params: byId,
  replies: { 200: z.object({ data: Delivery }) },
  errors: ['delivery_not_found', 'delivery_waiting', 'webhook_not_set', 'rate_limited'],
});
