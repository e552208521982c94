import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { Row, Tx } from '../../db/tables.ts';
import { AppError, inviteNotFound } from '../../errors.ts';
import type { HeldFan } from '../fans/change-fan.ts';
import { grantBenefit } from '../subscriptions/subscriptions.store.ts';

interface Acceptance extends Row<'invites', 'benefit_type' | 'benefit_ends_at'> {
  readonly accepted_at: Date;
}

/** Returns an invitation's acceptance; null if it isn't accepted or was deleted. */
export async function findAcceptance(db: Database, inviteId: string): Promise<Acceptance | null> {
  const [row] = await db.run<Acceptance>(
    {
      name: 'invites_acceptance',
      text: `select benefit_type, accepted_at, benefit_ends_at from invites
        where id = $1 and state = 'accepted'`,
    },
    [inviteId],
  );
  return row ?? null;
}

interface FanAcceptance extends Acceptance {
  readonly invite_id: string;
  /** False if the fan had already accepted the invitation. */
  readonly isNew: boolean;
}

/**
 * Accepts an invitation for a fan and grants its benefit. A retry for the same fan returns the same result.
 * @throws AppError 404 `invite_not_found`, 409 `invite_used` by another fan, 410 `invite_expired`
 */
export async function acceptInvite(
  tx: Tx,
  fan: HeldFan,
  tokenHash: Buffer,
): Promise<FanAcceptance> {
  // Lock the row, so that a second acceptance sees the first.
  const invite = await tx
    .selectFrom('invites')
    .select(['id', 'benefit_type', 'accepted_at', 'accepted_by', 'benefit_ends_at'])
    .select(sql<boolean>`expires_at <= clock_timestamp()`.as('has_expired'))
    .where('token_hash', '=', tokenHash)
    .forUpdate()
    .executeTakeFirst();
  if (invite === undefined) throw inviteNotFound();
  const { id: invite_id, benefit_type, accepted_at, accepted_by, benefit_ends_at } = invite;
  if (accepted_at !== null) {
    if (accepted_by !== fan.id) throw new AppError('invite_used');
    return { invite_id, benefit_type, accepted_at, benefit_ends_at, isNew: false };
  }
  if (invite.has_expired) throw new AppError('invite_expired');
  const endsAt = await grantBenefit(tx, fan, benefit_type);
  const accepted = await tx
    .updateTable('invites')
    .set({
      state: 'accepted',
      accepted_at: sql<Date>`date_trunc('milliseconds', now())`,
      accepted_by: fan.id,
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
    isNew: true,
  };
}
