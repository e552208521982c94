import {
  type BenefitType,
  INVITE_LIFE_DAYS,
  INVITE_RESEND_HOURS,
  type Invite,
  type InviteState,
} from '@stagedoor/contract/fans/invites';
import { type Kysely, type SqlBool, sql } from 'kysely';
import { ADVISORY_LOCKS } from '../../db/advisory-locks.ts';
import type { Database } from '../../db/database.ts';
import type { Row, Tables, Tx } from '../../db/tables.ts';

/** SQL: the stored state, or `expired` if nobody accepted the invitation in time. A failed invitation stays `failed`. */
const STATE = sql<InviteState>`case
  when i.state in ('queued', 'sent', 'opened') and i.expires_at <= now() then 'expired' else i.state end`;
const CAN_RESEND = sql<boolean>`(i.state = 'failed' or (i.state <> 'accepted' and i.expires_at <= now())
  or (i.state in ('sent', 'opened') and i.sent_at <= now() - ${sql.lit(`${INVITE_RESEND_HOURS} hours`)}::interval))`;
const LIFE = sql`${sql.lit(`${INVITE_LIFE_DAYS} days`)}::interval`;

/** Serializes calls that create or resend invitations, so that each sees the effects of the previous one. */
export async function lockInvites(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.invites})`.execute(tx);
}

/** Returns the number of invitation emails in the last 24 hours, by one admin and by all. */
export async function countMails(tx: Tx, adminId: string): Promise<{ mine: number; all: number }> {
  const { rows } = await sql<{ mine: number; all: number }>`
    select count(*) filter (where admin_id = ${adminId}) as mine, count(*) as all
    from invite_mails where at > now() - interval '24 hours'`.execute(tx);
  return rows[0] ?? { mine: 0, all: 0 };
}

/** Returns the addresses that can't be invited, and why: they belong to a member or have a pending invitation. */
export async function findUninvitable(
  tx: Tx,
  emails: readonly string[],
  exceptInvite: string | null = null,
): Promise<Map<string, 'member' | 'invited'>> {
  const { rows } = await sql<{ email: string; member: boolean; invited: boolean }>`
    select e.email,
      exists (select from invites i where i.email = e.email and i.state = 'accepted')
        or exists (select from fans f join fan_benefits b on b.fan_id = f.id
          where f.email = e.email and (b.ends_at is null or b.ends_at > now())) as member,
      exists (select from invites i where i.email = e.email and i.state in ('queued', 'sent', 'opened')
        and i.expires_at > now() and i.id is distinct from ${exceptInvite}::uuid) as invited
    from unnest(${emails}::text[]) as e (email)`.execute(tx);
  return new Map(
    rows.flatMap(({ email, member, invited }) =>
      member || invited ? [[email, member ? 'member' : 'invited'] as const] : [],
    ),
  );
}

export interface NewInvite {
  readonly id: string;
  readonly email: string;
  readonly tokenHash: Buffer;
}

export async function insertInvites(
  tx: Tx,
  invites: readonly NewInvite[],
  by: { readonly adminId: string; readonly benefitType: BenefitType },
): Promise<void> {
  await tx
    .insertInto('invites')
    .values(
      invites.map(({ id, email, tokenHash }) => ({
        id,
        email,
        benefit_type: by.benefitType,
        token_hash: tokenHash,
        invited_by: by.adminId,
        expires_at: sql<Date>`now() + ${LIFE}`,
      })),
    )
    .execute();
  await insertMails(
    tx,
    invites.map(({ id }) => id),
    by.adminId,
  );
}

async function insertMails(tx: Tx, inviteIds: readonly string[], adminId: string): Promise<void> {
  await tx
    .insertInto('invite_mails')
    .values(inviteIds.map((id) => ({ invite_id: id, admin_id: adminId })))
    .execute();
}

/** An invitation to send again, locked until the transaction ends. */
export interface ResendRow extends Row<'invites', 'email' | 'token_version'> {
  readonly state: InviteState;
  readonly can_resend: boolean;
  /** Seconds until it can be sent again, if it was sent too recently. */
  readonly wait: number | null;
}

export async function lockInvite(tx: Tx, id: string): Promise<ResendRow | null> {
  const { rows } = await sql<ResendRow>`
    select i.email, i.token_version, ${STATE} as state, ${CAN_RESEND} as can_resend,
      ceil(extract(epoch from i.sent_at + ${sql.lit(`${INVITE_RESEND_HOURS} hours`)}::interval - now()))::int as wait
    from invites i where i.id = ${id} for update`.execute(tx);
  return rows[0] ?? null;
}

/** Queues an invitation again with a new token, for another {@link INVITE_LIFE_DAYS} days. The old link stops working. */
export async function requeueInvite(
  tx: Tx,
  invite: { readonly id: string; readonly tokenVersion: number; readonly tokenHash: Buffer },
  adminId: string,
): Promise<void> {
  await tx
    .updateTable('invites')
    .set({
      state: 'queued',
      error: null,
      token_version: invite.tokenVersion,
      token_hash: invite.tokenHash,
      sent_at: null,
      opened_at: null,
      expires_at: sql<Date>`now() + ${LIFE}`,
    })
    .where('id', '=', invite.id)
    .execute();
  await insertMails(tx, [invite.id], adminId);
}

/** Returns invitations, newest first. @param before the last `seq` of the previous page; null for the first page */
export async function listInvites(
  db: Database,
  filter: { readonly state: InviteState | undefined; readonly before: number | null },
  limit: number,
): Promise<InviteRow[]> {
  return select(db.kysely)
    .$if(filter.before !== null, (query) => query.where('i.seq', '<', filter.before ?? 0))
    .$if(filter.state !== undefined, (query) => query.where(inState(filter.state ?? 'queued')))
    .orderBy('i.seq', 'desc')
    .limit(limit)
    .execute();
}

export async function findInvite(db: Database, id: string): Promise<Invite | null> {
  const row = await select(db.kysely).where('i.id', '=', id).executeTakeFirst();
  return row ? presentInvite(row) : null;
}

/** Returns the condition for a state, in a form that can use the index on the stored state. */
function inState(state: InviteState) {
  if (state === 'expired')
    return sql<SqlBool>`i.state in ('queued', 'sent', 'opened') and i.expires_at <= now()`;
  if (state === 'accepted' || state === 'failed') return sql<SqlBool>`i.state = ${state}`;
  return sql<SqlBool>`i.state = ${state} and i.expires_at > now()`;
}

const select = (db: Kysely<Tables>) =>
  db
    .selectFrom('invites as i')
    .innerJoin('admins as a', 'a.id', 'i.invited_by')
    .select([
      'i.id',
      'i.seq',
      'i.email',
      'i.benefit_type',
      'i.error',
      'i.created_at',
      'i.sent_at',
      'i.opened_at',
      'i.accepted_at',
      'i.expires_at',
      'a.id as admin_id',
      'a.codename',
      'a.display_color',
      STATE.as('state'),
      CAN_RESEND.as('can_resend'),
    ]);

export type InviteRow = Awaited<ReturnType<ReturnType<typeof select>['execute']>>[number];

export const presentInvite = (row: InviteRow): Invite => ({
  id: row.id,
  email: row.email,
  benefit_type: row.benefit_type,
  state: row.state,
  error: row.error,
  invited_by: { id: row.admin_id, codename: row.codename, display_color: row.display_color },
  created_at: row.created_at.toISOString(),
  sent_at: row.sent_at?.toISOString() ?? null,
  opened_at: row.opened_at?.toISOString() ?? null,
  accepted_at: row.accepted_at?.toISOString() ?? null,
  expires_at: row.expires_at.toISOString(),
  can_resend: row.can_resend,
});

/** Purges a batch of old invitations that nobody accepted. @param days the minimum age since they expired @returns how many */
export async function purgeInvites(db: Database, days: number, batch: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from invites where id in (
      select id from invites where expires_at < now() - make_interval(days => ${days}::int) and state <> 'accepted'
      order by expires_at limit ${batch} for update skip locked)`.execute(db.kysely);
  return Number(numAffectedRows);
}
