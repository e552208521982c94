import * as z from 'zod/mini';
import { del, get, patch, post } from '../endpoint.ts';
import { FanProfile } from '../fans/profile.ts';
import { ATTACHMENTS_MAX, AttachmentType } from '../media.ts';
import { byId, dataOf, instant, namedObject, text, timestamp } from '../primitives.ts';
import { StaffMember } from '../team/staff.ts';
import { AttachmentInput, idempotencyKey, MESSAGE_MAX_CHARS, NamedAttachment } from './messages.ts';

/** The maximum number of waiting and failed scheduled messages per admin. */
export const SCHEDULED_MAX = 200;
/** How many days ahead a message can be scheduled. */
export const SCHEDULE_DAYS_MAX = 366;
/** The maximum number of scheduled messages in a list. */
export const SCHEDULED_LISTED_MAX = 200;

export const ScheduledMessage = namedObject('ScheduledMessage', {
  id: z.string(),
  conversation_id: z.string(),
  fan: z.pick(FanProfile, {
    first_name: true,
    last_name: true,
    username: true,
    email: true,
    timezone: true,
  }),
  /** The admin who scheduled it, and who becomes the author of the sent message. */
  author: StaffMember,
  content: z.string(),
  attachments: z.array(
    z.object({
      input: NamedAttachment,
      type: AttachmentType,
      /** The file's name or the product's title. */
      label: z.string(),
    }),
  ),
  send_at: timestamp,
  /** Whether it is canceled when either side writes before the send time. Mass messages don't cancel it. */
  is_follow_up: z.boolean(),
  /** Lists contain only `waiting` and `failed`. */
  state: z.enum(['waiting', 'failed', 'sent', 'cancelled']),
  /** Why sending failed; null unless the state is `failed`. */
  reason: z.nullable(z.string()),
  /** Rises with each change. */
  version: z.int(),
});
export type ScheduledMessage = z.infer<typeof ScheduledMessage>;

const content = text(MESSAGE_MAX_CHARS);
const attachments = z.array(AttachmentInput).check(z.maxLength(ATTACHMENTS_MAX));
const one = z.object({ data: ScheduledMessage });
const list = z.object({ data: z.array(ScheduledMessage) });
const writes = { auth: 'admin', permission: 'can_manage_messages' } as const;
const refusals = [
  'invalid_attachment',
  'already_owned',
  'banned_words',
  'price_out_of_bounds',
] as const;

export const listScheduledIn = get('/api/messages/admin/conversation/{id}/scheduled', {
  summary:
    'Scheduled messages in a conversation, including those that could not be sent; earliest first.',
  auth: 'admin',
  params: byId,
  replies: { 200: list },
  errors: ['conversation_not_found'],
});

export const listScheduled = get('/api/messages/admin/scheduled', {
  summary:
    'The caller’s scheduled messages or, with `scope=all`, everyone’s (requires can_manage_admins). The earliest 200.',
  auth: 'admin',
  query: z.object({ scope: z._default(z.enum(['mine', 'all']), 'mine') }),
  replies: { 200: list },
  errors: ['permission_required'],
});

export const scheduleMessage = post('/api/messages/admin/conversation/{id}/scheduled', {
  isAct: true,
  summary:
    'Schedule a message. 201 for a new one; 200 with the existing one in its current state if the `Idempotency-Key` was used before.',
  ...writes,
  params: byId,
  headers: z.object({ 'idempotency-key': z.optional(idempotencyKey) }),
  body: z.strictObject({
    content: z._default(content, ''),
    attachments: z._default(attachments, []),
    send_at: instant,
    is_follow_up: z._default(z.boolean(), false),
  }),
  replies: { 200: one, 201: one },
  errors: ['conversation_not_found', 'too_many_scheduled', 'idempotency_conflict', ...refusals],
});

export const updateScheduled = patch('/api/messages/admin/scheduled/{id}', {
  isAct: true,
  summary:
    'Update the given fields of a message the caller scheduled; a failed one is scheduled again. `version` is the one the caller last read.',
  ...writes,
  params: byId,
  body: z.strictObject({
    version: z.int(),
    content: z.optional(content),
    attachments: z.optional(attachments),
    send_at: z.optional(instant),
    is_follow_up: z.optional(z.boolean()),
  }),
  replies: { 200: one },
  errors: [
    'scheduled_not_found',
    'permission_required',
    'scheduled_settled',
    'edit_conflict',
    ...refusals,
  ],
});

export const cancelScheduled = del('/api/messages/admin/scheduled/{id}', {
  isAct: true,
  summary: 'Cancel a message the caller scheduled or, with can_manage_admins, anyone’s.',
  ...writes,
  params: byId,
  replies: { 200: dataOf({ cancelled: z.literal(true) }) },
  errors: ['scheduled_not_found', 'permission_required', 'scheduled_settled'],
});

export const sendScheduledNow = post('/api/messages/admin/scheduled/{id}/send', {
  isAct: true,
  summary: 'Send one of the caller’s scheduled messages now, or retry one that could not be sent.',
  ...writes,
  params: byId,
  replies: { 200: dataOf({ message_id: z.string() }) },
  errors: [
    'scheduled_not_found',
    'permission_required',
    'scheduled_settled',
    'scheduled_failed',
    'unavailable',
  ],
});
