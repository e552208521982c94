import type { Database, Statement } from '../../db/database.ts';
import type { ConversationTouched } from '../../db/outbox-events.ts';

/** The most claims released per run. */
const BATCH = 100;

/**
 * Skips locked rows, which another transaction is changing; the next run checks them again. A claim that predates
 * `claim_active_at` counts from the conversation's last message.
 */
const releaseStatement: Statement = {
  name: 'conversations_release_expired',
  text: `with due as materialized (
      select c.id, c.claimed_by, s.release_claims_after_hours as hours
      from team_settings s join conversations c on c.claimed_by is not null
        and coalesce(c.claim_active_at, c.last_message_at) <= now() - make_interval(hours => s.release_claims_after_hours)
      where s.release_claims_after_hours is not null
      limit ${BATCH} for no key update of c skip locked
    ), changed as (
      update conversations c set claimed_by = null, version = version + 1 from due where c.id = due.id returning c.id
    ), audited as (
      insert into audit_log (admin_id, action, target_id, details)
      select null, 'conversation.release_expired', id, jsonb_build_object('claimed_by', due.claimed_by, 'hours', due.hours)
      from changed join due using (id)
    ), queued as (
      insert into outbox (event, payload)
      select 'conversation_updated', jsonb_build_object('conversation_id', id) from changed returning id, payload
    )
    select id as "outboxId", payload->>'conversation_id' as "conversationId" from queued`,
};

/** Releases claims whose holder has been inactive longer than the team's rules allow. Each is released once. */
export const releaseExpired = (db: Database): Promise<ConversationTouched[]> =>
  db.run<ConversationTouched>(releaseStatement, []);
