import type { AttachmentInput } from '@stagedoor/contract/messaging/messages';
import {
  cancelScheduled,
  listScheduled,
  listScheduledIn,
  type ScheduledMessage,
  scheduleMessage,
  sendScheduledNow,
  updateScheduled,
} from '@stagedoor/contract/messaging/scheduled';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { isKnownZone, ownZone } from '../../lib/text/zoned-time.ts';

/** What waits in a conversation, or could not be sent. An event tells when that changed. */
export const scheduledInOptions = (conversationId: string) =>
  queryOptions({
    queryKey: ['scheduled', conversationId],
    queryFn: async ({ signal }): Promise<ScheduledMessage[]> =>
      (await call(listScheduledIn, { params: { id: conversationId }, signal })).data,
  });

/** The same of all that one has scheduled, or all that anyone has. */
export const scheduledByOptions = (scope: 'mine' | 'all') =>
  queryOptions({
    queryKey: ['scheduled', scope],
    queryFn: async ({ signal }): Promise<ScheduledMessage[]> =>
      (await call(listScheduled, { query: { scope }, signal })).data,
  });

/** What a person wants to have sent later. */
export interface Later {
  content: string;
  attachments: AttachmentInput[];
  /** An ISO instant. */
  send_at: string;
  is_follow_up: boolean;
}

/** Has a message sent later; the same key again gives the same message. */
export async function schedule(
  conversationId: string,
  key: string,
  body: Later,
): Promise<ScheduledMessage> {
  const options = { params: { id: conversationId }, headers: { 'idempotency-key': key }, body };
  return (await call(scheduleMessage, options)).data;
}

/** Changes what waits, at the version at which it was read. */
export async function saveScheduled(
  { id, version }: ScheduledMessage,
  change: Partial<Later>,
): Promise<ScheduledMessage> {
  return (await call(updateScheduled, { params: { id }, body: { version, ...change } })).data;
}

export async function sendNow(id: string): Promise<void> {
  await call(sendScheduledNow, { params: { id } });
}

export async function cancel(id: string): Promise<void> {
  await call(cancelScheduled, { params: { id } });
}

/** By whose clocks a time can be said: the viewer's own first, and the fan's where it is known and another. */
export function zonesFor(timezone: string | null, fanName: string) {
  const own = ownZone();
  const zones = [{ zone: own, label: t('My time') }];
  if (timezone !== null && timezone !== own && isKnownZone(timezone))
    zones.push({ zone: timezone, label: t('{name}’s time', { name: fanName }) });
  return zones;
}
