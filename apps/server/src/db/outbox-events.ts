import type { Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/** A conversation that changed, and the id of the event that says so in the outbox. */
export interface ConversationTouched {
  readonly conversationId: string;
  readonly outboxId: number;
}

/**
 * Queues an event in the transaction that causes it, so that neither exists without the other.
 * @param payload what the event is emitted from, as its reemitter takes it
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

/** Emits that conversations changed, after the commit; never fails. */
export type ConversationsChanged = (touched: readonly ConversationTouched[]) => Promise<void>;
