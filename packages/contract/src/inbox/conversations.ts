import * as z from 'zod/mini';
import { get, patch, post } from '../endpoint.ts';
import { Fan } from '../fans/fans.ts';
import { byId, dataOf, lookupId, namedObject, text, timestamp, timeZone } from '../primitives.ts';
import { StaffMember } from '../team/staff.ts';

/** The default number of conversations on a page, and the step of the inbox's infinite scroll. */
export const INBOX_PAGE_SIZE = 20;
export const INBOX_PAGE_MAX = 200;

/** The minimum length of a trimmed query, and the length from which message bodies are searched too, in characters. */
export const SEARCH_MIN_CHARS = 2;
export const SEARCH_BODY_MIN_CHARS = 3;
/** The maximum number of conversations in a search reply, newest first. */
export const SEARCH_LIMIT = 50;

export const ConversationStatus = z.enum(['active', 'archived', 'flagged']);
export type ConversationStatus = z.infer<typeof ConversationStatus>;

/**
 * The parts of a conversation that change when a message is sent or read. `version` rises by one with every change of the
 * conversation; a client keeps the state with the highest version and drops older states. Mass messages count only in `last_seq`:
 * the other fields are about all other messages.
 */
const conversationState = {
  id: z.string(),
  version: z.int(),
  /** The `seq` of the newest message; 0 without messages. Messages of a conversation are numbered 1, 2, 3, … without gaps. */
  last_seq: z.int(),
  status: ConversationStatus,
  /** The number of the fan's messages that staff haven't read. 1 if all are read but the conversation is marked as unread. */
  unread_count: z.int(),
  /** Whether staff marked the conversation as unread. Reading it, replying or the fan's next message clears the mark. */
  marked_unread: z.boolean(),
  /** When the newest message was sent. Without messages: when the fan joined by invitation, or null. */
  last_message_at: z.nullable(timestamp),
  last_message_content: z.nullable(z.string()),
  /** The id of the admin who sent the newest message; null if the fan sent it or there are no messages. */
  last_message_by: z.nullable(z.string()),
  /** When the fan wrote the oldest message without a reply; null if the fan is not waiting for a reply. */
  waiting_since: z.nullable(timestamp),
  /** Null if not snoozed. A snooze ends when the fan writes or, if `until` is set, at that time. */
  snooze: z.nullable(z.object({ until: z.nullable(timestamp) })),
};

export const ConversationState = namedObject('ConversationState', conversationState);
export type ConversationState = z.infer<typeof ConversationState>;

/** The conversation between the creator and a fan. Each fan has exactly one. */
export const Conversation = namedObject('Conversation', {
  ...conversationState,
  fan_id: z.string(),
  creator_id: z.string(),
  fan: Fan,
  /** The id of the admin who has claimed it; null if unclaimed. */
  claimed_by: z.nullable(z.string()),
  /** That admin's codename and color, for display. */
  claimant: z.nullable(StaffMember),
  created_at: timestamp,
});
export type Conversation = z.infer<typeof Conversation>;

/**
 * `unread` excludes snoozed conversations. `needs_reply` lists active conversations that aren't snoozed and whose fan is waiting
 * for a reply, always sorted by `longest_waiting`.
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
  /** The previous page's `next_cursor`, for the same filter and sort. Takes precedence over `offset`. */
  cursor: z.optional(text(512)),
  sort: z._default(InboxSort, 'unread_first'),
  /** Only fans with this tag: a library tag's id, or a label regardless of case. */
  tag: z.optional(text(128)),
  /** Only fans in this segment. */
  segment: z.optional(lookupId),
};

export const ConversationPage = z.object({
  data: z.array(Conversation),
  /** Null on the last page. */
  next_cursor: z.nullable(z.string()),
  /** The number of conversations on all pages. */
  total: z.int(),
});
export type ConversationPage = z.infer<typeof ConversationPage>;

export const InboxStats = namedObject('InboxStats', {
  total_conversations: z.int(),
  /** Conversations that have an unread message or are marked as unread, and aren't snoozed. */
  unread_count: z.int(),
  /** Active conversations whose fan is waiting for a reply and that aren't snoozed. */
  needs_reply_count: z.int(),
  /** Conversations whose first message was sent today in the viewer's time zone. */
  new_today: z.int(),
  /** Conversations that the caller has claimed. */
  mine_count: z.int(),
  archived_count: z.int(),
  /** Staff notes that mention the caller and that the caller hasn't read. */
  unread_mentions: z.int(),
  /** Handovers to the caller that the caller hasn't accepted. */
  open_handovers: z.int(),
});
export type InboxStats = z.infer<typeof InboxStats>;

