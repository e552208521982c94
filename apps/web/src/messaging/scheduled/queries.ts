import type { AttachmentInput } from '@stagedoor/contract/messaging/messages';
import {
  listScheduled,
  listScheduledIn,
  type ScheduledMessage,
  scheduleMessage,
  updateScheduled,
} from '@stagedoor/contract/messaging/scheduled';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/server/api.ts';

/** Returns the query for a conversation's scheduled and failed messages. An event refreshes them. */
export const scheduledInOptions = (conversationId: string) =>
  queryOptions({
    queryKey: ['scheduled', conversationId],
    queryFn: async ({ signal }): Promise<ScheduledMessage[]> =>
      (await call(listScheduledIn, { params: { id: conversationId }, signal })).data,
  });

/** Returns the query for the scheduled and failed messages of the viewer, or of everyone. */
export const scheduledByOptions = (scope: 'mine' | 'all') =>
  queryOptions({
    queryKey: ['scheduled', scope],
    queryFn: async ({ signal }): Promise<ScheduledMessage[]> =>
      (await call(listScheduled, { query: { scope }, signal })).data,
  });

/** A message to schedule. */
interface NewScheduled {
  content: string;
  attachments: AttachmentInput[];
  /** An ISO timestamp. */
  send_at: string;
  is_follow_up: boolean;
}

/** Schedules a message. A retry with the same key returns the same message. */
export async function schedule(
  conversationId: string,
  key: string,
  body: NewScheduled,
): Promise<ScheduledMessage> {
  const options = { params: { id: conversationId }, headers: { 'idempotency-key': key }, body };
  return (await call(scheduleMessage, options)).data;
}

/** Updates a scheduled message, based on the version that was read. */
export async function saveScheduled(
  { id, version }: ScheduledMessage,
  change: Partial<NewScheduled>,
): Promise<ScheduledMessage> {
  return (await call(updateScheduled, { params: { id }, body: { version, ...change } })).data;
}
