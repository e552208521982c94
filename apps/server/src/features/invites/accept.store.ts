import type { BenefitType } from '@stagedoor/contract/invites';
import { sql, type Transaction } from 'kysely';
import { type Database, violates } from '../../db/database.ts';
import type { Tables } from '../../db/tables.ts';

/** How long each benefit lasts, as PostgreSQL counts: months of the calendar. Null: without an end. */
const DURATIONS: Record<BenefitType, string | null> = {
  '24_hours_free': '24 hours',
  '1_month_free': '1 month',
  '3_months_free': '3 months',
  full_subscription: null,
};

interface Acceptance {
  readonly invite_id: string;
  readonly benefit_type: BenefitType;
  readonly accepted_at: Date;
  readonly benefit_ends_at: Date | null;
}

/**
 * Lets a fan accept an invitation, and grants its benefit with it. The same fan again gets the same.
 * @returns `unknown`, `used` by another fan, `expired`, or `no fan` where they were erased meanwhile; nothing is granted then
 */
export async function acceptInvite(
  db: Database,
  tokenHash: Buffer,
  fanId: string,
): Promise<Acceptance | 'unknown' | 'used' | 'expired' | 'no fan'> {
  const accepting = db.kysely.transaction().execute(async (tx) => {
    // Its row is locked: who comes second sees what the first did.
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
        ? { invite_id, benefit_type, accepted_at, benefit_ends_at }
        : 'used';
    }
    if (invite.has_expired) return 'expired';
    const endsAt = await grant(tx, fanId, benefit_type);
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
    } as const;
  });
  return accepting.catch((error: unknown) => {
    if (violates(error, 'fan_benefits_fan_id_fkey')) return 'no fan';
    throw error;
  });
}

/** A benefit that still runs is extended by the new one; one without an end stays without. @returns the new end */
async function grant(
  tx: Transaction<Tables>,
  fanId: string,
  benefit: BenefitType,
): Promise<Date | null> {
  const { rows } = await sql<{ ends_at: Date | null }>`
    insert into fan_benefits as b (fan_id, benefit_type, started_at, ends_at)
    values (${fanId}, ${benefit}, now(), now() + ${DURATIONS[benefit]}::interval)
    on conflict (fan_id) do update set
      benefit_type = case when b.ends_at is null then b.benefit_type else excluded.benefit_type end,
      started_at = case when b.ends_at is null or b.ends_at > now() then b.started_at else excluded.started_at end,
      ends_at = case when b.ends_at is null then null else greatest(b.ends_at, now()) + ${DURATIONS[benefit]}::interval end
    returning ends_at`.execute(tx);
  return rows[0]?.ends_at ?? null;
}
