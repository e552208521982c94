import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { Row, Tx } from '../../db/tables.ts';
import type { AdminRow } from '../admins/admins.store.ts';
import type { PendingStep } from '../auth/auth.store.ts';

/** Seconds until a pending sign-in expires, by the database's clock. */
const PENDING_LIFE_SECONDS = 300;
/** The maximum number of passkey responses checked per pending sign-in, correct or not. */
const PENDING_TRIES = 5;

/** A sign-in with a correct code that still needs a passkey. */
export type PendingSignIn = Row<'pending_sign_ins', 'id' | 'admin_id' | 'user_agent'> &
  Row<'admins', 'email'>;

const stillGood = sql<boolean>`p.consumed_at is null and p.tries < ${sql.lit(PENDING_TRIES)}
  and p.created_at > clock_timestamp() - make_interval(secs => ${sql.lit(PENDING_LIFE_SECONDS)}) and a.is_active`;

/** Returns the valid pending sign-in with this token and step, or null. */
export async function findPending(
  db: Database,
  tokenHash: Buffer,
  step: PendingStep,
): Promise<PendingSignIn | null> {
  const { rows } = await sql<PendingSignIn>`
    select p.id, p.admin_id, a.email, p.user_agent
    from pending_sign_ins p join admins a on a.id = p.admin_id
    where p.token_hash = ${tokenHash} and p.step = ${step} and ${stillGood}`.execute(db.kysely);
  return rows[0] ?? null;
}

/** Uses up one try of a pending sign-in. @returns the same as {@link findPending} */
export async function takePendingTry(
  db: Database,
  tokenHash: Buffer,
  step: PendingStep,
): Promise<PendingSignIn | null> {
  const { rows } = await sql<PendingSignIn>`
    update pending_sign_ins p set tries = p.tries + 1 from admins a
    where a.id = p.admin_id and p.token_hash = ${tokenHash} and p.step = ${step} and ${stillGood}
    returning p.id, p.admin_id, a.email, p.user_agent`.execute(db.kysely);
  return rows[0] ?? null;
}

/** Consumes a pending sign-in. @returns true for only one of several simultaneous calls */
export async function consumePending(tx: Tx, id: string): Promise<boolean> {
  const consumed = await tx
    .updateTable('pending_sign_ins')
    .set({ consumed_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .where('consumed_at', 'is', null)
    .executeTakeFirst();
  return consumed.numUpdatedRows > 0n;
}

/** Records that an admin is active and locks their row. @returns the admin with their number of passkeys; null if removed */
export async function arrive(
  tx: Tx,
  adminId: string,
): Promise<(AdminRow & { readonly passkeys: number }) | null> {
  const row = await tx
    .updateTable('admins')
    .set({ last_active_at: sql`now()` })
    .where('id', '=', adminId)
    .where('is_active', '=', true)
    .returning([
      'id',
      'email',
      'codename',
      'role',
      'display_color',
      'can_manage_messages',
      'passkeys',
    ])
    .executeTakeFirst();
  return row ?? null;
}
