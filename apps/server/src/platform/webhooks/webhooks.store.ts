import type {
  Delivery,
  DeliveryAttempt,
  DeliveryState,
  Webhook,
} from '@stagedoor/contract/platform/webhooks';
import { type Kysely, sql } from 'kysely';
import { lockConversations } from '../../db/change-conversation.ts';
import type { Database } from '../../db/database.ts';
import type { Tables, Tx } from '../../db/tables.ts';
import { webhookId } from './webhook-id.ts';

/** The maximum number of tries shown per event. */
const TRIES_SHOWN = 20;
/** How long events wait while no receiver is set. */
const WAIT_WITHOUT_RECEIVER = "interval '3 days'";
/** The number of deliveries purged, or queues closed, at a time. */
const PRUNE_BATCH = 1_000;

/** Stores the receiver's URL, so that events are queued. @param url null: no events are queued */
export async function setEndpoint(db: Database, url: string | null): Promise<void> {
  await db.runPlanned('update webhook_endpoint set url = $1 where url is distinct from $1', [url]);
}

export async function countDeliveries(db: Database): Promise<Record<'waiting' | 'failed', number>> {
  const [counts] = await db.run<Record<'waiting' | 'failed', number>>(
    {
      name: 'webhooks_counts',
      text: `select (select count(*) from webhook_events where state = 'waiting') as waiting,
        (select count(*) from webhook_events where state = 'failed') as failed`,
    },
    [],
  );
  return counts ?? { waiting: 0, failed: 0 };
}

/** Returns when a try last succeeded, and when the latest one failed if none has succeeded since. */
export async function findHealth(
  db: Database,
): Promise<Pick<Webhook, 'last_delivered_at' | 'failing_since'>> {
  const [health] = await db.run<{ delivered: Date | null; failed: Date | null }>(
    {
      name: 'webhooks_health',
      text: `with good as (select id, at from webhook_attempts where succeeded order by id desc limit 1),
          bad as (select id, at from webhook_attempts where not succeeded order by id desc limit 1)
        select (select at from good) as delivered,
          (select at from bad where id > coalesce((select id from good), 0)) as failed`,
    },
    [],
  );
  return {
    last_delivered_at: health?.delivered?.toISOString() ?? null,
    failing_since: health?.failed?.toISOString() ?? null,
  };
}

/** @param filter `before` is the last id of the previous page; null: the first page */
export async function listDeliveries(
  db: Database,
  filter: { readonly state: DeliveryState | undefined; readonly before: number | null },
  limit: number,
): Promise<DeliveryRow[]> {
  return select(db.kysely)
    .$if(filter.before !== null, (query) => query.where('e.id', '<', filter.before ?? 0))
    .$if(filter.state !== undefined, (query) =>
      query.where('e.state', '=', filter.state ?? 'waiting'),
    )
    .orderBy('e.id', 'desc')
    .limit(limit)
    .execute();
}

/** @param eventId a UUID */
export async function findDelivery(
  db: Kysely<Tables>,
  eventId: string,
): Promise<DeliveryRow | null> {
  const row = await select(db).where('e.event_id', '=', eventId).executeTakeFirst();
  return row ?? null;
}

/** Returns the latest tries of an event, newest first. */
export async function listTries(db: Database, event: number): Promise<DeliveryAttempt[]> {
  const rows = await db.kysely
    .selectFrom('webhook_attempts')
    .select(['at', 'duration_ms', 'status', 'answer'])
    .where('event', '=', event)
    .orderBy('id', 'desc')
    .limit(TRIES_SHOWN)
    .execute();
  return rows.map(({ at, ...attempt }) => ({ at: at.toISOString(), ...attempt }));
}

/**
 * Puts a settled event back in its queue, behind the events that are waiting there.
 * @returns whether the event was settled
 */
