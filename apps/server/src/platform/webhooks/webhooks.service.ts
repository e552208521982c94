import type {
  Delivery,
  DeliveryAttempt,
  DeliveryState,
  Webhook,
} from '@stagedoor/contract/platform/webhooks';
import { writeAudit } from '../../db/audit.ts';
import type { Database } from '../../db/database.ts';
import type { Tx } from '../../db/tables.ts';
import { queueWebhook } from '../../db/webhook-events.ts';
import { AppError, deliveryNotFound, rateLimited } from '../../errors.ts';
import { numberCursors, pageOf } from '../../http/cursor.ts';
import type { Manager } from '../../http/route.ts';
import type { Webhooks } from './open-webhooks.ts';
import { eventIdOf, webhookId } from './webhook-id.ts';
import * as store from './webhooks.store.ts';

/** Tests and redeliveries that staff can request per minute, so that a button can't flood the receiver. */
const REQUESTS_PER_MINUTE = 60;
/** Seconds after which to retry when that limit is reached. */
const REQUESTS_RETRY_AFTER = 60;

interface WebhooksServiceDependencies {
  readonly db: Database;
  readonly webhooks: Pick<Webhooks, 'address' | 'bodyOf' | 'wake'>;
}

export type WebhooksService = ReturnType<typeof createWebhooksService>;

/** Lets managers see, test and redeliver webhooks. The receiver itself can be changed only in the server's settings. */
export function createWebhooksService({ db, webhooks }: WebhooksServiceDependencies) {
  async function find(id: string): Promise<store.DeliveryRow> {
    const eventId = eventIdOf(id);
    const row = eventId === null ? null : await store.findDelivery(db.kysely, eventId);
    if (row === null) throw deliveryNotFound();
    return row;
  }

  /** Queues an event for an admin, within the limit, and writes the request to the audit log. */
  async function request(
    actor: Manager,
    action: 'webhook.test' | 'webhook.redeliver',
    queue: (tx: Tx) => Promise<{ eventId: string; type: string }>,
  ): Promise<Delivery> {
    if (webhooks.address === null) throw new AppError('webhook_not_set');
    const eventId = await db.kysely.transaction().execute(async (tx) => {
      if ((await store.countRequests(tx)) >= REQUESTS_PER_MINUTE)
        throw rateLimited(REQUESTS_RETRY_AFTER);
      const queued = await queue(tx);
      await writeAudit(tx, {
        adminId: actor.admin.id,
        action,
        targetId: queued.eventId,
        ...(action === 'webhook.redeliver' && { details: { type: queued.type } }),
      });
      return queued.eventId;
    });
    webhooks.wake();
    return store.presentDelivery(await find(webhookId(eventId)));
  }

  return {
    async status(): Promise<Webhook> {
      const [counts, health] = await Promise.all([store.countDeliveries(db), store.findHealth(db)]);
      return { url: webhooks.address, ...counts, ...health };
    },

    /** @throws AppError 409 `webhook_not_set`; 429 `rate_limited` */
    test(actor: Manager): Promise<Delivery> {
      return request(actor, 'webhook.test', async (tx) => {
        const ref = { admin_id: actor.admin.id };
        const fact = { type: 'webhook.test', conversationId: null, ref } as const;
        const eventId = await queueWebhook(tx, fact);
        if (eventId === null) throw new AppError('webhook_not_set');
        return { eventId, type: fact.type };
      });
    },

    /** @param cursor the `next_cursor` of the previous page @throws AppError 400 for an invalid cursor */
    async list(
      state: DeliveryState | undefined,
      cursor: string | undefined,
      limit: number,
    ): Promise<{ data: Delivery[]; next_cursor: string | null }> {
      const before = cursor === undefined ? null : numberCursors.decode(cursor).at;
      const rows = await store.listDeliveries(db, { state, before }, limit + 1);
      const { page, next_cursor } = pageOf(rows, limit, ({ id }) =>
        numberCursors.encode({ at: id }),
      );
      return { data: page.map(store.presentDelivery), next_cursor };
    },

    /** @throws AppError 404 `delivery_not_found` */
    async get(id: string): Promise<Delivery & { body: string | null; tries: DeliveryAttempt[] }> {
      const row = await find(id);
      const [body, tries] = await Promise.all([webhooks.bodyOf(row), store.listTries(db, row.id)]);
      return { ...store.presentDelivery(row), body, tries };
    },

    /**
     * Delivers an event again, after the waiting events of its conversation.
     * @throws AppError 404 `delivery_not_found`, also if there is nothing left to send; 409 `delivery_waiting` or
     * `webhook_not_set`; 429 `rate_limited`
     */
    async redeliver(actor: Manager, id: string): Promise<Delivery> {
      const row = await find(id);
      if ((await webhooks.bodyOf(row)) === null) {
        throw deliveryNotFound('This event can’t be redelivered: the fan has been erased');
      }
      return request(actor, 'webhook.redeliver', async (tx) => {
        if (!(await store.requeue(tx, row))) throw new AppError('delivery_waiting');
        return { eventId: row.event_id, type: row.type };
      });
    },
  };
}
