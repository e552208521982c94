import * as z from 'zod/mini';
import { get } from '../endpoint.ts';
import { FanCaption } from '../fans/profile.ts';
import { instant, lookupId, namedObject, text, timestamp } from '../primitives.ts';
import { StaffMember } from '../team/staff.ts';
import { ConversationStatus } from './conversations.ts';

/** The shortest trimmed query, in characters. */
export const MESSAGE_SEARCH_MIN_CHARS = 3;
/** The number of hits on a page. */
export const MESSAGE_SEARCH_PAGE_SIZE = 25;

/** The side that wrote a message. */
export const MessageSide = z.enum(['fan', 'creator']);
export type MessageSide = z.infer<typeof MessageSide>;

/** What a search finds: messages, the staff notes among the messages, or both. */
export const SearchedKind = z.enum(['message', 'note', 'any']);
export type SearchedKind = z.infer<typeof SearchedKind>;

/** Where a hit is, and the text around the match. */
const hitFields = {
  conversation_id: z.string(),
  status: ConversationStatus,
  fan: z.extend(FanCaption, { id: z.string() }),
  created_at: timestamp,
  excerpt: z.object({
    /** The part of the text around the first match, on one line. */
    text: z.string(),
    /** Positions of the matches in `text`, in order; UTF-16 units, `end` exclusive. */
    marks: z.array(z.object({ start: z.int(), end: z.int() })),
    /** Whether there is more text before and after the excerpt. */
    has_before: z.boolean(),
    has_after: z.boolean(),
  }),
};

/** A message that contains the query. */
export const MessageHit = namedObject('MessageHit', {
  kind: z.literal('message'),
  message_id: z.string(),
  ...hitFields,
  from: MessageSide,
  /** The admin who wrote it as the creator; null if the fan wrote it. */
  author: z.nullable(StaffMember),
  has_attachment: z.boolean(),
});
export type MessageHit = z.infer<typeof MessageHit>;

/** A staff note that contains the query. Its excerpt shows mentions with the current codenames. */
export const NoteHit = namedObject('NoteHit', {
  kind: z.literal('note'),
  note_id: z.string(),
  ...hitFields,
  author: StaffMember,
});
export type NoteHit = z.infer<typeof NoteHit>;

/** A page of hits, newest first. */
export const MessageHitPage = z.object({
  data: z.array(z.discriminatedUnion('kind', [MessageHit, NoteHit])),
  /** Null on the last page. A page can be short or empty even when more pages follow. */
  next_cursor: z.nullable(z.string()),
});
export type MessageHitPage = z.infer<typeof MessageHitPage>;

export const searchMessages = get('/api/messages/admin/search/messages', {
  summary:
    'Messages or staff notes that contain the text, newest first. Case is ignored; %, _ and \\ are literal. Searches that would take too long are rejected.',
  auth: 'admin',
  query: z.object({
    q: z.string().check(
      z.trim(),
      z.minLength(MESSAGE_SEARCH_MIN_CHARS),
      z.maxLength(200),
      z.refine((q) => !q.includes('\0')),
    ),
    /** Messages only, staff notes only, or both. */
    kind: z._default(SearchedKind, 'message'),
    /** Only in the conversation of the fan with this `id`. */
    fan: z.optional(lookupId),
    /** Only fans with this tag: a library tag's id, or a label regardless of case. */
    tag: z.optional(text(128)),
    /** Only messages of this side, and no notes. */
    from: z.optional(MessageSide),
    /** Only at or after this instant. */
    after: z.optional(instant),
    /** Only before this instant. */
    before: z.optional(instant),
    /** Only messages with an attachment, or only those without. Notes have none. */
    has_attachment: z.optional(z.enum(['true', 'false'])),
    /** The previous page's `next_cursor`, for the same text and filters. */
    cursor: z.optional(text(512)),
  }),
  replies: { 200: MessageHitPage },
  errors: ['search_too_broad'],
});
