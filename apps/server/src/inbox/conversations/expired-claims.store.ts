import { insertAudit } from '../../db/audit.ts';
import { conversationChange } from '../../db/change-conversation.ts';
import type { Database, Statement } from '../../db/database.ts';
import type { ConversationTouched } from '../../db/outbox-events.ts';

/** The maximum number of claims released per run. */
const BATCH = 100;

/**
 * Skips locked rows, which another transaction is changing; the next run checks them again. For a claim made before the
 * column `claim_active_at` existed, the time of the conversation's last message counts.
 */
const releaseStatement: Statement = {
  name: 'conversations_release_expired',
  text: conversationChange({
    before: `
      select c.id, c.claimed_by, s.release_claims_after_hours as hours
      from team_settings s join conversations c on c.claimed_by is not null
        and coalesce(c.claim_active_at, c.last_message_at) <= now() - make_interval(hours => s.release_claims_after_hours)
      where s.release_claims_after_hours is not null
      limit ${BATCH} for no key update of c skip locked`,
    set: 'claimed_by = null',
    after: `audited as (${insertAudit(
      'null',
      'conversation.release_expired',
      'id',
      `jsonb_build_object('claimed_by', before.claimed_by, 'hours', before.hours)`,
      'from changed join before using (id)',
    )})`,
  }),
};

/** Releases claims whose holder has been inactive longer than the team's rules allow. Each is released once. */
export const releaseExpired = (db: Database): Promise<ConversationTouched[]> =>
  db.run<ConversationTouched>(releaseStatement, []);
