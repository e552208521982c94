import * as z from 'zod/mini';
import { post } from '../endpoint.ts';
import { ErrorReply } from '../errors.ts';
import { lookupId, timestamp } from '../primitives.ts';
import { Conversation } from './conversations.ts';

/** The maximum number of conversations in one call. */
export const BULK_MAX = 100;

/** An action on many conversations. */
export const BulkAction = z.union([
  z.strictObject({ kind: z.literal('claim') }),
  z.strictObject({ kind: z.literal('release') }),
  z.strictObject({ kind: z.literal('assign'), admin_id: lookupId }),
  /**
   * Undoes assignments that the caller made in the last minute: each conversation that the assignee still holds returns to its
   * previous holder. It becomes unclaimed if there was none, or if they can no longer claim it.
   */
  z.strictObject({ kind: z.literal('unassign') }),
  z.strictObject({ kind: z.literal('archive') }),
  z.strictObject({ kind: z.literal('unarchive') }),
  z.strictObject({ kind: z.literal('flag') }),
  z.strictObject({ kind: z.literal('unflag') }),
  z.strictObject({ kind: z.literal('read') }),
  z.strictObject({ kind: z.literal('unread') }),
  /** The snooze ends when the fan writes or, if `until` is set, at that time at the latest. */
  z.strictObject({ kind: z.literal('snooze'), until: z.nullable(timestamp) }),
  z.strictObject({ kind: z.literal('unsnooze') }),
  z.strictObject({ kind: z.literal('add_tag'), tag_id: lookupId }),
  z.strictObject({ kind: z.literal('remove_tag'), tag_id: lookupId }),
]);
export type BulkAction = z.infer<typeof BulkAction>;

/** The result for one conversation. */
export const BulkResult = z.object({
  id: z.string(),
  /** Whether anything changed; false if the action failed or the conversation was already in that state. */
  changed: z.boolean(),
  /** The conversation as it is now; null if it doesn't exist. */
  conversation: z.nullable(Conversation),
  /** Why the action failed; null on success. */
  failure: z.nullable(z.object({ error: z.string(), code: ErrorReply.shape.code })),
});
export type BulkResult = z.infer<typeof BulkResult>;

export const bulk = post('/api/messages/admin/inbox/bulk', {
  isAct: true,
  auth: 'admin',
  permission: 'can_manage_messages',
  summary: `Apply one action to up to ${BULK_MAX} conversations. A failure for one does not affect the others.`,
  body: z.strictObject({
    ids: z.array(lookupId).check(z.minLength(1), z.maxLength(BULK_MAX)),
    action: BulkAction,
  }),
  replies: {
    200: z.object({
      /** In the order of the ids, without duplicates. */
      data: z.array(BulkResult),
    }),
  },
});
