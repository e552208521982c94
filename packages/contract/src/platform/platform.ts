import * as z from 'zod/mini';
import { del, get, post, put } from '../endpoint.ts';
import { fanExternalId } from '../fans/external-id.ts';
import { eachProfileField, FanProfile, type ProfileField } from '../fans/profile.ts';
import { Subscription, SubscriptionStatus } from '../fans/subscriptions.ts';
import { FanVisibleAttachment } from '../media.ts';
import {
  idempotencyKey,
  MESSAGE_MAX_CHARS,
  PlatformMessage,
  Reaction,
  ReactionEmoji,
} from '../messaging/messages.ts';
import {
  dataOf,
  emailAddress,
  lookupId,
  namedObject,
  priceUsd,
  schemaNames,
  text,
  timestamp,
  timeZone,
} from '../primitives.ts';
import { tipInput } from '../selling/tips.ts';

const fanPath = z.object({ fan: fanExternalId });

const name = text(200);

const webUrl = z
  .url({ protocol: /^https?$/, error: 'Must be an http or https URL' })
  .check(z.maxLength(2048, 'Must be at most 2048 characters'));

/** The names that Intl accepts besides IANA’s. Some mean another zone than expected, such as BST: Asia/Dhaka. */
const NOT_IANA =
  /^(SystemV\/.*|US\/Pacific-New|ACT|AET|AGT|ART|AST|BET|BST|CAT|CNT|CST|CTT|EAT|ECT|IET|IST|JST|MIT|NET|NST|PLT|PNT|PRT|PST|SST|VST)$/i;

const PROFILE_INPUT = {
  first_name: name,
  last_name: name,
  username: name,
  email: emailAddress,
  avatar_url: webUrl,
  timezone: timeZone.check(z.refine((value) => !NOT_IANA.test(value), 'Must be an IANA time zone')),
} satisfies Record<ProfileField, unknown>;

/** A fan's profile as sent by the platform. An omitted field keeps its value; null clears it. */
export const FanProfileInput = z.strictObject(
  eachProfileField((field) => z.optional(z.nullable(PROFILE_INPUT[field]))),
);
export type FanProfileInput = z.infer<typeof FanProfileInput>;

/** A fan's profile as the platform sees it, without any staff data. */
export const PlatformFan = z
  .extend(FanProfile, {
    id: z.string(),
    external_id: z.string(),
    conversation_id: z.string(),
    created_at: timestamp,
  })
  .register(schemaNames, { id: 'PlatformFan' });
export type PlatformFan = z.infer<typeof PlatformFan>;

const fanReply = z.object({ data: PlatformFan });
const messageReply = z.object({ data: PlatformMessage });

export const putFan = put('/api/platform/fans/{fan}', {
  summary: 'Create or update a fan. A new fan gets their one conversation with the creator.',
  auth: 'platform',
  params: fanPath,
  body: FanProfileInput,
  replies: { 200: fanReply, 201: fanReply },
});

export const postFanMessage = post('/api/platform/fans/{fan}/messages', {
  summary:
    'Send a message from a fan. A retry with the same `client_id` and payload returns the same message.',
  auth: 'platform',
  params: fanPath,
  body: z.strictObject({
    client_id: idempotencyKey,
    content: text(MESSAGE_MAX_CHARS),
    attachment_ids: z.optional(z.array(lookupId).check(z.maxLength(20))),
    reply_to_message_id: z.optional(z.nullable(lookupId)),
  }),
  replies: { 200: messageReply, 201: messageReply },
  errors: ['fan_not_found', 'message_not_found', 'invalid_attachment', 'idempotency_conflict'],
});

/** Multipart: repeated `files`. */
export const uploadFanFiles = post('/api/platform/fans/{fan}/uploads', {
  summary: 'Upload files for a fan’s message: multipart with repeated `files`.',
  auth: 'platform',
  params: fanPath,
  upload: true,
  replies: { 201: z.object({ attachments: z.array(FanVisibleAttachment) }) },
  errors: ['fan_not_found', 'invalid_file', 'payload_too_large', 'storage_full'],
});

export const Purchase = namedObject('Purchase', {
  id: z.string(),
  /** The platform's id for the fan. */
  fan: z.string(),
  message_id: z.string(),
  attachment_id: z.string(),
  amount: z.number(),
  payment_reference: z.string(),
  purchased_at: timestamp,
  refunded_at: z.nullable(timestamp),
});
export type Purchase = z.infer<typeof Purchase>;

const paymentReference = text(200).check(z.minLength(1));
/** An instant from 2000 to 9999 in UTC. The upper bound is checked because an offset can push December 31, 9999 into 10000. */
const instant = z.iso.datetime({ offset: true, abort: true }).check(
  z.refine((value) => Date.parse(value) >= Date.UTC(2000), 'Must be in 2000 or later'),
  z.refine((value) => Date.parse(value) < Date.UTC(10_000), 'Must be before the year 10000'),
);
/** An instant that is not in the future. The platform's clock may be five minutes ahead; such an instant counts as now. */
const pastInstant = instant.check(
  z.refine((value) => Date.parse(value) <= Date.now() + 300_000, 'Must not be in the future'),
  z.overwrite((value) => (Date.parse(value) > Date.now() ? new Date().toISOString() : value)),
);
const purchaseReply = z.object({ data: Purchase });

export const recordPurchase = post('/api/platform/purchases', {
  summary:
    'Record a fan’s payment for the product that a message offers. This unlocks the product in every message. A retry with the same `payment_reference` returns the same purchase.',
  auth: 'platform',
  body: z.strictObject({
    fan: fanExternalId,
    message_id: lookupId,
    attachment_id: lookupId,
    amount: priceUsd,
    payment_reference: paymentReference,
    purchased_at: z.optional(pastInstant),
  }),
  replies: { 200: purchaseReply, 201: purchaseReply },
  errors: [
    'fan_not_found',
    'message_not_found',
    'attachment_not_found',
    'amount_mismatch',
    'already_purchased',
    'already_owned',
    'idempotency_conflict',
  ],
});