export async function requeue(
  tx: Tx,
  { id, conversation_id }: Pick<DeliveryRow, 'id' | 'conversation_id'>,
): Promise<boolean> {
  // Every transaction that queues an event takes this lock before a `place`, so that a queue's events commit in order.
  if (conversation_id !== null) await lockConversations(tx, sql`id = ${conversation_id}`);
  else await tx.selectFrom('creators').select('id').forNoKeyUpdate().execute();
  const { numUpdatedRows } = await tx
    .updateTable('webhook_events')
    .set({
      state: 'waiting',
      settled_at: null,
      place: sql<number>`nextval('webhook_places')`,
      queued_at: sql<Date>`clock_timestamp()`,
      relayed: false,
      ref: sql`ref - 'mass'`,
    })
    .where('id', '=', id)
    .where('state', '<>', 'waiting')
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Counts the webhook requests of all staff within the last minute. */
export async function countRequests(tx: Tx): Promise<number> {
  const { count } = await tx
    .selectFrom('audit_log')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('thing', '=', 'webhook')
    .where('at', '>', sql<Date>`now() - interval '1 minute'`)
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * Purges old settled deliveries, and gives up events that waited too long without a receiver.
 * Skips locked deliveries, for example those of a fan being erased; the next call purges them.
 * @param days how long settled deliveries are kept
 */
export async function pruneDeliveries(db: Database, days: number): Promise<void> {
  while ((await giveUpStalled(db)) === PRUNE_BATCH);
  for (let pruned = PRUNE_BATCH; pruned === PRUNE_BATCH; ) {
    const rows = await db.runPlanned(
      `delete from webhook_events where id in (
        select id from webhook_events where settled_at < now() - make_interval(days => $1::int) limit ${PRUNE_BATCH}
        for update skip locked) returning id`,
      [days],
    );
    pruned = rows.length;
  }
}

/**
 * Gives up events that waited too long without a receiver, and closes their queues, because the queues' jobs are obsolete. The
 * other waiting events become new again, so that their queues reopen once there is a receiver. Counting the closed queues locks
 * them before their events.
 * @returns the number of queues closed, at most {@link PRUNE_BATCH}
 */
async function giveUpStalled(db: Database): Promise<number> {
  const closed = await db.runPlanned(
    `with late as (
      select distinct lane from webhook_events
      where state = 'waiting' and queued_at < now() - ${WAIT_WITHOUT_RECEIVER} and exists (select from webhook_endpoint where url is null)
      limit ${PRUNE_BATCH}
    ), closed as (
      delete from webhook_lanes where lane in (
        select lane from webhook_lanes where lane in (select lane from late) order by lane for update) returning lane
    ), given_up as (
      update webhook_events e set
        relayed = e.queued_at < now() - ${WAIT_WITHOUT_RECEIVER},
        state = case when e.queued_at < now() - ${WAIT_WITHOUT_RECEIVER} then 'failed' else 'waiting' end,
        settled_at = case when e.queued_at < now() - ${WAIT_WITHOUT_RECEIVER} then now() end
      from late where e.lane = late.lane and e.state = 'waiting' and (select count(*) from closed) >= 0
    ) select from late`,
    [],
  );
  return closed.length;
}

const select = (db: Kysely<Tables>) =>
  db
    .selectFrom('webhook_events as e')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('webhook_attempts as a')
          .select(['a.at', 'a.duration_ms', 'a.status', 'a.answer'])
          .whereRef('a.event', '=', 'e.id')
          .orderBy('a.id', 'desc')
          .limit(1)
          .as('last'),
      (join) => join.onTrue(),
    )
    .select([
      'e.id',
      'e.event_id',
      'e.type',
      'e.state',
      'e.conversation_id',
      'e.ref',
      'e.created_at',
      'e.attempts',
      'last.at',
      'last.duration_ms',
      'last.status',
      'last.answer',
    ]);

export type DeliveryRow = Awaited<ReturnType<ReturnType<typeof select>['execute']>>[number];

export const presentDelivery = (row: DeliveryRow): Delivery => ({
  id: webhookId(row.event_id),
  type: row.type,
  state: row.state,
  conversation_id: row.conversation_id,
  created_at: row.created_at.toISOString(),
  attempts: row.attempts,
  last_attempt:
    row.at === null || row.duration_ms === null || row.answer === null
      ? null
      : {
          at: row.at.toISOString(),
          duration_ms: row.duration_ms,
          status: row.status,
          answer: row.answer,
        },
});
