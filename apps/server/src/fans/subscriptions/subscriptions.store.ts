import type { BenefitType } from '@stagedoor/contract/fans/invites';
import type { SubscriptionStatus } from '@stagedoor/contract/fans/subscriptions';
import { sql } from 'kysely';
import type { Row, Tx } from '../../db/tables.ts';
import type { HeldFan } from '../fans/change-fan.ts';

/** The latest instant in the API, which some platforms use for "never". An extension is capped at it. */
const LAST_MOMENT = '9999-12-31T23:59:59.999Z';

/** The status and duration of each benefit. Durations are PostgreSQL intervals, so months are calendar months; null: no end. */
const BENEFITS: Record<BenefitType, { status: SubscriptionStatus; lasts: string | null }> = {
  '24_hours_free': { status: 'trial', lasts: '24 hours' },
  '1_month_free': { status: 'trial', lasts: '1 month' },
  '3_months_free': { status: 'trial', lasts: '3 months' },
  full_subscription: { status: 'subscribed', lasts: null },
};

/** SQL: whether the fan's current benefit, the row `b`, is still running. */
const RUNS = sql`(b.ends_at is null or b.ends_at > now())`;

/**
 * Grants a fan an invitation's benefit. A running benefit is extended: an endless benefit stays endless, and a subscription
 * doesn't become a trial.
 * @returns the new end; null for no end
 */
export async function grantBenefit(
  tx: Tx,
  fan: HeldFan,
  benefit: BenefitType,
): Promise<Date | null> {
  const { status, lasts } = BENEFITS[benefit];
  const { rows } = await sql<Row<'fan_benefits', 'ends_at'>>`
    insert into fan_benefits as b (fan_id, status, benefit_type, started_at, ends_at)
    values (${fan.id}, ${status}, ${benefit}, now(), now() + ${lasts}::interval)
    on conflict (fan_id) do update set
      status = case when ${RUNS} and b.status = 'subscribed' then b.status else excluded.status end,
      benefit_type = case when ${RUNS} and b.status = 'subscribed' and excluded.status = 'trial'
        then b.benefit_type else excluded.benefit_type end,
      started_at = case when ${RUNS} then b.started_at else excluded.started_at end,
      ends_at = case when b.ends_at is null or ${lasts}::interval is null then null
        else least(greatest(b.ends_at, now()) + ${lasts}::interval, ${LAST_MOMENT}::timestamptz) end
    returning ends_at`.execute(tx);
  return rows[0]?.ends_at ?? null;
}

interface NewSubscription {
  readonly status: SubscriptionStatus;
  readonly endsAt: Date | null;
}

/** Removes a fan's trial or subscription. @returns whether there was one */
export async function clearSubscription(tx: Tx, fan: HeldFan): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('fan_benefits')
    .where('fan_id', '=', fan.id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Replaces a fan's trial or subscription. @returns whether anything changed */
export async function setSubscription(
  tx: Tx,
  fan: HeldFan,
  { status, endsAt }: NewSubscription,
): Promise<boolean> {
  // If the platform reports a subscription that has already ended, the start must not be later than the end.
  const { rows } = await sql`
    insert into fan_benefits as b (fan_id, status, started_at, ends_at)
    values (${fan.id}, ${status}, least(now(), ${endsAt}::timestamptz), ${endsAt})
    on conflict (fan_id) do update set
      status = excluded.status,
      benefit_type = null,
      started_at = case when ${RUNS} and b.status = excluded.status
        then least(b.started_at, excluded.started_at) else excluded.started_at end,
      ends_at = excluded.ends_at
    where b.status <> excluded.status or b.ends_at is distinct from excluded.ends_at
    returning fan_id`.execute(tx);
  return rows.length > 0;
}
