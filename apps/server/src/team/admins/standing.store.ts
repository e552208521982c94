import { sql } from 'kysely';
import type { Row, Tx } from '../../db/tables.ts';
import { confirmationRequired, unauthorized } from '../../errors.ts';

/** How long a session stays confirmed after a passkey was used. Seconds. */
export const CONFIRMED_SECONDS = 600;

/** How many passkeys an admin has, and whether their session is confirmed. */
export interface Standing extends Row<'admins', 'passkeys'> {
  /** Whether the admin's role requires a passkey. */
  readonly required: boolean;
  /** Whether a passkey was used in the session recently. */
  readonly confirmed: boolean;
}

/**
 * Locks an admin's row until the transaction ends, so that their passkeys can't change. An admin who has a passkey must have
 * used one in this session recently: a session that was left open or stolen is not enough.
 * @param within the maximum number of seconds since the passkey was used
 * @throws AppError 401 if the session has ended; 403 `confirmation_required`
 */
export async function requireConfirmed(
  tx: Tx,
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
