import * as z from 'zod/mini';
import { del, get, post } from '../endpoint.ts';
import { BenefitType } from '../fans/invites.ts';
import { Subscription } from '../fans/subscriptions.ts';
import { FanVisibleAttachment } from '../media.ts';
import {
  FanVisibleMessage,
  idempotencyKey,
  MESSAGE_PAGE_MAX,
  MESSAGE_PAGE_SIZE,
} from '../messaging/messages.ts';
import { dataOf, lookupId, namedObject, requiredText, text, timestamp } from '../primitives.ts';
import { ThreadTip, tipInput } from '../selling/tips.ts';
import { CreatorProfile } from '../team/creator.ts';
import { postFanMessage, postFanReaction, postFanRead } from './platform.ts';

export const FAN_LINK_MINUTES = 10;
/** The days without use after which a fan's session ends, and the maximum lifetime of a session in days. */
export const FAN_SESSION_IDLE_DAYS = 7;
export const FAN_SESSION_DAYS = 30;

/** A fan's session in one browser. Its token gives access to that fan's conversation only. */
export const FanSession = namedObject('FanSession', { token: z.string(), expires_at: timestamp });
export type FanSession = z.infer<typeof FanSession>;

/** How a fan pays: on the platform's pages, through Stripe or, on a test installation, with a test card. */
export const PaymentProvider = z.enum(['platform', 'stripe', 'test_card']);
export type PaymentProvider = z.infer<typeof PaymentProvider>;

/** Everything that the fan client shows apart from the messages. */
export const FanHome = namedObject('FanHome', {
  fan: z.object({ id: z.string(), first_name: z.nullable(z.string()) }),
  conversation_id: z.string(),
  creator: CreatorProfile,
  /** The number of the creator's messages that the fan hasn't read. */
  unread_count: z.int(),
  subscription: z.nullable(Subscription),
  payment: PaymentProvider,
  /** The fan's newest tips that were not refunded (at most 500), oldest first. */
  tips: z.array(ThreadTip),
});
export type FanHome = z.infer<typeof FanHome>;

const own = { auth: 'fan' } as const;
const messageReply = z.object({ data: FanVisibleMessage });

export const openFanSession = post('/api/fan/sessions', {
  summary:
    'Exchange the token of a session link for a session. Until the link expires, exchanging it again ends the previous session.',
  auth: 'none',
  body: z.strictObject({ link: lookupId }),
  replies: { 201: z.object({ data: FanSession }) },
  errors: ['invalid_link', 'rate_limited'],
});

export const endFanSession = del('/api/fan/sessions/current', {
  ...own,
  summary: 'End the session.',
  replies: { 204: null },
});

export const getFanHome = get('/api/fan/me', {
  ...own,
  summary: 'The fan, the creator as fans see them, and the unread count.',
  replies: { 200: z.object({ data: FanHome }) },
});

export const listOwnMessages = get('/api/fan/messages', {
  ...own,
  summary:
    'A page of the fan’s conversation: the newest messages, or those just before the given one.',
  query: z.strictObject({
    before: z.optional(lookupId),
    limit: z._default(
      z.coerce.number().check(z.int(), z.gte(1), z.lte(MESSAGE_PAGE_MAX)),
      MESSAGE_PAGE_SIZE,
    ),
  }),
  replies: {
    200: z.object({
      /** Ascending by `seq`. */
      data: z.array(FanVisibleMessage),
      /** The page's messages that the creator has unsent. They count toward the limit and can be given as `before`. */
      unsent: z.array(z.object({ id: z.string(), seq: z.int() })),
      /** Whether older messages exist. */
      has_more: z.boolean(),
      /** The conversation's `version` when this page was read. */
      version: z.int(),
    }),
  },
  errors: ['message_not_found'],
});

export const sendOwnMessage = post('/api/fan/messages', {
  ...own,
  summary:
    'Send a message to the creator. A retry with the same `client_id` and payload returns the same message.',
  body: postFanMessage.body,
  replies: { 200: messageReply, 201: messageReply },
  errors: ['message_not_found', 'invalid_attachment', 'idempotency_conflict', 'rate_limited'],
});

/** Multipart: repeated `files`. */
export const uploadOwnFiles = post('/api/fan/uploads', {
  ...own,
  summary: 'Upload files for a message: multipart with repeated `files`.',
  upload: true,
  replies: { 201: z.object({ attachments: z.array(FanVisibleAttachment) }) },
  errors: ['invalid_file', 'payload_too_large', 'storage_full', 'rate_limited'],
});