/**
 * A search result. `match` is the matching message; null if the fan's name, username or email, or the last message, contains the
 * text.
 */
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

export const inbox = get('/api/messages/admin/inbox', {
  summary: 'A page of the shared inbox, filtered and sorted by the server.',
  auth: 'admin',
  query: z.object({ ...paging, filter: z._default(InboxFilter, 'all') }),
  replies: { 200: ConversationPage },
  errors: ['segment_not_found', 'segment_too_slow'],
});

export const myConversations = get('/api/messages/admin/my-conversations', {
  summary: 'A page of the conversations that the caller has claimed, in any status.',
  auth: 'admin',
  query: z.object(paging),
  replies: { 200: ConversationPage },
  errors: ['segment_not_found', 'segment_too_slow'],
});

export const inboxStats = get('/api/messages/admin/stats', {
  summary: 'The counts for the inbox tiles and tabs.',
  auth: 'admin',
  query: z.object({ tz: z._default(timeZone, 'UTC') }),
  replies: { 200: z.object({ data: InboxStats }) },
});

export const searchConversations = get('/api/messages/admin/search', {
  summary:
    'Conversations that contain the text. 2 characters or more search the fan’s names, username and email, and the last message; 3 or more also search all messages. Shorter texts find nothing. Case is ignored; %, _ and \\ are literal.',
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

export const getConversation = get('/api/messages/admin/conversation/{id}', {
  summary: 'Get a conversation.',
  auth: 'admin',
  params: byId,
  replies: { 200: z.object({ data: Conversation }) },
  errors: ['conversation_not_found'],
});

export const markRead = post('/api/messages/admin/conversation/{id}/read', {
  isWork: false,
  summary:
    'Mark the fan’s messages as read, up to and including the given one (default: the newest). Later messages stay unread.',
  auth: 'admin',
  permission: 'can_manage_messages',
  params: byId,
  body: z.optional(z.nullable(z.strictObject({ up_to_message_id: z.optional(lookupId) }))),
  replies: {
    200: dataOf({
      /** When the fan's newest message, up to the given one, was read; null if there is no such message. */
      read_at: z.nullable(timestamp),
      unread_count: z.int(),
    }),
  },
  errors: ['conversation_not_found', 'message_not_found'],
});

export const conversationReply = { 200: z.object({ data: Conversation }) };

export const setStatus = patch('/api/messages/admin/conversation/{id}/status', {
  isAct: true,
  summary:
    'Archive or flag an active conversation, or make an archived or flagged one active again.',
  auth: 'admin',
  permission: 'can_manage_messages',
  params: byId,
  body: z.strictObject({ status: ConversationStatus }),
  replies: conversationReply,
  errors: ['conversation_not_found', 'invalid_transition'],
});

export const claimConversation = post('/api/messages/admin/conversation/{id}/claim', {
  isAct: true,
  summary:
    'Claim an unclaimed conversation. Claiming your own again changes nothing. Admins with can_manage_admins may take over a claimed conversation from the teammate given in `take_over_from`, which is audited.',
  auth: 'admin',
  permission: 'can_manage_messages',
  params: byId,
  body: z.optional(z.nullable(z.strictObject({ take_over_from: z.optional(lookupId) }))),
  replies: conversationReply,
  errors: ['conversation_not_found', 'already_claimed', 'permission_required'],
});

export const assignConversation = post('/api/messages/admin/conversation/{id}/assign', {
  isAct: true,
  summary:
    'Assign a conversation to a teammate, which is audited. With null, release it under the same rules as the release call. Admins with can_manage_admins may also assign conversations that others have claimed.',
  auth: 'admin',
  permission: 'can_manage_messages',
  params: byId,
  body: z.strictObject({ admin_id: z.nullable(lookupId) }),
  replies: conversationReply,
  errors: ['conversation_not_found', 'already_claimed', 'not_claimant', 'admin_not_found'],
});

export const releaseConversation = post('/api/messages/admin/conversation/{id}/release', {
  isAct: true,
  summary:
    'Release a conversation you have claimed. Admins with can_manage_admins may also release conversations that others have claimed, which is audited. Releasing an unclaimed one changes nothing.',
  auth: 'admin',
  permission: 'can_manage_messages',
  params: byId,
  replies: conversationReply,
  errors: ['conversation_not_found', 'not_claimant'],
});
