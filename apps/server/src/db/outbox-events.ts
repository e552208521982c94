import type { FanServerEventName } from '@stagedoor/contract/platform/fan-realtime';
import type { ServerEventName } from '@stagedoor/contract/realtime';
import { sql } from 'kysely';
import { runIn } from './database.ts';
import type { Tx } from './tables.ts';

type OutboxEvent = ServerEventName | FanServerEventName;

/** A changed conversation, with the outbox id of its event. */
export interface ConversationTouched {
  readonly conversationId: string;
  readonly outboxId: number;
}

/** Emits the events of changed conversations, after the commit; never fails. */
export type ConversationsChanged = (touched: readonly ConversationTouched[]) => Promise<void>;

/**
 * Returns SQL that queues an event for each row of `from`, in the statement that causes it, so that neither exists without the
 * other. The SQL returns each event's `id` in the outbox and its `payload`.
 * @param payload jsonb: the argument of the event's reemitter
 */
export const insertEvents = (event: OutboxEvent, payload: string, from = '') =>
  `insert into outbox (event, payload) select '${event}', ${payload} ${from} returning id, payload`;

/** Queues an event in the transaction that causes it, see {@link insertEvents}. @returns its id in the outbox */
export async function queueEvent(
  tx: Tx,
  event: OutboxEvent,
  payload: Readonly<Record<string, unknown>>,
): Promise<number> {
  const text = insertEvents(event, '$1::jsonb');
  const [queued] = await runIn<{ id: number }>(tx, text, [JSON.stringify(payload)]);
  if (queued === undefined) throw new Error('no row returned');
  return queued.id;
}

/** Deletes the waiting events of a conversation, whose payloads can hold personal data. */
export async function deleteEventsOf(tx: Tx, conversationId: string) {
  await tx
    .deleteFrom('outbox')
    .where(sql`payload->>'conversation_id'`, '=', conversationId)
    .execute();
}
