import type { DeliveryState } from '@stagedoor/contract/platform/webhooks';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { Row, Tx } from '../../db/tables.ts';

/** The number of new events assigned to queues at a time. */
export const RELAY_BATCH = 1_000;

/** The first waiting event of a queue. The database and the stored jobs call the queue `lane`. */
export interface Head {
  readonly lane: string;
  readonly event: number;
  /** Whether only events of mass messages wait in the queue. */
  readonly mass: boolean;
}

/** SQL condition: the event isn't of a mass message. */
const URGENT = sql<boolean>`(not ref @> '{"mass": true}')`;

/** Selects the head of a queue. `mass` ignores events that are not relayed yet: relaying them adds a job if one is needed. */
const headOf = (queue: RawBuilder<string>) => sql<Head>`
  select lane, id as event, not ${URGENT} and not exists (
    select from webhook_events where lane = ${queue} and state = 'waiting' and relayed and ${URGENT}
  ) as mass
  from webhook_events where lane = ${queue} and state = 'waiting' order by place limit 1`;

export interface QueuedEvent
  extends Row<
    'webhook_events',
    'id' | 'event_id' | 'type' | 'conversation_id' | 'ref' | 'created_at'
  > {
  /** Seconds since the event was last queued. */
  readonly age: number;
}

export interface Try {
  readonly durationMs: number;
  readonly status: number | null;
  readonly answer: string;
  readonly succeeded: boolean;
}

/**
 * Assigns new events to queues, and opens queues that were closed. Queues are locked in a fixed order and before their events,
 * to avoid deadlocks. Open queues are locked too: a process that is about to close such a queue finishes first.
 * @returns the number of events, and the head of each queue that needs a job: a queue that was opened, or that got its first
 * urgent event. In the second case there is an earlier job, which finds nothing to do or repeats a delivery in progress.
 */
export async function relayEvents(tx: Tx): Promise<{ count: number; heads: Head[] }> {
  const { rows } = await sql<{ id: number; lane: string; opened: boolean; urgent: boolean }>`
    with fresh as (
      select id, lane from webhook_events where not relayed order by id limit ${sql.lit(RELAY_BATCH)}
    ), lanes as (
      insert into webhook_lanes (lane) select distinct lane from fresh order by lane
      on conflict (lane) do update set lane = excluded.lane returning lane, xmax = 0 as opened
    )
    update webhook_events e set relayed = true from fresh join lanes on lanes.lane = fresh.lane
    where e.id = fresh.id returning e.id, lanes.lane, lanes.opened, ${URGENT} as urgent`.execute(
    tx,
  );
  const queuesOf = (some: typeof rows) => [...new Set(some.map((row) => row.lane))];
  const opened = queuesOf(rows.filter((row) => row.opened));
  const affected = queuesOf(rows.filter((row) => row.opened || row.urgent));
  if (affected.length === 0) return { count: rows.length, heads: [] };
  const heads = await sql<Head>`
    select head.* from unnest(${affected}::text[]) as queue (lane)
    cross join lateral (${headOf(sql`queue.lane`)}) head
    where head.lane = any(${opened}::text[]) or not exists (
      select from webhook_events where lane = head.lane and state = 'waiting' and ${URGENT}
        and (id = head.event or (relayed and id <> all(${rows.map(({ id }) => id)}::bigint[])))
    )`.execute(tx);
  // A queue whose events were settled in the meantime is empty: close it again.
  const waiting = new Set(heads.rows.map((head) => head.lane));
  const empty = opened.filter((queue) => !waiting.has(queue));
  if (empty.length > 0) await tx.deleteFrom('webhook_lanes').where('lane', 'in', empty).execute();
  return { count: rows.length, heads: heads.rows };
}

/** Returns the first waiting event of a queue, or null. */
export async function findHead(db: Database, queue: string): Promise<QueuedEvent | null> {
  const [event] = await db.run<QueuedEvent>(
    {
      name: 'webhooks_head',
      text: `select id, event_id, type, conversation_id, ref, created_at,
          extract(epoch from clock_timestamp() - queued_at)::float8 as age
        from webhook_events where lane = $1 and state = 'waiting' order by place limit 1`,
    },
    [queue],
  );
  return event ?? null;
}

/** Records a failed try; the event keeps waiting. */
export async function noteFailure(db: Database, event: number, attempt: Try): Promise<void> {
  await db.kysely.transaction().execute((tx) => note(tx, event, 'waiting', attempt));
}

/**
 * Settles an event. Stores nothing if the event was erased in the meantime.
 * @param attempt null if there was nothing left to send
 * @returns the next event in its queue; null after closing an empty queue, or if another job settled the event
 */
export async function settle(
  tx: Tx,
  { lane: queue, event }: Head,
  state: Exclude<DeliveryState, 'waiting'>,
  attempt: Try | null,
): Promise<Head | null> {
  const open = await lockQueue(tx, queue);
  const isSettled = await note(tx, event, state, attempt);
  if (!open) return null;
  const [next] = (await headOf(sql`${queue}`).execute(tx)).rows;
  if (next === undefined) await tx.deleteFrom('webhook_lanes').where('lane', '=', queue).execute();
  return isSettled ? (next ?? null) : null;
}

export function closeIfEmpty(db: Database, queue: string): Promise<void> {
  return db.kysely.transaction().execute(async (tx) => {
    if (!(await lockQueue(tx, queue))) return;
    // A separate statement, so that it sees everything that was committed before the lock was acquired.
    await tx
      .deleteFrom('webhook_lanes')
      .where('lane', '=', queue)
      .where(
        sql<boolean>`not exists (select from webhook_events e where e.lane = ${queue} and e.state = 'waiting')`,
      )
      .execute();
  });
}

/** Locks a queue, always before its events. @returns whether it is open */
async function lockQueue(tx: Tx, queue: string): Promise<boolean> {
  const row = await tx
    .selectFrom('webhook_lanes')
    .select('lane')
    .where('lane', '=', queue)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** @returns whether the event was still waiting */
async function note(
  tx: Tx,
  id: number,
  state: DeliveryState,
  attempt: Try | null,
): Promise<boolean> {
  const settledAt = sql<Date | null>`case when ${state} <> 'waiting' then now() end`;
  const event = sql`
    update webhook_events
    set state = ${state}, settled_at = ${settledAt}, attempts = attempts + ${attempt === null ? 0 : 1}::int
    where id = ${id} and state = 'waiting' returning id`;
  if (attempt === null) return (await event.execute(tx)).rows.length > 0;
  const { durationMs, status, answer, succeeded } = attempt;
  const noted = await sql`with event as (${event})
    insert into webhook_attempts (event, duration_ms, status, answer, succeeded)
    select id, ${durationMs}::int, ${status}::int, ${answer}, ${succeeded}::boolean from event
    returning event`.execute(tx);
  return noted.rows.length > 0;
}