export const readOwnMessages = post('/api/fan/read', {
  ...own,
  summary: 'Mark the creator’s messages as read by the fan, up to and including the given one.',
  body: postFanRead.body,
  replies: postFanRead.replies,
  errors: ['message_not_found'],
});

export const reactAsFan = post('/api/fan/reactions', {
  ...own,
  summary: 'Toggle a reaction: the same emoji removes it, a different one replaces it.',
  body: postFanReaction.body,
  replies: postFanReaction.replies,
  errors: ['message_not_found', 'rate_limited'],
});

const offer = { message_id: lookupId, attachment_id: lookupId };

const checkoutReply = dataOf({
  provider: PaymentProvider,
  /** The URL of the payment page; null if the fan pays with a test card or through the page that embeds the client. */
  url: z.nullable(z.string()),
  /** USD. */
  amount: z.number(),
});

export const startCheckout = post('/api/fan/checkouts', {
  ...own,
  summary: 'Start a checkout for the product that a message offers, at that message’s price.',
  body: z.strictObject(offer),
  replies: { 200: checkoutReply },
  errors: [
    'message_not_found',
    'attachment_not_found',
    'already_purchased',
    'already_owned',
    'payment_unavailable',
    'rate_limited',
  ],
});

export const payWithTestCard = post('/api/fan/test-payments', {
  ...own,
  summary:
    'Pay with a test card, if the installation only takes test cards: 4242 4242 4242 4242 is accepted, all others are declined.',
  body: z.strictObject({
    ...offer,
    client_id: idempotencyKey,
    card_number: text(30),
  }),
  replies: { 200: messageReply, 201: messageReply },
  errors: [
    'message_not_found',
    'attachment_not_found',
    'already_purchased',
    'already_owned',
    'card_declined',
    'payment_unavailable',
    'idempotency_conflict',
    'rate_limited',
  ],
});

/** A retry repeats the `client_id`. A second tip needs a new `client_id`, even if the amount is the same. */
const tip = { ...tipInput, client_id: idempotencyKey };

export const startTipCheckout = post('/api/fan/tip-checkouts', {
  ...own,
  summary: 'Start a checkout for a tip.',
  body: z.strictObject(tip),
  replies: { 200: checkoutReply },
  errors: ['payment_unavailable', 'rate_limited'],
});

const tipReply = z.object({ data: ThreadTip });

export const tipWithTestCard = post('/api/fan/test-tips', {
  ...own,
  summary: 'Tip with a test card, if the installation only takes test cards.',
  body: z.strictObject({ ...tip, card_number: text(30) }),
  replies: { 200: tipReply, 201: tipReply },
  errors: ['card_declined', 'payment_unavailable', 'idempotency_conflict', 'rate_limited'],
});

/** An invitation as the welcome page shows it. */
export const Invitation = namedObject('Invitation', {
  creator: CreatorProfile,
  benefit_type: BenefitType,
  expires_at: timestamp,
  /** Whether someone has joined with this link on the welcome page. The same link signs that fan in again. */
  joined: z.boolean(),
});
export type Invitation = z.infer<typeof Invitation>;

const byToken = z.object({ token: lookupId });

export const showInvitation = get('/api/fan/invitations/{token}', {
  summary: 'What an invitation offers. Reading it changes nothing.',
  auth: 'none',
  params: byToken,
  replies: { 200: z.object({ data: Invitation }) },
  errors: ['invite_not_found', 'invite_used', 'invite_expired', 'rate_limited'],
});

export const openInvitation = post('/api/fan/invitations/{token}/open', {
  summary: 'Record that a person opened the welcome page, and notify staff.',
  auth: 'none',
  params: byToken,
  replies: { 204: null },
  errors: ['invite_not_found', 'invite_used', 'invite_expired', 'rate_limited'],
});

export const joinByInvitation = post('/api/fan/invitations/{token}/join', {
  summary:
    'Accept an invitation on the welcome page: creates the fan once, grants the benefit and opens a session. Until the invitation expires, the same link signs the same fan in again.',
  auth: 'none',
  params: byToken,
  body: z.strictObject({ first_name: requiredText(100, 'Please enter your name') }),
  replies: {
    200: z.object({ data: FanSession }),
    201: z.object({ data: FanSession }),
  },
  errors: ['invite_not_found', 'invite_used', 'invite_expired', 'rate_limited'],
});
