import { sql, type Transaction } from 'kysely';
import type { Tables } from '../../db/tables.ts';
import { confirmationRequired, unauthorized } from '../../errors.ts';

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
 * Locks an admin's row until the transaction ends, so that they neither get nor lose a passkey. Admins who have a passkey must
 * have used one in this session recently: a session that was left open, or stolen, is not enough.
 * @param within seconds since a passkey was used
 * @throws AppError 401 where the session is over; 403 `confirmation_required`
 */
export async function requireConfirmed(
  tx: Transaction<Tables>,
  sessionId: string,
  within = CONFIRMED_SECONDS,
): Promise<Standing> {
  const { rows } = await sql<Standing>`
    select a.passkeys, exists (select from passkey_roles r where r.role = a.role) as required,
      coalesce(s.confirmed_at > clock_timestamp() - make_interval(secs => ${within}), false) as confirmed
    from sessions s join admins a on a.id = s.admin_id
    where s.id = ${sessionId} and a.is_active for no key update of a`.execute(tx);
  const [standing] = rows;
  if (standing === undefined) throw unauthorized();
  if (standing.passkeys > 0 && !standing.confirmed) throw confirmationRequired();
  return standing;
}
