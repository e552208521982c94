import type { ConversationStatus } from '@stagedoor/contract/inbox/conversations';
import { insertAudit } from '../../db/audit.ts';
import {
  type ConversationChange,
  changeConversations,
  conversationChange,
} from '../../db/change-conversation.ts';
import type { Database, Statement } from '../../db/database.ts';
import type { ConversationTouched } from '../../db/outbox-events.ts';
import type { Tx } from '../../db/tables.ts';

/** Builds the compare-and-set statement for an action on the conversations whose ids are `$1`. */
export const action = (name: string, change: ConversationChange): Statement => ({
  name: `conversations_${name}`,
  text: conversationChange(change),
});

// Locking the admin's row makes a claim wait for a concurrent removal, so that a removed admin never keeps a claim. The
// condition refers to no conversation, so PostgreSQL evaluates it, and locks the admin, before it locks any conversation.
const IS_ACTIVE = `exists (select from (select from admins where id = $2 and is_active for share) as claimant)`;

const audited = (name: string) =>
  `audited as (${insertAudit(
    '$2',
    `conversation.${name}`,
    'changed.id',
    `jsonb_build_object('claimed_by', before.claimed_by)`,
    'from changed join before using (id) where before.claimed_by is not null',
  )})`;

const claimStatement = action('claim', {
  set: 'claimed_by = $2',
  where: `before.claimed_by is null and ${IS_ACTIVE}`,
});
const releaseStatement = action('release', {
  set: 'claimed_by = null',
  where: 'before.claimed_by = $2',
});
const releaseForOtherStatement = action('release_for_other', {
  set: 'claimed_by = null',
  where: 'before.claimed_by is not null',
  after: audited('release_for_other'),
});
// Takes over only from the given admin: someone else may have claimed the conversation since.
const takeOverStatement = action('take_over', {
  set: 'claimed_by = $2',
  where: `(before.claimed_by is null or before.claimed_by = $3) and ${IS_ACTIVE}`,
  after: audited('take_over'),
});
// The assignee must be allowed to claim conversations. The row lock keeps the assignee active until the commit.
const assignStatement = action('assign', {
  set: 'claimed_by = $3',
  where: `before.claimed_by is distinct from $3 and (before.claimed_by is null or before.claimed_by = $2 or $4)
    and exists (select from (
      select from admins where id = $3 and is_active and can_manage_messages for share) as assignee)`,
  after: `audited as (${insertAudit(
    '$2',
    'conversation.assign',
    'changed.id',
    `jsonb_build_object('to_id', $3::uuid, 'claimed_by', before.claimed_by)`,
    'from changed join before using (id)',
  )})`,
});
// Reads the assignments to undo, and locks the former holders who can still claim before it locks the conversations.
const unassignStatement = action('unassign', {
  first: `latest as materialized (
      select distinct on (target_id) target_id, admin_id, (details->>'to_id')::uuid as to_id,
        (details->>'claimed_by')::uuid as former
      from audit_log
      where target_id = any($1::uuid[]) and action = 'conversation.assign' and at > now() - interval '1 minute'
      order by target_id, at desc, id desc
    ), formers as materialized (
      select id from admins
      where id in (select former from latest where admin_id = $2) and is_active and can_manage_messages
      order by id for share
    )`,
  before: `select c.id, c.claimed_by, formers.id as former
    from conversations c join latest on latest.target_id = c.id left join formers on formers.id = latest.former
    where latest.admin_id = $2 and c.claimed_by = latest.to_id and (select count(*) from formers) >= 0
    order by c.id for no key update of c`,
  set: 'claimed_by = before.former',
  after: `audited as (${insertAudit(
    '$2',
    'conversation.unassign',
    'changed.id',
    `jsonb_build_object('to_id', before.former, 'claimed_by', before.claimed_by)`,
    'from changed join before using (id)',
  )})`,
});
const statusStatement = action('set_status', {
  set: 'status = $2',
  where: 'before.status = any($3::text[])',
});

// Only conversations without unread messages can be marked. The mark counts as 1 in `unread_count`.
const markStatement = action('mark_unread', {
  set: 'marked_unread = true, unread_count = c.unread_count + 1',
  where: 'before.unread_count = 0',
});
const unmarkStatement = action('unmark_unread', {
  set: 'marked_unread = false, unread_count = c.unread_count - 1',
  where: 'before.marked_unread',
});

/** Claims the given conversations that are unclaimed, if the admin is active. @param ids UUIDs @returns the changed ones */
export const claim = (db: Database, ids: readonly string[], adminId: string) =>
  db.run<ConversationTouched>(claimStatement, [ids, adminId]);

/** Claims conversations that are unclaimed or claimed by `from`, and audits the takeover. @param from the teammate's UUID */
export const takeOver = (db: Database, ids: readonly string[], adminId: string, from: string) =>
  db.run<ConversationTouched>(takeOverStatement, [ids, adminId, from]);

/**
 * Claims conversations for the assignee, and audits the change.
 * @param to the assignee's UUID
 * @param evenClaimed whether conversations that others have claimed are reassigned
 */
export const assign = (
  db: Database,
  ids: readonly string[],
  actorId: string,
  to: string,
  evenClaimed: boolean,
) => db.run<ConversationTouched>(assignStatement, [ids, actorId, to, evenClaimed]);

/** Gives conversations that the actor assigned within the last minute back to their previous holders, and audits the change. */
export const unassign = (db: Database, ids: readonly string[], actorId: string) =>
  db.run<ConversationTouched>(unassignStatement, [ids, actorId]);

export const release = (db: Database, ids: readonly string[], adminId: string) =>
  db.run<ConversationTouched>(releaseStatement, [ids, adminId]);

/** Releases conversations regardless of who claimed them, and audits the change. */
export const releaseForOther = (db: Database, ids: readonly string[], adminId: string) =>
  db.run<ConversationTouched>(releaseForOtherStatement, [ids, adminId]);

/** Releases all conversations that a removed admin holds. */
export const releaseClaimsOf = (tx: Tx, adminId: string) =>
  changeConversations(tx, [adminId], {
    before: 'select id from conversations where claimed_by = $1 order by id for no key update',
    set: 'claimed_by = null',
  });

/** Sets the status of conversations whose current status is in `from`. */
export const setStatus = (
  db: Database,
  ids: readonly string[],
  status: ConversationStatus,
  from: readonly ConversationStatus[],
) => db.run<ConversationTouched>(statusStatement, [ids, status, from]);

export const markUnread = (db: Database, ids: readonly string[]) =>
  db.run<ConversationTouched>(markStatement, [ids]);

/** Removes the unread mark that staff set. */
export const unmarkUnread = (db: Database, ids: readonly string[]) =>
  db.run<ConversationTouched>(unmarkStatement, [ids]);
