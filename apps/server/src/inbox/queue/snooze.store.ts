import type { Database, Statement } from '../../db/database.ts';
import type { ConversationTouched } from '../../db/outbox-events.ts';
import { action } from '../conversations/actions.store.ts';

/** The most snoozes ended per run. */
const WOKEN_TOGETHER = 100;

const audited = (name: string, admin: string, details: string) => `audited as (
    insert into audit_log (admin_id, action, target_id, details)
    select ${admin}, '${name}', changed.id, ${details} from changed
  )`;

const snoozeStatement = action(
  'snooze',
  'snoozed_until = $2::timestamptz',
  'before.snoozed_until is distinct from $2::timestamptz',
  `, timed as (
    insert into snoozes (conversation_id, wakes_at) select id, $2 from changed where $2::timestamptz < 'infinity'
    on conflict (conversation_id) do update set wakes_at = excluded.wakes_at
  ), ${audited('conversation.snooze', '$3', `jsonb_build_object('until', nullif($2::timestamptz, 'infinity'))`)}`,
);
const unsnoozeStatement = action(
  'unsnooze',
  'snoozed_until = null',
  'before.snoozed_until is not null',
  `, ${audited('conversation.unsnooze', '$2', `'{}'::jsonb`)}`,
);

/** Snoozes a conversation and audits it. @param until null for until the fan writes */
export const snooze = (db: Database, id: string, adminId: string, until: Date | null) =>
  db.run<ConversationTouched>(snoozeStatement, [[id], until ?? 'infinity', adminId]);

/** Ends a snooze and audits it. */
export const unsnooze = (db: Database, id: string, adminId: string) =>
  db.run<ConversationTouched>(unsnoozeStatement, [[id], adminId]);

// Locks the conversations first, as everywhere. A snooze that was ended or moved in the meantime has another time and is skipped.
const wakeStatement: Statement = {
  name: 'queue_wake',
  text: `with due as materialized (
      select s.conversation_id as id, s.wakes_at from snoozes s join conversations c on c.id = s.conversation_id
      where s.wakes_at <= clock_timestamp() order by s.wakes_at limit ${WOKEN_TOGETHER} for no key update of c skip locked
    ), gone as (
      delete from snoozes s using due where s.conversation_id = due.id and s.wakes_at = due.wakes_at
    ), changed as (
      update conversations c set snoozed_until = null, version = c.version + 1 from due
      where c.id = due.id and c.snoozed_until = due.wakes_at returning c.id
    ), queued as (
      insert into outbox (event, payload)
      select 'conversation_updated', jsonb_build_object('conversation_id', id) from changed returning id, payload
    )
    select id as "outboxId", payload->>'conversation_id' as "conversationId" from queued`,
};

/** Ends due snoozes. Each ends once, even with several nodes. */

export const wakeDue = (db: Database): Promise<ConversationTouched[]> => db.run(wakeStatement, []);