export const Tip = namedObject('Tip', {
  id: z.string(),
  /** The platform's id for the fan. */
  fan: z.string(),
  amount: z.number(),
  message: z.nullable(z.string()),
  payment_reference: z.string(),
  tipped_at: timestamp,
  refunded_at: z.nullable(timestamp),
});
export type Tip = z.infer<typeof Tip>;

const tipReply = z.object({ data: Tip });

export const recordTip = post('/api/platform/tips', {
  summary:
    'Record a fan’s tip. A retry with the same `payment_reference` returns the same tip. The admin who wrote to the fan last, within 24 hours before, gets the credit.',
  auth: 'platform',
  body: z.strictObject({
    fan: fanExternalId,
    ...tipInput,
    payment_reference: paymentReference,
    tipped_at: z.optional(pastInstant),
  }),
  replies: { 200: tipReply, 201: tipReply },
  errors: ['fan_not_found', 'idempotency_conflict'],
});

export const recordRefund = post('/api/platform/refunds', {
  summary:
    'Record a refund of a purchase or a tip. A product locks again, unless another payment for it remains. A retry changes nothing.',
  auth: 'platform',
  body: z.strictObject({
    payment_reference: paymentReference,
    refunded_at: z.optional(pastInstant),
  }),
  replies: { 200: z.object({ data: z.union([Purchase, Tip]) }) },
  errors: ['purchase_not_found'],
});

export const listFanMessages = get('/api/platform/fans/{fan}/messages', {
  summary: 'The conversation as the fan sees it, newest first.',
  auth: 'platform',
  params: fanPath,
  query: z.strictObject({
    before: z.optional(lookupId),
    limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(100)), 50),
  }),
  replies: { 200: z.object({ data: z.array(PlatformMessage) }) },
  errors: ['fan_not_found', 'message_not_found'],
});

export const postFanRead = post('/api/platform/fans/{fan}/read', {
  summary: 'Mark the creator’s messages as read by the fan, up to and including the given one.',
  auth: 'platform',
  params: fanPath,
  body: z.strictObject({ up_to_message_id: lookupId }),
  replies: {
    200: dataOf({
      read_at: timestamp,
      /** The number of messages that this call marked. */
      count: z.int(),
    }),
  },
  errors: ['fan_not_found', 'message_not_found'],
});

export const postFanReaction = post('/api/platform/fans/{fan}/reactions', {
  summary: 'Toggle a fan’s reaction: the same emoji removes it, a different one replaces it.',
  auth: 'platform',
  params: fanPath,
  body: z.strictObject({ message_id: lookupId, emoji: ReactionEmoji }),
  replies: {
    200: dataOf({ action: z.enum(['added', 'removed']), reaction: Reaction }),
  },
  errors: ['fan_not_found', 'message_not_found'],
});

export const eraseFan = del('/api/platform/fans/{fan}', {
  summary:
    'Erase a fan’s personal data, messages and files. Sales stay in the totals without a name.',
  auth: 'platform',
  params: fanPath,
  replies: { 204: null },
  errors: ['fan_not_found'],
});

/** Matches an http or https origin as browsers write it: lower case, without path or credentials. */
const WEB_ORIGIN = /^https?:\/\/([a-z0-9-]+(\.[a-z0-9-]+)*|\[[0-9a-f:]+\])(:\d{1,5})?$/;

export const createFanSession = post('/api/platform/fans/{fan}/sessions', {
  summary:
    'Create a link that signs the fan in to the fan client. It is valid for ten minutes. Give it only to the fan.',
  auth: 'platform',
  params: fanPath,
  body: z.optional(
    z.nullable(
      z.strictObject({
        /** The origin of the page that embeds the client, for example `https://fans.example`. Without it, embedding is blocked. */
        embed_origin: z.optional(
          z
            .string()
            .check(
              z.maxLength(300),
              z.regex(WEB_ORIGIN, 'Must be an origin, such as https://fans.example'),
            ),
        ),
        /** The platform's payment page, if the platform takes payments. `message_id`, `attachment_id` and `amount` are appended. */
        checkout_url: z.optional(webUrl),
      }),
    ),
  ),
  replies: {
    201: dataOf({
      url: z.string(),
      /** The link's secret, for a client built by the platform. */
      link: z.string(),
      expires_at: timestamp,
    }),
  },
  errors: ['fan_not_found'],
});

export const endFanSessions = del('/api/platform/fans/{fan}/sessions', {
  summary: 'End all of a fan’s sessions in the fan client and invalidate the fan’s session links.',
  auth: 'platform',
  params: fanPath,
  replies: { 204: null },
  errors: ['fan_not_found'],
});

export const putSubscription = put('/api/platform/fans/{fan}/subscription', {
  summary: 'Set the fan’s trial or subscription; a null status means neither.',
  auth: 'platform',
  params: fanPath,
  body: z.strictObject({
    status: z.nullable(SubscriptionStatus),
    /** Null or omitted: no end. */
    ends_at: z.optional(z.nullable(instant)),
  }),
  replies: { 200: dataOf({ subscription: z.nullable(Subscription) }) },
  errors: ['fan_not_found'],
});

export const getCreator = get('/api/platform/creator', {
  summary: 'Get the creator’s display name and picture as fans see them.',
  auth: 'platform',
  replies: {
    200: dataOf({
      id: z.string(),
      display_name: z.string(),
      avatar_url: z.nullable(z.string()),
    }),
  },
});
