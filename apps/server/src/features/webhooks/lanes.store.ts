import type { DeliveryState, WebhookType } from '@stagedoor/contract/webhooks';
import { sql, type Transaction } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { Tables } from '../../db/tables.ts';

/**
 * A lane that nobody has worked on for this long is worked on by someone else: its process was killed. Longer than a try
 * can take. Seconds.
 */
const CLAIM_SECONDS = 60;
/** Fresh events that lanes are told of at a time. */
const RELAY_BATCH = 1_000;

/** Events that are delivered one after the other; nobody else works on it while the claim is held. */
export interface Lane {
  readonly lane: string;
  readonly claim: string;
}

/** The event that is next in its lane. */
export interface QueuedEvent {
  readonly id: number;
  readonly event_id: string;
  readonly type: WebhookType;
  readonly conversation_id: string | null;
  readonly ref: unknown;
  readonly created_at: Date;
  /** Milliseconds since it was queued, or queued again. */
  readonly age_ms: number;
  /** Tries since then; all have failed. */
  readonly tries: number;
}

/** One try, as it went. */
export interface Try {
  readonly durationMs: number;
  readonly status: number | null;
  readonly answer: string;
  readonly succeeded: boolean;
}

/**
 * Tells lanes of fresh events. Lanes are taken in one order, and before the events, so that nobody waits in a circle. A lane
 * that exists is updated all the same: whoever is about to delete it must first be done.
 * @returns how many there were
 */
export async function relayEvents(db: Database): Promise<number> {
  const rows = await db.run<{ id: number }>(
    {
      name: 'webhooks_relay',
      text: `with fresh as (
          select id, lane from webhook_events where not relayed order by id limit ${RELAY_BATCH}
        ), lanes as (
          insert into webhook_lanes (lane) select distinct lane from fresh order by lane
          on conflict (lane) do update set due_at = webhook_lanes.due_at returning 1
        )
        update webhook_events set relayed = true
        where id in (select id from fresh where (select count(*) from lanes) >= 0) returning id`,
    },
    [],
  );
  return rows.length;
}

/** Takes lanes that are due, those first that have been for the longest. */
export function claimLanes(db: Database, limit: number): Promise<Lane[]> {
  return db.run<Lane>(
    {
      name: 'webhooks_claim',
      text: `with due as (
          select lane from webhook_lanes where due_at <= now() order by due_at limit $1 for update skip locked
        )
        update webhook_lanes l set due_at = now() + interval '${CLAIM_SECONDS} seconds', claim = gen_random_uuid()
        from due where l.lane = due.lane returning l.lane, l.claim`,
    },
    [limit],
  );
}

/** The event whose turn it is; null where none waits. A statement of its own, which sees what was settled before the claim. */
export async function findHead(db: Database, { lane }: Lane): Promise<QueuedEvent | null> {
  const [event] = await db.run<QueuedEvent>(
    {
      name: 'webhooks_head',
      text: `select id, event_id, type, conversation_id, ref, created_at,
          extract(epoch from clock_timestamp() - queued_at)::float8 * 1000 as age_ms,
          (select count(*) from webhook_attempts a where a.event = e.id and a.at >= e.queued_at) as tries
        from webhook_events e where lane = $1 and state = 'waiting' order by place limit 1`,
    },
    [lane],
  );
  return event ?? null;
}

/** What a try came to: the event's state from now on, and how long its lane rests. */
export interface Outcome {
  readonly state: DeliveryState;
  /** Null where none was made, as there is nothing to tell any more. */
  readonly attempt: Try | null;
  /** Milliseconds. */
  readonly pauseMs: number;
}

/** Notes what became of an event and lets go of its lane. Of one that was erased meanwhile nothing is noted. */
export function settle(
  db: Database,
  lane: Lane,
  event: QueuedEvent,
  outcome: Outcome,
): Promise<void> {
  return db.kysely.transaction().execute(async (tx) => {
    const held = await holdLane(tx, lane);
    await note(tx, event.id, outcome);
    if (held) await release(tx, lane, outcome.pauseMs);
  });
}

/** Lets go of a lane in which nothing was found to wait. */
export function releaseLane(db: Database, lane: Lane): Promise<void> {
  return db.kysely.transaction().execute(async (tx) => {
    if (await holdLane(tx, lane)) await release(tx, lane, 0);
  });
}

/** Locks a lane – before its events, as everywhere. @returns whether the claim still stands */
async function holdLane(tx: Transaction<Tables>, { lane, claim }: Lane): Promise<boolean> {
  const { rows } = await sql`
    select from webhook_lanes where lane = ${lane} and claim = ${claim}::uuid for update`.execute(
    tx,
  );
  return rows.length > 0;
}

async function note(
  tx: Transaction<Tables>,
  id: number,
  { state, attempt }: Outcome,
): Promise<void> {
  const settledAt = sql<Date | null>`case when ${state} <> 'waiting' then now() end`;
  const event = sql`
    update webhook_events
    set state = ${state}, settled_at = ${settledAt}, attempts = attempts + ${attempt === null ? 0 : 1}::int
    where id = ${id} and state = 'waiting' returning id`;
  if (attempt === null) await event.execute(tx);
  else {
    const { durationMs, status, answer, succeeded } = attempt;
    await sql`with event as (${event})
      insert into webhook_attempts (event, duration_ms, status, answer, succeeded)
      select id, ${durationMs}::int, ${status}::int, ${answer}, ${succeeded}::boolean from event`.execute(
      tx,
    );
  }
}

/** Each statement sees what was committed before it, so that a lane which was told of an event meanwhile stays. */
async function release(tx: Transaction<Tables>, { lane }: Lane, pauseMs: number): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom('webhook_lanes')
    .where('lane', '=', lane)
    .where(
      sql<boolean>`not exists (select from webhook_events e where e.lane = ${lane} and e.state = 'waiting')`,
    )
    .executeTakeFirstOrThrow();
  if (numDeletedRows > 0n) return;
  await tx
    .updateTable('webhook_lanes')
    .set({ claim: null, due_at: sql<Date>`now() + ${pauseMs}::float8 * interval '1 millisecond'` })
    .where('lane', '=', lane)
    .execute();
}

/** Has lanes that rest after failed tries tried at once. Those that somebody holds just now are not waited for. */
export async function hurryLanes(db: Database): Promise<void> {
  await db.runPlanned(
    `update webhook_lanes set due_at = now() where lane in (
      select lane from webhook_lanes where claim is null and due_at > now() for update skip locked)`,
    [],
  );
}
