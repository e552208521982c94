import * as z from 'zod/mini';
import { del, get, post, put } from '../endpoint.ts';
import { SubscriptionStatus } from '../fans/subscriptions.ts';
import { byId, lookupId, timestamp } from '../primitives.ts';
import { Conversation, conversationReply } from './conversations.ts';

/** The maximum number of pins per admin. */
export const PINS_MAX = 20;
/** The longest snooze, in days. */
export const SNOOZE_MAX_DAYS = 366;
/** The maximum number of conversations that one request for the next conversation can skip. */
export const NEXT_SKIP_MAX = 50;

/** A reason why a conversation comes next, with the data behind it. */
export const NextReason = z.union([
  /** The fan has been waiting for a reply, since this time. */
  z.object({ kind: z.literal('waiting'), since: timestamp }),
  /** The caller had already claimed it. */
  z.object({ kind: z.literal('mine') }),
  /** The fan's trial or subscription ends within three days. */
  z.object({ kind: z.literal('ends'), status: SubscriptionStatus, ends_at: timestamp }),
  /** The number of products that the fan was offered, and how many the fan bought. */
  z.object({ kind: z.literal('bought'), bought: z.int(), offered: z.int() }),
]);
export type NextReason = z.infer<typeof NextReason>;

const writes = { auth: 'admin', permission: 'can_manage_messages' } as const;
const PATH = '/api/messages/admin/conversation/{id}';

export const nextConversation = post('/api/messages/admin/inbox/next', {
  isAct: true,
  ...writes,
  summary:
    'Claim the next conversation to answer. The reply says why it is next. Concurrent callers never get the same one. `skip`: conversations that the caller has skipped. `segment`: only fans in this segment.',
  body: z.optional(
    z.nullable(
      z.strictObject({
        skip: z.optional(z.array(lookupId).check(z.maxLength(NEXT_SKIP_MAX))),
        segment: z.optional(lookupId),
      }),
    ),
  ),
  replies: {
    200: z.object({
      /** Null if no fan is waiting. */
      data: z.nullable(Conversation),
      reasons: z.array(NextReason),
      /** Whether this call claimed it; false if the caller had claimed it before. */
      claimed: z.boolean(),
    }),
  },
  errors: ['segment_not_found', 'segment_too_slow'],
});

export const markUnread = post(`${PATH}/unread`, {
  isAct: true,
  ...writes,
  summary:
    'Mark a conversation as unread for everyone, until it is read. An unread conversation stays unchanged.',
  params: byId,
  replies: conversationReply,
  errors: ['conversation_not_found'],
});

export const snooze = put(`${PATH}/snooze`, {
  isAct: true,
  ...writes,
  summary:
    'Snooze a conversation for everyone: until a time or, with null, until the fan writes. A message from the fan ends any snooze.',
  params: byId,
  body: z.strictObject({ until: z.nullable(timestamp) }),
  replies: conversationReply,
  errors: ['conversation_not_found'],
});

export const unsnooze = del(`${PATH}/snooze`, {
  isAct: true,
  ...writes,
  summary: 'End a conversation’s snooze. A conversation that is not snoozed stays unchanged.',
  params: byId,
  replies: conversationReply,
  errors: ['conversation_not_found'],
});

const pinsReply = {
  200: z.object({
    /** All of the caller's pinned conversations, newest pin first. */
    data: z.array(Conversation),
  }),
};

export const listPins = get('/api/messages/admin/pins', {
  auth: 'admin',
  summary: 'List the conversations that the caller has pinned.',
  replies: pinsReply,
});

export const pin = put(`${PATH}/pin`, {
  isWork: false,
  auth: 'admin',
  summary: `Pin a conversation for the caller; at most ${PINS_MAX}.`,
  params: byId,
  replies: pinsReply,
  errors: ['conversation_not_found', 'too_many_pins'],
});

export const unpin = del(`${PATH}/pin`, {
  isWork: false,
  auth: 'admin',
  summary: 'Unpin a conversation. Unpinning one that is not pinned changes nothing.',
  params: byId,
  replies: pinsReply,
  errors: ['conversation_not_found'],
});
