import { insertAudit } from '../../db/audit.ts';
import { conversationChange } from '../../db/change-conversation.ts';
import type { Database, Statement } from '../../db/database.ts';
import type { ConversationTouched } from '../../db/outbox-events.ts';
import { action } from '../conversations/actions.store.ts';

/** The maximum number of snoozes ended per run. */
const WOKEN_TOGETHER = 100;

const audited = (name: string, admin: string, details: string) =>
  `audited as (${insertAudit(admin, name, 'id', details, 'from changed')})`;

const snoozeStatement = action('snooze', {
  set: 'snoozed_until = $2::timestamptz',
  where: 'before.snoozed_until is distinct from $2::timestamptz',
  after: `timed as (
      insert into snoozes (conversation_id, wakes_at) select id, $2 from changed where $2::timestamptz < 'infinity'
      on conflict (conversation_id) do update set wakes_at = excluded.wakes_at
    ), ${audited('conversation.snooze', '$3', `jsonb_build_object('until', nullif($2::timestamptz, 'infinity'))`)}`,
});
const unsnoozeStatement = action('unsnooze', {
  set: 'snoozed_until = null',
  where: 'before.snoozed_until is not null',
  after: audited('conversation.unsnooze', '$2', `'{}'::jsonb`),
});

/** Snoozes conversations, and audits the change. @param until null to snooze until the fan writes */
export const snooze = (db: Database, ids: readonly string[], adminId: string, until: Date | null) =>
  db.run<ConversationTouched>(snoozeStatement, [ids, until ?? 'infinity', adminId]);

/** Ends snoozes, and audits the change. */
export const unsnooze = (db: Database, ids: readonly string[], adminId: string) =>
  db.run<ConversationTouched>(unsnoozeStatement, [ids, adminId]);

// Compares the times, so that a snooze that was ended or changed in the meantime is skipped.
const wakeStatement: Statement = {
  name: 'queue_wake',
  text: conversationChange({
    before: `
      select s.conversation_id as id, s.wakes_at from snoozes s join conversations c on c.id = s.conversation_id
      where s.wakes_at <= clock_timestamp() order by s.wakes_at limit ${WOKEN_TOGETHER} for no key update of c skip locked`,
    given: `gone as (
      delete from snoozes s using before where s.conversation_id = before.id and s.wakes_at = before.wakes_at
    )`,
    set: 'snoozed_until = null',
    where: 'c.snoozed_until = before.wakes_at',
  }),
};

/** Ends due snoozes. Each ends once, even with several nodes. */
export const wakeDue = (db: Database): Promise<ConversationTouched[]> => db.run(wakeStatement, []);
