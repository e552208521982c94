import * as z from 'zod/mini';
import { get, post } from '../endpoint.ts';
import { FanCaption } from '../fans/profile.ts';
import { Conversation } from '../inbox/conversations.ts';
import { byId, dataOf, lookupId, namedObject, priceUsd, text, timestamp } from '../primitives.ts';
import { StaffMember } from '../team/staff.ts';

/** The maximum number of claims in one handover. */
export const HANDOVER_MAX = 200;
/** The maximum length of a note on the whole shift, and of a note on one fan; UTF-16 units. */
export const HANDOVER_BRIEF_MAX_CHARS = 5_000;
export const HANDOVER_FAN_BRIEF_MAX_CHARS = 1_000;
/** The maximum number of unpaid offers listed per conversation, newest first. */
export const SHIFT_OFFERS_MAX = 5;
/** The maximum number of promises listed per conversation, soonest due first. */
export const SHIFT_PROMISES_MAX = 5;
/** The maximum length of a draft in a list of claims, and in a handover, in characters. Longer drafts are truncated. */
export const SHIFT_DRAFT_MAX_CHARS = 500;
export const HANDOVER_DRAFT_MAX_CHARS = 2_000;
/** The maximum number of handovers listed for their recipient: those not yet accepted first, then the newest. */
export const HANDOVERS_LISTED_MAX = 30;

/** The open promises to the fan, soonest due first. */
const openPromises = z.array(z.object({ id: z.string(), text: z.string(), due_at: timestamp }));

/** A conversation that the caller has claimed, with its open work. */
export const ShiftItem = namedObject('ShiftItem', {
  conversation: Conversation,
  /** Offers that the fan hasn't bought, newest first. */
  unpaid_offers: z.array(
    z.object({
      attachment_id: z.string(),
      title: z.string(),
      price: priceUsd,
      sent_at: timestamp,
    }),
  ),
  /** The caller's draft, possibly truncated, or null. */
  draft: z.nullable(z.string()),
  promises: openPromises,
});
export type ShiftItem = z.infer<typeof ShiftItem>;

/** Claims that one admin handed over at the end of a shift. */
export const Handover = namedObject('Handover', {
  id: z.string(),
  from: StaffMember,
  /** The admin who received the claims; null if they were released. */
  to: z.nullable(StaffMember),
  /** Notes on the shift. */
  brief: z.string(),
  items: z.array(
    z.object({
      conversation_id: z.string(),
      fan: FanCaption,
      /** Notes on this fan. */
      brief: z.string(),
      /** The sender's draft at the handover, possibly truncated; null if there was none or the claims were released. */
      draft: z.nullable(z.string()),
      /** The promises that are open now, not at the handover. */
      promises: openPromises,
    }),
  ),
  created_at: timestamp,
  /** When the recipient accepted it; null if not yet. */
  accepted_at: z.nullable(timestamp),
});
export type Handover = z.infer<typeof Handover>;

const brief = (max: number) => z._default(text(max).check(z.trim()), '');

export const getShift = get('/api/messages/admin/shift', {
  summary: 'The conversations that the caller has claimed, with the open items in each.',
  auth: 'admin',
  replies: {
    200: dataOf({
      items: z.array(ShiftItem),
      /** All claims, including those beyond the limit of one handover. */
      total: z.int(),
    }),
  },
});

export const handOver = post('/api/messages/admin/handovers', {
  isWork: false,
  summary:
    'Hand over claims to a teammate, or release them: all the given ones or none. 201 for a new handover; 200 with the existing one if the `client_id` was used before. Audited.',
  auth: 'admin',
  permission: 'can_manage_messages',
  body: z.strictObject({
    client_id: text(128).check(z.minLength(1)),
    /** The recipient of the claims; null releases them. */
    to: z.nullable(lookupId),
    brief: brief(HANDOVER_BRIEF_MAX_CHARS),
    items: z
      .array(
        z.strictObject({
          conversation_id: lookupId,
          brief: brief(HANDOVER_FAN_BRIEF_MAX_CHARS),
        }),
      )
      .check(z.minLength(1), z.maxLength(HANDOVER_MAX)),
  }),
  replies: { 200: z.object({ data: Handover }), 201: z.object({ data: Handover }) },
  errors: ['colleague_unavailable', 'claims_changed', 'idempotency_conflict'],
});

export const listHandovers = get('/api/messages/admin/handovers', {
  summary: 'Handovers to the caller: those not yet accepted first, then newest first.',
  auth: 'admin',
  replies: { 200: z.object({ data: z.array(Handover) }) },
});

export const acceptHandover = post('/api/messages/admin/handovers/{id}/accept', {
  isAct: true,
  summary: 'Accept a handover. Accepting it again changes nothing.',
  auth: 'admin',
  params: byId,
  replies: { 200: z.object({ data: Handover }) },
  errors: ['handover_not_found'],
});
