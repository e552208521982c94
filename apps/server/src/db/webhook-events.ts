import { randomUUID } from 'node:crypto';
import type { WebhookType } from '@stagedoor/contract/platform/webhooks';
import { sql } from 'kysely';
import type { Row, Tx } from './tables.ts';

interface MessageRef {
  readonly message_id: string;
  /** Whether it is a mass message. Queues that hold only such events are delivered last. */
  readonly mass?: boolean;
}

/**
 * The ids from which each event's content is loaded. No names, addresses or texts, because these rows outlive the data that they
 * refer to.
 */
export interface WebhookRefs {
  readonly 'message.created': MessageRef;
  readonly 'message.deleted': MessageRef;
  /** The newest of the fan's messages that were read. */
  readonly 'message.read': { readonly message_id: string };
  readonly 'reaction.toggled': {
    readonly message_id: string;
    readonly action: 'added' | 'removed';
    readonly emoji: string;
  };
  readonly 'invite.created': { readonly invite_id: string };
  readonly 'invite.accepted': { readonly invite_id: string };
  readonly 'purchase.recorded': { readonly purchase_id: string };
  readonly 'purchase.refunded': { readonly purchase_id: string };
  readonly 'tip.recorded': { readonly tip_id: string };
  readonly 'tip.refunded': { readonly tip_id: string };
  readonly 'creator.updated': Readonly<Record<never, never>>;
  readonly 'period.closed': { readonly period_id: string };
  readonly 'earning.adjusted': { readonly line_id: string };
  readonly 'webhook.test': { readonly admin_id: string };
}

/** An event to send to the platform. */
export type WebhookFact = {
  [T in WebhookType]: {
    readonly type: T;
    /** The conversation within which events stay in order; the caller must hold its row's lock. Null for an event without one. */
    readonly conversationId: string | null;
    readonly ref: WebhookRefs[T];
  };
}[WebhookType];

/**
 * Queues an event in the transaction that causes it, so that neither exists without the other. Queues nothing if no webhook is
 * set.
 * @returns the event's id; null if nothing was queued
 */
export async function queueWebhook(tx: Tx, fact: WebhookFact): Promise<string | null> {
  const { rows } = await sql<Row<'webhook_events', 'event_id'>>`
    insert into webhook_events (type, conversation_id, lane, ref)
    select ${fact.type}, ${fact.conversationId}::uuid, ${queueOf(fact)}, ${JSON.stringify(fact.ref)}::jsonb
    where ${sql.raw(WEBHOOK_IS_SET)} returning event_id`.execute(tx);
  return rows[0]?.event_id ?? null;
}

/** SQL condition: a webhook is set, so events must be queued. */
const WEBHOOK_IS_SET = 'exists (select from webhook_endpoint where url is not null)';

/**
 * Returns SQL that queues a conversation's event for each row of `from`, like {@link queueWebhook}.
 * @param conversationId an expression, as is `ref`
 * @param from the tables, without a `where` clause: one is appended
 */
export const insertWebhooks = (
  type: WebhookType,
  conversationId: string,
  ref: string,
  from: string,
) => `insert into webhook_events (type, conversation_id, lane, ref)
  select '${type}', ${conversationId}, ${conversationId}::text, ${ref} from ${from} where ${WEBHOOK_IS_SET}`;

/** Returns the event's queue. Only events of the same queue wait for each other. */
function queueOf({ type, conversationId }: WebhookFact): string {
  if (conversationId !== null) return conversationId;
  return type === 'creator.updated' ? 'creator' : `${type} ${randomUUID()}`;
}
