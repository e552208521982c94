import * as z from 'zod/mini';
import { del, get, put } from '../endpoint.ts';
import { byId, dataOf, lookupId, namedObject, text, timestamp } from '../primitives.ts';
import { MESSAGE_MAX_CHARS } from './messages.ts';

/** The number of days that a draft is kept after its last edit. */
export const DRAFT_KEPT_DAYS = 7;
/** The maximum number of drafts per admin. The oldest are deleted to make room. */
export const DRAFTS_MAX = 200;

const KEPT_MS = DRAFT_KEPT_DAYS * 24 * 60 * 60 * 1_000;

/** The message that a draft replies to, as shown in the bar above the text. */
export const DraftReply = z.strictObject({
  id: lookupId,
  sender: text(300),
  preview: text(300),
});
export type DraftReply = z.infer<typeof DraftReply>;

/** An admin's unsent text in a conversation. A teammate sees it only if the conversation is handed over to them. */
export const Draft = namedObject('Draft', {
  conversation_id: z.string(),
  text: z.string(),
  reply_to: z.nullable(DraftReply),
  /** Higher than every earlier version of any draft. */
  version: z.int(),
  /** When the text was last edited. */
  edited_at: timestamp,
});
export type Draft = z.infer<typeof Draft>;

const DRAFTS = '/api/messages/admin/drafts';
const DRAFT = '/api/messages/admin/conversation/{id}/draft';
const one = {
  auth: 'admin',
  params: byId,
  errors: ['conversation_not_found'],
} as const;
/** The reply after a discard: the version of the now empty draft. */
const discarded = { 200: dataOf({ version: z.int() }) };

export const listDrafts = get(DRAFTS, {
  auth: 'admin',
  summary: 'The caller’s drafts, most recently edited first.',
  replies: { 200: z.object({ data: z.array(Draft) }) },
});

export const discardDrafts = del(DRAFTS, {
  isWork: false,
  auth: 'admin',
  summary: 'Delete all of the caller’s drafts.',
  replies: discarded,
});

export const getDraft = get(DRAFT, {
  ...one,
  summary: 'The caller’s draft in a conversation; null if there is none.',
  replies: { 200: z.object({ data: z.nullable(Draft) }) },
});

export const saveDraft = put(DRAFT, {
  isWork: false,
  ...one,
  summary: 'Save the caller’s draft. If a newer edit is already stored, it is kept and returned.',
  body: z.strictObject({
    text: text(2 * MESSAGE_MAX_CHARS),
    reply_to: z._default(z.nullable(DraftReply), null),
    /** Milliseconds since the last edit. Sent as an age rather than a time because device clocks differ. */
    age_ms: z._default(z.int().check(z.gte(0), z.lte(KEPT_MS)), 0),
  }),
  replies: { 200: z.object({ data: Draft }) },
});

export const discardDraft = del(DRAFT, {
  isWork: false,
  ...one,
  summary: 'Delete the caller’s draft in a conversation after it was sent or discarded.',
  replies: discarded,
});
