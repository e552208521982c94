import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { Fan } from '../fans/fans.ts';
import { lookupId, text, timestamp, timeZone } from '../primitives.ts';
import { StaffMember } from '../team/staff.ts';

/** Conversations on a page unless the caller says otherwise, and the step of the inbox's infinite scroll. */
export const INBOX_PAGE_SIZE = 20;
export const INBOX_PAGE_MAX = 200;

/** Searching starts at this many characters of the trimmed query; message bodies are searched from one more. */
export const SEARCH_MIN_CHARS = 2;
export const SEARCH_BODY_MIN_CHARS = 3;
/** Conversations in a search reply, newest first. */
export const SEARCH_LIMIT = 50;

export const ConversationStatus = z.enum(['active', 'archived', 'flagged']);
export type ConversationStatus = z.infer<typeof ConversationStatus>;

/**
 * The parts of a conversation that messages and reads change. `version` rises by one with every change of the
 * conversation; a client keeps the highest that it has seen and drops older states.
 */
const conversationState = {
  id: z.string(),
  version: z.int(),
  /** The `seq` of the newest message; 0 without one. Messages of a conversation are numbered 1, 2, 3, … without a gap. */
  last_seq: z.int(),
  status: ConversationStatus,
  /** The fan's messages that staff have not read; 1 where there are none and staff marked it as unread. */
  unread_count: z.int(),
  /** Whether staff marked it as unread. Reading it, answering it and the fan's next message end that. */
  marked_unread: z.boolean(),
  /** When the newest message came. Before the first: when the fan joined by an invitation, or null where they did not. */
  last_message_at: z.nullable(timestamp),
  last_message_content: z.nullable(z.string()),
  /** When the fan wrote the oldest message that has no answer yet; null when the creator wrote last. */
  waiting_since: z.nullable(timestamp),
  /** That it was put off, until a time or (null) until the fan writes, which ends every snooze; null: it was not. */
  snooze: z.nullable(z.object({ until: z.nullable(timestamp) })),
};

export const ConversationState = z
  .object(conversationState)
  .check(z.meta({ id: 'ConversationState' }));
export type ConversationState = z.infer<typeof ConversationState>;

/** The one conversation between the creator and a fan. */
export const Conversation = z
  .object({
    ...conversationState,
    fan_id: z.string(),
    creator_id: z.string(),
    fan: Fan,
    /** The id of the admin who holds it. */
    claimed_by: z.nullable(z.string()),
    /** Who that is, for showing. */
    claimant: z.nullable(StaffMember),
    created_at: timestamp,
  })
  .check(z.meta({ id: 'Conversation' }));
export type Conversation = z.infer<typeof Conversation>;

/**
 * `unread` leaves out what is snoozed. `needs_reply` are the active conversations whose fan waits for an answer and that are not
 * snoozed, always by `longest_waiting`.
 */
export const InboxFilter = z.enum(['unread', 'needs_reply', 'mine', 'all', 'archived']);
export type InboxFilter = z.infer<typeof InboxFilter>;

export const InboxSort = z.enum(['unread_first', 'newest', 'longest_waiting']);
export type InboxSort = z.infer<typeof InboxSort>;

const paging = {
  limit: z._default(
    z.coerce.number().check(z.int(), z.gte(1), z.lte(INBOX_PAGE_MAX)),
    INBOX_PAGE_SIZE,
  ),
  offset: z._default(z.coerce.number().check(z.int(), z.gte(0), z.lte(1_000_000)), 0),
  /** The `next_cursor` of the page before, to be used with the same filter and sort; wins over `offset`. */
  cursor: z.optional(text(512)),
  sort: z._default(InboxSort, 'unread_first'),
  /** Only fans who carry this tag: a library tag's id, or a label in any case. */
  tag: z.optional(text(128)),
};

/** A page of conversations. */
export const ConversationPage = z.object({
  data: z.array(Conversation),
  /** Null on the last page. */
  next_cursor: z.nullable(z.string()),
  /** Conversations in the whole list, of which this is a page. */
  total: z.int(),
});
export type ConversationPage = z.infer<typeof ConversationPage>;

export const InboxStats = z
  .object({
    total_conversations: z.int(),
    /** Conversations that hold at least one unread message, or are marked as unread, and are not snoozed. */
    unread_count: z.int(),
    /** Active conversations whose fan waits for an answer and that are not snoozed. */
    needs_reply_count: z.int(),
    /** Conversations whose first message came today, in the viewer's time zone. */
    new_today: z.int(),
    /** Conversations that the caller has claimed. */
    mine_count: z.int(),
    archived_count: z.int(),
    /** Notes that mention the caller and that they have not read. */
    unread_mentions: z.int(),
    /** What was handed over to the caller and they have not accepted. */
    open_handovers: z.int(),
  })
  .check(z.meta({ id: 'InboxStats' }));
