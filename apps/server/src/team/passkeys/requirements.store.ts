import type { AdminRole } from '@stagedoor/contract/team/auth';
import type { PasskeyRequirement } from '@stagedoor/contract/team/passkeys';
import { type Kysely, sql } from 'kysely';
import type { Tables, Tx } from '../../db/tables.ts';

/** Returns each role, lowest first, with whether it requires a passkey and how many of its admins have one. */
export async function listRequirements(db: Kysely<Tables>): Promise<PasskeyRequirement[]> {
  const { rows } = await sql<PasskeyRequirement>`
    select roles.role, exists (select from passkey_roles r where r.role = roles.role) as required,
      count(a.id)::int as admins, (count(a.id) filter (where a.passkeys > 0))::int as with_passkey
    from unnest(array['support', 'moderator', 'manager', 'creator']) with ordinality as roles (role, place)
    left join admins a on a.role = roles.role and a.is_active
    group by roles.role, roles.place order by roles.place`.execute(db);
  return rows;
}

/** Requires a passkey for a role. @returns false if it was already required */
export async function requireOfRole(tx: Tx, role: AdminRole): Promise<boolean> {
  const inserted = await tx
    .insertInto('passkey_roles')
    .values({ role })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (inserted.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Lifts the passkey requirement of a role. @returns whether there was one */
export async function liftFromRole(tx: Tx, role: AdminRole): Promise<boolean> {
  const deleted = await tx.deleteFrom('passkey_roles').where('role', '=', role).executeTakeFirst();
  return deleted.numDeletedRows > 0n;
}

/** Ends a role's sessions that were opened with a code alone. @returns the ids of the sessions */
export async function endUnconfirmed(tx: Tx, role: AdminRole): Promise<string[]> {
  const ended = await tx
    .deleteFrom('sessions')
    .using('admins')
    .whereRef('admins.id', '=', 'sessions.admin_id')
    .where('admins.role', '=', role)
    .where('sessions.confirmed_at', 'is', null)
    .returning('sessions.id')
    .execute();
  return ended.map(({ id }) => id);
}
