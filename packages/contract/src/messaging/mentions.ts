import * as z from 'zod/mini';
import { get, post } from '../endpoint.ts';
import { FanCaption } from '../fans/profile.ts';
import { dataOf, lookupId, namedObject, pageOf, text, timestamp } from '../primitives.ts';
import { StaffMember } from '../team/staff.ts';
import { StaffNote } from './staff-notes.ts';

export const MENTIONS_PAGE_SIZE = 30;
export const MENTIONS_PAGE_MAX = 100;
/** The maximum number of mentions that one call can mark as read by id. */
export const MENTIONS_READ_MAX = 200;

/** An active admin. They can be mentioned and, if they can manage messages, receive a handover. */
export const Teammate = namedObject('Teammate', {
  ...StaffMember.shape,
  can_manage_messages: z.boolean(),
});
export type Teammate = z.infer<typeof Teammate>;

/** A staff note in which a teammate mentioned the caller. */
export const Mention = namedObject('Mention', {
  note: StaffNote,
  /** The fan in whose conversation the note is. */
  fan: z.extend(FanCaption, { id: z.string() }),
  /** When the caller read it; null if not yet. */
  read_at: z.nullable(timestamp),
});
export type Mention = z.infer<typeof Mention>;

export const listTeammates = get('/api/messages/admin/colleagues', {
  summary: 'All active staff including the caller, sorted by codename.',
  auth: 'admin',
  replies: { 200: z.object({ data: z.array(Teammate) }) },
});

export const listMentions = get('/api/messages/admin/mentions', {
  summary: 'The notes in which teammates mention the caller, newest first.',
  auth: 'admin',
  query: z.object({
    cursor: z.optional(text(512)),
    limit: z._default(
      z.coerce.number().check(z.int(), z.gte(1), z.lte(MENTIONS_PAGE_MAX)),
      MENTIONS_PAGE_SIZE,
    ),
  }),
  replies: { 200: pageOf(Mention) },
});

export const readMentions = post('/api/messages/admin/mentions/read', {
  isWork: false,
  summary:
    'Mark mentions of the caller as read: those in the given notes, or all; with `up_to`, none that are newer than that note’s.',
  auth: 'admin',
  body: z.strictObject({
    note_ids: z.optional(z.array(lookupId).check(z.maxLength(MENTIONS_READ_MAX))),
    /** The id of the newest note that the caller has seen in the list. Newer mentions stay unread. */
    up_to: z.optional(lookupId),
  }),
  replies: { 200: dataOf({ unread_mentions: z.int() }) },
});
