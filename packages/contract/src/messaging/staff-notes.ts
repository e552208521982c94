import * as z from 'zod/mini';
import { del, get, patch, post } from '../endpoint.ts';
import {
  byId,
  instant,
  lookupId,
  namedObject,
  requiredText,
  text,
  timestamp,
} from '../primitives.ts';
import { StaffMember } from '../team/staff.ts';

/** The maximum length of a staff note, in UTF-16 units, as stored. */
export const STAFF_NOTE_MAX_CHARS = 5_000;
/** The maximum number of teammates that one note can mention. */
export const STAFF_NOTE_MENTIONS_MAX = 20;

export const STAFF_NOTES_PAGE_SIZE = 100;
export const STAFF_NOTES_PAGE_MAX = 200;

/**
 * A staff note among the messages of a conversation. Only staff see it: neither the fan nor the platform ever gets a note or
 * learns that one exists.
 */
export const StaffNote = namedObject('StaffNote', {
  id: z.string(),
  conversation_id: z.string(),
  /** Mentions teammates by id; see `mentionOf`. */
  content: z.string(),
  author: StaffMember,
  /** The mentioned admins under their current codenames, including removed ones. */
  mentions: z.array(StaffMember),
  created_at: timestamp,
  /** When it was last edited; null if never. */
  edited_at: z.nullable(timestamp),
  /** Rises with each change. */
  version: z.int(),
});
export type StaffNote = z.infer<typeof StaffNote>;

const content = requiredText(STAFF_NOTE_MAX_CHARS, 'Enter a note');

const ofNote = z.object({ id: lookupId, noteId: lookupId });

export const listStaffNotes = get('/api/messages/admin/conversation/{id}/staff-notes', {
  summary:
    'A page of a conversation’s staff notes in a time range: the newest, or older ones by cursor.',
  auth: 'admin',
  params: byId,
  query: z.object({
    /** At or after this instant. */
    from: z.optional(instant),
    /** Before this instant. */
    to: z.optional(instant),
    cursor: z.optional(text(512)),
    limit: z._default(
      z.coerce.number().check(z.int(), z.gte(1), z.lte(STAFF_NOTES_PAGE_MAX)),
      STAFF_NOTES_PAGE_SIZE,
    ),
  }),
  replies: {
    200: z.object({
      /** Oldest first. */
      data: z.array(StaffNote),
      /** The cursor for the page of older notes; null on the last page. */
      next_cursor: z.nullable(z.string()),
    }),
  },
  errors: ['conversation_not_found'],
});

export const createStaffNote = post('/api/messages/admin/conversation/{id}/staff-notes', {
  isAct: true,
  summary:
    'Add a note that only staff see. 201 for a new one; 200 with the existing note if the `client_id` was used before.',
  auth: 'admin',
  params: byId,
  body: z.strictObject({ client_id: text(128).check(z.minLength(1)), content }),
  replies: { 200: z.object({ data: StaffNote }), 201: z.object({ data: StaffNote }) },
  errors: ['conversation_not_found', 'idempotency_conflict'],
});

export const updateStaffNote = patch('/api/messages/admin/conversation/{id}/staff-notes/{noteId}', {
  isAct: true,
  summary: 'Edit the text of the caller’s own note. Audited.',
  auth: 'admin',
  params: ofNote,
  body: z.strictObject({ content }),
  replies: { 200: z.object({ data: StaffNote }) },
  errors: ['staff_note_not_found', 'not_note_author'],
});

export const deleteStaffNote = del('/api/messages/admin/conversation/{id}/staff-notes/{noteId}', {
  isAct: true,
  summary: 'Delete your own note. Admins who can manage admins may delete any note. Audited.',
  auth: 'admin',
  params: ofNote,
  replies: { 204: null },
  errors: ['staff_note_not_found', 'not_note_author'],
});
