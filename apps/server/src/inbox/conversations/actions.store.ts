import type { ConversationStatus } from '@stagedoor/contract/inbox/conversations';
import type { Database, Statement } from '../../db/database.ts';
import type { ConversationTouched } from '../../db/outbox-events.ts';

/**
 * Builds a change of conversations as one compare-and-set that raises the version and queues the event. `$1` are the
 * conversation ids. Locks the rows in a fixed order before reading them, so that `before` is the state that the change replaces.
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

// Locking the admin's row makes a claim wait for a concurrent removal, so that a removed admin never keeps a claim.
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
// Only from the given admin: another may have claimed it since.
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

// The mark adds one to `unread_count` if there are no unread messages.
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

/** Claims the unclaimed ones of the conversations, if the admin is active. @param ids UUIDs @returns those that changed */
export const claim = (db: Database, ids: readonly string[], adminId: string) =>
  db.run<ConversationTouched>(claimStatement, [ids, adminId]);

/** Claims conversations that are unclaimed or held by one teammate, and audits the takeover. @param from a UUID */
export const takeOver = (db: Database, ids: readonly string[], adminId: string, from: string) =>
  db.run<ConversationTouched>(takeOverStatement, [ids, adminId, from]);

/** Releases the conversations that the admin holds. */
export const release = (db: Database, ids: readonly string[], adminId: string) =>
  db.run<ConversationTouched>(releaseStatement, [ids, adminId]);

/** Releases conversations held by anyone, and audits it. */
export const releaseForOther = (db: Database, ids: readonly string[], adminId: string) =>
  db.run<ConversationTouched>(releaseForOtherStatement, [ids, adminId]);

/** Sets the status of conversations whose current status is in `from`. */
export const setStatus = (
  db: Database,
  ids: readonly string[],
  status: ConversationStatus,
  from: readonly ConversationStatus[],
) => db.run<ConversationTouched>(statusStatement, [ids, status, from]);

/** Marks conversations without unread messages as unread. */
export const markUnread = (db: Database, ids: readonly string[]) =>
  db.run<ConversationTouched>(markStatement, [ids]);

/** Removes the unread mark that staff set. */
export const unmarkUnread = (db: Database, ids: readonly string[]) =>
  db.run<ConversationTouched>(unmarkStatement, [ids]);
