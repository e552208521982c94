import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { insertEvents } from '../../db/outbox-events.ts';
import type { Tx } from '../../db/tables.ts';
import { extendUploads } from '../../media/uploads.store.ts';
import type { SharedUpdate } from '../../realtime/shared-updates.ts';
import type { StoredScheduled } from './scheduled.store.ts';

/** How long a process has to send a message that it took. After that, another process can take the message. Seconds. */
export const TAKEN_SECONDS = 30;

const TAKE = `taken_until = clock_timestamp() + interval '${TAKEN_SECONDS} seconds', attempts = attempts + 1`;

/** Takes the earliest due message that no process has taken, or null. */
export async function takeDue(db: Database): Promise<StoredScheduled | null> {
  const [row] = await db.run<StoredScheduled>(
    {
      name: 'scheduled_take_due',
      text: `update scheduled_messages set ${TAKE} where id = (
          select id from scheduled_messages
          where state = 'waiting' and due_at <= clock_timestamp()
            and (taken_until is null or taken_until <= clock_timestamp())
          order by due_at limit 1 for update skip locked
        ) returning *`,
    },
    [],
  );
  return row ?? null;
}

/** Takes a message before it is due. @returns its updated row */
export async function takeNow(tx: Tx, id: string): Promise<StoredScheduled> {
  const { rows } = await sql<StoredScheduled>`
    update scheduled_messages set ${sql.raw(TAKE)}, state = 'waiting', reason = null,
      is_follow_up = false, send_at = clock_timestamp(), due_at = clock_timestamp(), version = version + 1
    where id = ${id} returning *`.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new Error('the scheduled message no longer exists');
  return row;
}

interface Queued {
  readonly id: number;
  readonly conversation_id: string;
}

/** @param rows SQL for rows with a conversation's id */
const queuedFor = (rows: string) =>
  `queued as (${insertEvents(
    'shared_updated',
    `jsonb_build_object('what', 'scheduled', 'conversation_id', changed.conversation_id, 'admin_id', null)`,
    `from ${rows} changed`,
  )}) select id, payload->>'conversation_id' as conversation_id from queued`;

const updateOf = ({ id, conversation_id }: Queued): SharedUpdate => ({
  event: { what: 'scheduled', conversation_id },
  adminId: null,
  outboxId: id,
});

/** The result of an attempt: the sent message, the reason why it won't be sent, or the seconds until the next attempt. */
export type Outcome =
  | { readonly state: 'sent'; readonly messageId: string }
  | { readonly state: 'cancelled' | 'failed'; readonly reason: string }
  | { readonly state: 'waiting'; readonly seconds: number };

/**
 * Stores the outcome, unless the message already has a final outcome. Keeps the files of a failed message for another month.
 * @returns the change to emit; empty if nothing was stored
 */
export async function noteOutcome(
  db: Database,
  id: string,
  outcome: Outcome,
): Promise<SharedUpdate[]> {
  const rows = await db.run<Queued>(
    {
      name: 'scheduled_note_outcome',
      text: `with noted as (
          update scheduled_messages set state = $2, message_id = $3, reason = $4, taken_until = null,
            due_at = case when $2 = 'waiting' then clock_timestamp() + $5 * interval '1 second' else due_at end,
            settled_at = case when $2 = 'waiting' then null else clock_timestamp() end,
            version = version + case when $2 = 'waiting' then 0 else 1 end
          where id = $1 and state = 'waiting' returning conversation_id, attachments, state
        ), kept as (
          ${extendUploads(
            "now() + interval '30 days'",
            `id in (
              select (a->'input'->>'id')::uuid from noted, jsonb_array_elements(noted.attachments) a
              where noted.state = 'failed' and a->'input'->>'id' is not null)`,
          )}
        ), ${queuedFor('noted')}`,
    },
    [
      id,
      outcome.state,
      outcome.state === 'sent' ? outcome.messageId : null,
      'reason' in outcome ? outcome.reason : null,
      'seconds' in outcome ? outcome.seconds : 0,
    ],
  );
  return rows.map(updateOf);
}

/**
 * Cancels follow-ups in conversations with a newer message. Like `send.sql`, it ignores mass messages and unsent ones.
 * @returns the changes to emit, one per conversation
 */
export async function cancelStaleFollowUps(db: Database): Promise<SharedUpdate[]> {
  const rows = await db.run<Queued>(
    {
      name: 'scheduled_cancel_stale',
      // Skips follow-ups with a send attempt, because the newer message may be the follow-up itself.
      text: `with cancelled as (
        update scheduled_messages s set state = 'cancelled', settled_at = now(), version = s.version + 1
        from conversations c
        where s.state = 'waiting' and s.is_follow_up and c.id = s.conversation_id and c.last_seq > s.after_seq
          and s.attempts = 0 and exists (
            select from messages m where m.conversation_id = c.id and m.seq > s.after_seq and m.campaign_id is null
              and m.unsent_at is null
          )
        returning s.conversation_id
        ), ${queuedFor('(select distinct conversation_id from cancelled)')}`,
    },
    [],
  );
  return rows.map(updateOf);
}
