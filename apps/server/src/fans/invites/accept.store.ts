import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { ConversationTouched } from '../../db/outbox-events.ts';
import type { Row } from '../../db/tables.ts';
import { lockConversation, touchConversation } from '../fans/fan-conversation.store.ts';
import { grantBenefit } from '../subscriptions/subscriptions.store.ts';

interface Acceptance extends Row<'invites', 'benefit_type' | 'benefit_ends_at'> {
  readonly invite_id: string;
  readonly accepted_at: Date;
  /** Null if the fan had already accepted it. */
  readonly touched: ConversationTouched | null;
}

/**
 * Accepts an invitation for a fan and grants its benefit. A retry for the same fan returns the same result.
 * @returns `unknown`, `used` by another fan, `expired`, or `no fan` if the fan was erased in the meantime; these grant nothing
 */
export async function acceptInvite(
  db: Database,
  tokenHash: Buffer,
  fanId: string,
): Promise<Acceptance | 'unknown' | 'used' | 'expired' | 'no fan'> {
  return db.kysely.transaction().execute(async (tx) => {
    if (!(await lockConversation(tx, fanId))) return 'no fan';
    // Lock the row, so that a second acceptance sees the first.
    const invite = await tx
      .selectFrom('invites')
      .select(['id', 'benefit_type', 'accepted_at', 'accepted_by', 'benefit_ends_at'])
      .select(sql<boolean>`expires_at <= clock_timestamp()`.as('has_expired'))
      .where('token_hash', '=', tokenHash)
      .forUpdate()
      .executeTakeFirst();
    if (invite === undefined) return 'unknown';
    const { id: invite_id, benefit_type, accepted_at, accepted_by, benefit_ends_at } = invite;
    if (accepted_at !== null) {
      return accepted_by === fanId
        ? { invite_id, benefit_type, accepted_at, benefit_ends_at, touched: null }
        : 'used';
    }
    if (invite.has_expired) return 'expired';
    const endsAt = await grantBenefit(tx, fanId, benefit_type);
    const accepted = await tx
      .updateTable('invites')
      .set({
        state: 'accepted',
        accepted_at: sql<Date>`date_trunc('milliseconds', now())`,
        accepted_by: fanId,
        benefit_ends_at: endsAt,
        error: null,
      })
      .where('id', '=', invite_id)
      .returning('accepted_at')
      .executeTakeFirstOrThrow();
    return {
      invite_id,
      benefit_type,
      accepted_at: accepted.accepted_at ?? new Date(),
      benefit_ends_at: endsAt,
      touched: await touchConversation(tx, fanId),
    } as const;
  });
}
