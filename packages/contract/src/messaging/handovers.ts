import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { Conversation } from '../inbox/conversations.ts';
import { lookupId, priceUsd, text, timestamp } from '../primitives.ts';
import { StaffMember } from '../team/staff.ts';

/** Claims that one handover passes on at most. */
export const HANDOVER_MAX = 200;
/** Longest word on the whole shift, and on one fan; UTF-16 units. */
export const HANDOVER_BRIEF_MAX_CHARS = 5_000;
export const HANDOVER_FAN_BRIEF_MAX_CHARS = 1_000;
/** Unpaid offers that are listed for one conversation, the newest. */
export const SHIFT_OFFERS_MAX = 5;
/** Promises that are listed for one conversation, the soonest due. */
export const SHIFT_PROMISES_MAX = 5;
/** As much of a draft as a shift lists, and as a handover keeps; in characters. */
export const SHIFT_DRAFT_MAX_CHARS = 500;
export const HANDOVER_DRAFT_MAX_CHARS = 2_000;
/** Handovers that are listed for whom they are meant, the newest. */
export const HANDOVERS_LISTED_MAX = 30;

/** What the fan was promised and is not done, the soonest due first. */
const openPromises = z.array(z.object({ id: z.string(), text: z.string(), due_at: timestamp }));

/** A conversation that one has claimed, with what is open in it. */
export const ShiftItem = z
  .object({
    conversation: Conversation,
    /** What the fan was offered and has not bought, the newest first. */
    unpaid_offers: z.array(
      z.object({
        attachment_id: z.string(),
        title: z.string(),
        price: priceUsd,
        sent_at: timestamp,
      }),
    ),
    /** What the caller began to write and did not send, or its beginning; null for nothing. */
    draft: z.nullable(z.string()),
    promises: openPromises,
  })
  .check(z.meta({ id: 'ShiftItem' }));
export type ShiftItem = z.infer<typeof ShiftItem>;

/** What one of the staff passed on at the end of a shift. */
export const Handover = z
  .object({
    id: z.string(),
    from: StaffMember,
    /** Who has the claims since; null where they were released. */
    to: z.nullable(StaffMember),
    /** What is to be known of the shift. */
    brief: z.string(),
    items: z.array(
      z.object({
        conversation_id: z.string(),
        fan: z.object({
          first_name: z.nullable(z.string()),
          last_name: z.nullable(z.string()),
          username: z.nullable(z.string()),
          email: z.nullable(z.string()),
          avatar_url: z.nullable(z.string()),
        }),
        /** What is to be known of this fan. */
        brief: z.string(),
        /** What the giver had begun to write by then, or its beginning; null for nothing, and where the claims were released. */
        draft: z.nullable(z.string()),
        /** As they are now. */
        promises: openPromises,
      }),
    ),
    created_at: timestamp,
    /** When who has them now saw it; null: not yet. */
    accepted_at: z.nullable(timestamp),
  })
  .check(z.meta({ id: 'Handover' }));
export type Handover = z.infer<typeof Handover>;

const brief = (max: number) => z._default(text(max).check(z.trim()), '');

export const getShift = endpoint({
  method: 'GET',
  path: '/api/messages/admin/shift',
  summary: 'The conversations that the caller has claimed, with the open items in each.',
  auth: 'admin',
  replies: {
    200: z.object({
      data: z.object({
        items: z.array(ShiftItem),
        /** How many there are, also beyond those that one handover passes on. */
        total: z.int(),
      }),
    }),
  },
});

export const handOver = endpoint({
  method: 'POST',
  path: '/api/messages/admin/handovers',
  summary:
    'Hand over claims to a teammate, or release them: all the given ones or none. 201 for a new handover; 200 with the existing one if the `client_id` was used before. Audited.',
  auth: 'admin',
  permission: 'can_manage_messages',
  body: z.strictObject({
    client_id: text(128).check(z.minLength(1)),
    /** Who gets the claims; null releases them. */
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

export const listHandovers = endpoint({
  method: 'GET',
  path: '/api/messages/admin/handovers',
  summary: 'Handovers to the caller: those not yet accepted first, then newest first.',
  auth: 'admin',
  replies: { 200: z.object({ data: z.array(Handover) }) },
});

export const acceptHandover = endpoint({
  method: 'POST',
  path: '/api/messages/admin/handovers/{id}/accept',
  summary: 'Accept a handover. Accepting it again changes nothing.',
  auth: 'admin',
  params: z.object({ id: lookupId }),
  replies: { 200: z.object({ data: Handover }) },
  errors: ['handover_not_found'],
});
