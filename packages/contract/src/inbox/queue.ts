import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { SubscriptionStatus } from '../fans/subscriptions.ts';
import { lookupId, timestamp } from '../primitives.ts';
import { Conversation } from './conversations.ts';

/** Conversations that one admin may have pinned. */
export const PINS_MAX = 20;
/** A snooze ends within so many days. */
export const SNOOZE_MAX_DAYS = 366;
/** Conversations that one call for the next may leave out. */
export const NEXT_SKIP_MAX = 50;

/** Why a conversation is the next one: a kind, and its figures. */
export const NextReason = z.union([
  /** The fan waits for an answer since then. */
  z.object({ kind: z.literal('waiting'), since: timestamp }),
  /** The caller had claimed it before. */
  z.object({ kind: z.literal('mine') }),
  /** What the fan has of the creator ends within three days. */
  z.object({ kind: z.literal('ends'), status: SubscriptionStatus, ends_at: timestamp }),
  /** Of so many products that the fan was offered they bought so many. */
  z.object({ kind: z.literal('bought'), bought: z.int(), offered: z.int() }),
]);
export type NextReason = z.infer<typeof NextReason>;

const writes = { auth: 'admin', permission: 'can_manage_messages' } as const;
const params = z.object({ id: lookupId });
const conversationReply = { 200: z.object({ data: Conversation }) };
const PATH = '/api/messages/admin/conversation/{id}';

export const nextConversation = endpoint({
  ...writes,
  method: 'POST',
  path: '/api/messages/admin/inbox/next',
  summary:
    'Claim the next conversation to answer, with the reasons why it is next. Concurrent callers never get the same one. `skip`: conversations that the caller has skipped.',
  body: z.optional(
    z.nullable(
      z.strictObject({
        skip: z.optional(z.array(lookupId).check(z.maxLength(NEXT_SKIP_MAX))),
      }),
    ),
  ),
  replies: {
    200: z.object({
      /** Null where nobody waits. */
      data: z.nullable(Conversation),
      reasons: z.array(NextReason),
      /** Whether this call claimed it; not so where the caller held it before. */
      claimed: z.boolean(),
    }),
  },
});

export const markUnread = endpoint({
  ...writes,
  method: 'POST',
  path: `${PATH}/unread`,
  summary:
    'Mark a conversation as unread for everyone, until it is read. An unread conversation stays unchanged.',
  params,
  replies: conversationReply,
  errors: ['conversation_not_found'],
});

export const snooze = endpoint({
  ...writes,
  method: 'PUT',
  path: `${PATH}/snooze`,
  summary:
    'Snooze a conversation for everyone: until a time or, with null, until the fan writes. A message from the fan ends any snooze.',
  params,
  body: z.strictObject({ until: z.nullable(timestamp) }),
  replies: conversationReply,
  errors: ['conversation_not_found'],
});

export const unsnooze = endpoint({
  ...writes,
  method: 'DELETE',
  path: `${PATH}/snooze`,
  summary: 'End a conversation’s snooze. A conversation that is not snoozed stays unchanged.',
  params,
  replies: conversationReply,
  errors: ['conversation_not_found'],
});

const pinsReply = {
  200: z.object({
    /** All that the caller has pinned, the newest pin first. */
    data: z.array(Conversation),
  }),
};

export const listPins = endpoint({
  auth: 'admin',
  method: 'GET',
  path: '/api/messages/admin/pins',
  summary: 'The conversations that the caller has pinned.',
  replies: pinsReply,
});

export const pin = endpoint({
  auth: 'admin',
  method: 'PUT',
  path: `${PATH}/pin`,
  summary: `Pin a conversation for the caller; at most ${PINS_MAX}.`,
  params,
  replies: pinsReply,
  errors: ['conversation_not_found', 'too_many_pins'],
});

export const unpin = endpoint({
  auth: 'admin',
  method: 'DELETE',
  path: `${PATH}/pin`,
  summary: 'Unpin a conversation. Unpinning one that is not pinned changes nothing.',
  params,
  replies: pinsReply,
  errors: ['conversation_not_found'],
});
