import type { ConversationStatus } from '@stagedoor/contract/conversations';
import type { Database, Statement } from '../../db/database.ts';

/**
 * Each change is one compare-and-set that raises the version and queues its event: `$1` is the conversation. The row is
 * locked before it is looked at, so that what `before` says is what the change replaced.
 */
export const action = (name: string, set: string, condition: string, audit = ''): Statement => ({
  name: `conversations_${name}`,
  text: `with before as materialized (
      select id, status, claimed_by, unread_count, marked_unread, snoozed_until
      from conversations where id = $1 for update
    ), changed as (
      update conversations c set ${set}, version = version + 1 from before
      where c.id = before.id and ${condition} returning c.id
    ), queued as (
      insert into outbox (event, payload)
      select 'conversation_updated', jsonb_build_object('conversation_id', id) from changed returning id
    ) ${audit}
    select id as outbox_id from queued`,
});

// The lock on their row makes a claim wait for a removal that is under way, so that none is left to who was removed.
const claimStatement = action(
  'claim',
  'claimed_by = $2',
  `before.claimed_by is null
    and exists (select from (select from admins where id = $2 and is_active for share) as claimant)`,
);
const releaseStatement = action('release', 'claimed_by = null', 'before.claimed_by = $2');
const releaseForOtherStatement = action(
  'release_for_other',
  'claimed_by = null',
  'before.claimed_by is not null',
  `, audited as (
    insert into audit_log (admin_id, action, target_id, details)
    select $2, 'conversation.release_for_other', changed.id, jsonb_build_object('claimed_by', before.claimed_by)
    from changed join before using (id)
  )`,
);
// Only from whom the question named: another may have taken their place since.
const takeOverStatement = action(
  'take_over',
  'claimed_by = $2',
  `(before.claimed_by is null or before.claimed_by = $3)
    and exists (select from (select from admins where id = $2 and is_active for share) as claimant)`,
  `, audited as (
    insert into audit_log (admin_id, action, target_id, details)
    select $2, 'conversation.take_over', changed.id, jsonb_build_object('claimed_by', before.claimed_by)
    from changed join before using (id) where before.claimed_by is not null
  )`,
);
const statusStatement = action('set_status', 'status = $2', 'before.status = any($3::text[])');

// A mark counts as an unread message where there is none.
const markStatement = action(
  'mark_unread',
  'marked_unread = true, unread_count = c.unread_count + 1',
  'before.unread_count = 0',
);
const unmarkStatement = action(
  'unmark_unread',
  'marked_unread = false, unread_count = c.unread_count - 1',
  'before.marked_unread',
);

/** @returns the event's place in the outbox, or null when the condition did not hold and nothing changed */
export async function runAction(
  db: Database,
  statement: Statement,
  values: readonly unknown[],
): Promise<number | null> {
  const [row] = await db.run<{ outbox_id: number }>(statement, values);
  return row?.outbox_id ?? null;
}

/** Claims a conversation if nobody holds it and the admin is active. */
export const claim = (db: Database, id: string, adminId: string) =>
  runAction(db, claimStatement, [id, adminId]);

/** Claims a conversation that a colleague holds, or nobody, and writes down from whom. @param from a UUID */
export const takeOver = (db: Database, id: string, adminId: string, from: string) =>
  runAction(db, takeOverStatement, [id, adminId, from]);

/** Releases a conversation if the admin holds it. */
export const release = (db: Database, id: string, adminId: string) =>
  runAction(db, releaseStatement, [id, adminId]);

/** Releases a conversation whoever holds it, and writes down who did. */
export const releaseForOther = (db: Database, id: string, adminId: string) =>
  runAction(db, releaseForOtherStatement, [id, adminId]);

/** Sets the status if it is one of `from`. */
export const setStatus = (
  db: Database,
  id: string,
  status: ConversationStatus,
  from: readonly ConversationStatus[],
) => runAction(db, statusStatement, [id, status, from]);

/** Marks a conversation as unread if nothing in it is. */
export const markUnread = (db: Database, id: string) => runAction(db, markStatement, [id]);

/** Takes staff's mark of unread off. */
export const unmarkUnread = (db: Database, id: string) => runAction(db, unmarkStatement, [id]);
