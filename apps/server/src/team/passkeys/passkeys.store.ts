import type { Passkey } from '@stagedoor/contract/team/passkeys';
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { Tables } from '../../db/tables.ts';
import type { CheckedCredential } from './ceremony.ts';

type Db = Kysely<Tables>;
type Tx = Transaction<Tables>;
export type PasskeyRow = Selectable<Tables['passkeys']>;

/** A passkey as its admin sees it. */
export function presentPasskey(row: PasskeyRow): Passkey {
  return {
    id: row.id,
    name: row.name,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    synced: row.synced,
  };
}

/** An admin's passkeys, the oldest first. */
export function listPasskeys(db: Db, adminId: string): Promise<PasskeyRow[]> {
  return db
    .selectFrom('passkeys')
    .selectAll()
    .where('admin_id', '=', adminId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** @returns the passkey under its authenticator's name for it, if it is this admin's */
export async function findByCredential(
  db: Db,
  adminId: string,
  credentialId: string,
): Promise<PasskeyRow | null> {
  const row = await db
    .selectFrom('passkeys')
    .selectAll()
    .where('credential_id', '=', credentialId)
    .where('admin_id', '=', adminId)
    .executeTakeFirst();
  return row ?? null;
}

/** @throws a violation of `passkeys_credential_id_key` for a credential that is known already */
export function insertPasskey(
  tx: Tx,
  adminId: string,
  passkey: CheckedCredential & { readonly name: string; readonly transports: readonly string[] },
): Promise<PasskeyRow> {
  return tx
    .insertInto('passkeys')
    .values({ ...passkey, transports: [...passkey.transports], admin_id: adminId })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/**
 * Notes that a passkey was used now. Whoever counts must count upwards; many authenticators don't, and say 0 always.
 * @returns false for a count that is not above the last one, or a passkey that is gone
 */
export async function usePasskey(tx: Tx, id: string, counter: number): Promise<boolean> {
  const used = await tx
    .updateTable('passkeys')
    .set({ counter, last_used_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .where((eb) =>
      eb.or([
        eb('counter', '<', counter),
        eb.and([eb('counter', '=', 0), eb(eb.val(counter), '=', 0)]),
      ]),
    )
    .executeTakeFirst();
  return used.numUpdatedRows > 0n;
}

/** @returns the passkey with its new name; null where this admin has no such passkey */
export async function renamePasskey(
  tx: Tx,
  adminId: string,
  id: string,
  name: string,
): Promise<PasskeyRow | null> {
  const row = await tx
    .updateTable('passkeys')
    .set({ name })
    .where('id', '=', id)
    .where('admin_id', '=', adminId)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** @returns this admin's passkey, which nobody uses or removes until the transaction ends */
export async function lockPasskey(tx: Tx, adminId: string, id: string): Promise<PasskeyRow | null> {
  const row = await tx
    .selectFrom('passkeys')
    .selectAll()
    .where('id', '=', id)
    .where('admin_id', '=', adminId)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Removes a passkey and the sessions that it opened, but for one.
 * @returns the ids of those sessions
 */
export async function deletePasskey(tx: Tx, id: string, keptSession: string): Promise<string[]> {
  const ended = await tx
    .deleteFrom('sessions')
    .where('passkey_id', '=', id)
    .where('id', '!=', keptSession)
    .returning('id')
    .execute();
  await tx.deleteFrom('passkeys').where('id', '=', id).execute();
  return ended.map((session) => session.id);
}

/**
 * Removes all passkeys of an admin, their sessions, and the sign-ins of theirs that are under way.
 * @returns how many passkeys there were, and the ids of the sessions
 */
export async function deleteAllPasskeys(
  tx: Tx,
  adminId: string,
): Promise<{ removed: number; ended: string[] }> {
  // In the order in which a sign-in takes them, so that neither waits for the other.
  await tx.deleteFrom('pending_sign_ins').where('admin_id', '=', adminId).execute();
  const passkeys = await tx
    .deleteFrom('passkeys')
    .where('admin_id', '=', adminId)
    .executeTakeFirst();
  // Sign-ins that were before this one wait for the admin's row, and are seen by what follows.
  await tx.selectFrom('admins').select('id').where('id', '=', adminId).forUpdate().execute();
  const sessions = await tx
    .deleteFrom('sessions')
    .where('admin_id', '=', adminId)
    .returning('id')
    .execute();
  return { removed: Number(passkeys.numDeletedRows), ended: sessions.map(({ id }) => id) };
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
