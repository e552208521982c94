import { sql, type Transaction } from 'kysely';
import type { Tables } from '../../db/tables.ts';
import type { PasskeyRow } from './passkeys.store.ts';

type Tx = Transaction<Tables>;

/** Seconds for which a passkey that was used confirms that it is the admin who uses a session. */
export const CONFIRMED_SECONDS = 600;

/** What an admin has, and a session of theirs is worth. */
export interface Standing {
  readonly passkeys: number;
  /** Whether their role can't sign in without one. */
  readonly required: boolean;
  /** Whether a passkey was used in the session a moment ago. */
  readonly confirmed: boolean;
}

/**
 * Where an admin stands, with their row locked: they get and lose no passkey until the transaction ends.
 * @param within seconds since a passkey was used
 * @returns null where the session is over
 */
export async function lockStanding(
  tx: Tx,
  sessionId: string,
  within = CONFIRMED_SECONDS,
): Promise<Standing | null> {
  const { rows } = await sql<Standing>`
    select a.passkeys, exists (select from passkey_roles r where r.role = a.role) as required,
      coalesce(s.confirmed_at > clock_timestamp() - make_interval(secs => ${within}), false) as confirmed
    from sessions s join admins a on a.id = s.admin_id
    where s.id = ${sessionId} and a.is_active for no key update of a`.execute(tx);
  return rows[0] ?? null;
}

/** Notes that a passkey was used in a session now. */
export async function confirmSession(
  tx: Tx,
  sessionId: string,
  passkey: Pick<PasskeyRow, 'id'>,
): Promise<void> {
  await tx
    .updateTable('sessions')
    .set({ passkey_id: passkey.id, confirmed_at: sql`clock_timestamp()` })
    .where('id', '=', sessionId)
    .execute();
}
