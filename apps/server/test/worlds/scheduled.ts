import type { AttachmentInput } from '@stagedoor/contract/messaging/messages';
import {
  listScheduled,
  listScheduledIn,
  type ScheduledMessage,
  scheduleMessage,
} from '@stagedoor/contract/messaging/scheduled';
import { sql } from 'kysely';
import type { Backend } from '../backend.ts';
import type { Staff } from '../factories.ts';

const HOUR_MS = 3_600_000;

/** Returns the instant `hours` from now, in ISO format. */
export const hoursAhead = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();

/** Schedules a message; in an hour by default. */
export async function buildScheduled(
  { client }: Pick<Staff, 'client'>,
  conversationId: string,
  overrides: {
    content?: string;
    send_at?: string;
    is_follow_up?: boolean;
    attachments?: AttachmentInput[];
  } = {},
): Promise<ScheduledMessage> {
  const { body } = await client.call(scheduleMessage, {
    params: { id: conversationId },
    body: { content: 'Later', send_at: hoursAhead(1), ...overrides },
  });
  return body.data;
}

/** Makes messages due now, for a first or another try. */
export async function makeDue(app: Backend, ...ids: string[]): Promise<void> {
  await sql`update scheduled_messages set due_at = clock_timestamp(), taken_until = null
    where id = any(${ids}::uuid[])`.execute(app.db.kysely);
}

/** Returns the stored row. */
export const storedScheduled = (app: Backend, id: string) =>
  app.db.kysely
    .selectFrom('scheduled_messages')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

export const scheduledIn = async ({ client }: Pick<Staff, 'client'>, id: string) =>
  (await client.call(listScheduledIn, { params: { id } })).body.data;

export const scheduledBy = async (
  { client }: Pick<Staff, 'client'>,
  scope: 'mine' | 'all' = 'mine',
) => (await client.call(listScheduled, { query: { scope } })).body.data;