export type InboxStats = z.infer<typeof InboxStats>;

/** A found conversation, with the message that made it match where that was not its name or last message. */
export const SearchHit = z.object({
  ...Conversation.shape,
  match: z.nullable(
    z.object({
      message_id: z.string(),
      /** The part of the message around the match. */
      excerpt: z.string(),
      created_at: timestamp,
    }),
  ),
});
export type SearchHit = z.infer<typeof SearchHit>;

export const inbox = endpoint({
  method: 'GET',
  path: '/api/messages/admin/inbox',
  summary: 'A page of the shared inbox, filtered and sorted by the server.',
  auth: 'admin',
  query: z.object({ ...paging, filter: z._default(InboxFilter, 'all') }),
  replies: { 200: ConversationPage },
});

export const myConversations = endpoint({
  method: 'GET',
  path: '/api/messages/admin/my-conversations',
  summary: 'A page of the conversations that the caller has claimed, in any status.',
  auth: 'admin',
  query: z.object(paging),
  replies: { 200: ConversationPage },
});

export const inboxStats = endpoint({
  method: 'GET',
  path: '/api/messages/admin/stats',
  summary: 'The counts for the inbox tiles and tabs.',
  auth: 'admin',
  query: z.object({ tz: z._default(timeZone, 'UTC') }),
  replies: { 200: z.object({ data: InboxStats }) },
});

export const searchConversations = endpoint({
  method: 'GET',
  path: '/api/messages/admin/search',
  summary:
    'Conversations where the fan’s names, username, email or last message contain the text (2 characters or more), or where any message does (3 or more). Shorter texts find nothing. Case is ignored; %, _ and \\ are literal.',
  auth: 'admin',
  query: z.object({
    q: z.string().check(
      z.trim(),
      z.maxLength(200),
      z.refine((q) => !q.includes('\0')),
    ),
  }),
  replies: { 200: z.object({ data: z.array(SearchHit) }) },
  errors: ['search_too_broad'],
});

export const getConversation = endpoint({
  method: 'GET',
  path: '/api/messages/admin/conversation/{id}',
  summary: 'One conversation.',
  auth: 'admin',
  params: z.object({ id: lookupId }),
  replies: { 200: z.object({ data: Conversation }) },
  errors: ['conversation_not_found'],
});

export const markRead = endpoint({
  method: 'POST',
  path: '/api/messages/admin/conversation/{id}/read',
  summary:
    'Mark the fan’s messages as read, up to and including the given one (default: the newest). Later messages stay unread.',
  auth: 'admin',
  permission: 'can_manage_messages',
  params: z.object({ id: lookupId }),
  body: z.optional(z.nullable(z.strictObject({ up_to_message_id: z.optional(lookupId) }))),
  replies: {
    200: z.object({
      data: z.object({
        /** When the newest of them was read; null where the fan has written nothing up to there. */
        read_at: z.nullable(timestamp),
        unread_count: z.int(),
      }),
    }),
  },
  errors: ['conversation_not_found', 'message_not_found'],
});

const conversationReply = { 200: z.object({ data: Conversation }) };

export const setStatus = endpoint({
  method: 'PATCH',
  path: '/api/messages/admin/conversation/{id}/status',
  summary:
    'Archive or flag an active conversation, or make an archived or flagged one active again.',
  auth: 'admin',
  permission: 'can_manage_messages',
  params: z.object({ id: lookupId }),
  body: z.strictObject({ status: ConversationStatus }),
  replies: conversationReply,
  errors: ['conversation_not_found', 'invalid_transition'],
});

export const claimConversation = endpoint({
  method: 'POST',
  path: '/api/messages/admin/conversation/{id}/claim',
  summary:
    'Claim an unclaimed conversation. Claiming your own again changes nothing. Admins with can_manage_admins may take it over from the teammate they name, which is audited.',
  auth: 'admin',
  permission: 'can_manage_messages',
  params: z.object({ id: lookupId }),
  body: z.optional(z.nullable(z.strictObject({ take_over_from: z.optional(lookupId) }))),
  replies: conversationReply,
  errors: ['conversation_not_found', 'already_claimed', 'permission_required'],
});

export const releaseConversation = endpoint({
  method: 'POST',
  path: '/api/messages/admin/conversation/{id}/release',
  summary:
    'Release a conversation you have claimed. Admins with can_manage_admins may release for others, which is audited. Releasing an unclaimed one changes nothing.',
  auth: 'admin',
  permission: 'can_manage_messages',
  params: z.object({ id: lookupId }),
  replies: conversationReply,
  errors: ['conversation_not_found', 'not_claimant'],
});
