import type { ConversationStatus } from '@stagedoor/contract/inbox/conversations';
import type { Database, Statement } from '../../db/database.ts';
import type { ConversationTouched } from '../../db/outbox-events.ts';

/**
 * Each change is one compare-and-set that raises the version and queues its event: `$1` are the conversations. The rows are
 * locked, in one order for all who do, before they are looked at, so that what `before` says is what the change replaced.
 */
export const action = (name: string, set: string, condition: string, audit = ''): Statement => ({
  name: `conversations_${name}`,
  text: `with before as materialized (
      select id, status, claimed_by, unread_count, marked_unread, snoozed_until
      from conversations where id = any($1::uuid[]) order by id for no key update
    ), changed as (
      update conversations c set ${set}, version = version + 1 from before
      where c.id = before.id and ${condition} returning c.id
    ), queued as (
      insert into outbox (event, payload)
      select 'conversation_updated', jsonb_build_object('conversation_id', id) from changed returning id, payload
    ) ${audit}
    select id as "outboxId", payload->>'conversation_id' as "conversationId" from queued`,
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

/** Claims those of the conversations that nobody holds, if the admin is active. @param ids UUIDs @returns those that changed */
export const claim = (db: Database, ids: readonly string[], adminId: string) =>
  db.run<ConversationTouched>(claimStatement, [ids, adminId]);

/** Claims those that a colleague holds, or nobody, and writes down from whom. @param from a UUID */
export const takeOver = (db: Database, ids: readonly string[], adminId: string, from: string) =>
  db.run<ConversationTouched>(takeOverStatement, [ids, adminId, from]);

/** Releases those that the admin holds. */
export const release = (db: Database, ids: readonly string[], adminId: string) =>
  db.run<ConversationTouched>(releaseStatement, [ids, adminId]);

/** Releases them whoever holds them, and writes down who did. */
export const releaseForOther = (db: Database, ids: readonly string[], adminId: string) =>
  db.run<ConversationTouched>(releaseForOtherStatement, [ids, adminId]);

/** Sets the status of those whose status is one of `from`. */
export const setStatus = (
  db: Database,
  ids: readonly string[],
  status: ConversationStatus,
  from: readonly ConversationStatus[],
) => db.run<ConversationTouched>(statusStatement, [ids, status, from]);

/** Marks those as unread in which nothing is. */
export const markUnread = (db: Database, ids: readonly string[]) =>
  db.run<ConversationTouched>(markStatement, [ids]);

/** Takes staff's mark of unread off. */
export const unmarkUnread = (db: Database, ids: readonly string[]) =>
  db.run<ConversationTouched>(unmarkStatement, [ids]);
