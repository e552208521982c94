import type { Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/** A changed conversation, with the outbox id of its event. */
export interface ConversationTouched {
  readonly conversationId: string;
  readonly outboxId: number;
}

/**
 * Queues an event in the transaction that causes it, so that neither exists without the other.
 * @param payload the payload that the event's reemitter takes
 * @returns its id in the outbox
 */
export async function queueEvent(
  tx: Transaction<Tables>,
  event: string,
  payload: Readonly<Record<string, unknown>>,
): Promise<number> {
  const { id } = await tx
    .insertInto('outbox')
    .values({ event, payload: JSON.stringify(payload) })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Emits the events of changed conversations, after the commit; never fails. */
export type ConversationsChanged = (touched: readonly ConversationTouched[]) => Promise<void>;
