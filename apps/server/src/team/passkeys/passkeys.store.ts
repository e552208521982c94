import type { Passkey } from '@stagedoor/contract/team/passkeys';
import { type Kysely, sql } from 'kysely';
import type { Row, Tables, Tx } from '../../db/tables.ts';
import type { CheckedCredential } from './ceremony.ts';

type Db = Kysely<Tables>;
export type PasskeyRow = Row<'passkeys'>;

/** Returns a passkey as its admin sees it. */
export function presentPasskey(row: PasskeyRow): Passkey {
  return {
    id: row.id,
    name: row.name,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    synced: row.synced,
  };
}

/** Returns an admin's passkeys, oldest first. */
export function listPasskeys(db: Db, adminId: string): Promise<PasskeyRow[]> {
  return db
    .selectFrom('passkeys')
    .selectAll()
    .where('admin_id', '=', adminId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Returns the admin's passkey with a credential id, or null. */
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

/** Stores a passkey. @throws a violation of `passkeys_credential_id_key` if the credential is already stored */
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
 * Records that a passkey was used now. Its counter must rise, unless it is always 0 because the authenticator doesn't count.
 * @returns false if the counter did not rise or the passkey was removed
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

/** Renames a passkey. @returns null if this admin has no such passkey */
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

/** Locks this admin's passkey against use and removal until the transaction ends. */
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
 * Removes a passkey and the sessions that it opened or last confirmed, except `keptSession`.
 * @returns the ids of the removed sessions
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

/** Makes an admin's sessions count as opened by a code alone. */
export async function unconfirmSessions(tx: Tx, adminId: string): Promise<void> {
  await tx
    .updateTable('sessions')
    .set({ confirmed_at: null })
    .where('admin_id', '=', adminId)
    .execute();
}

/**
 * Removes an admin's passkeys, sessions and pending sign-ins.
 * @returns the number of removed passkeys and the ids of the removed sessions
 */
export async function deleteAllPasskeys(
  tx: Tx,
  adminId: string,
): Promise<{ removed: number; ended: string[] }> {
  // The same lock order as a sign-in, to avoid deadlocks.
  await tx.deleteFrom('pending_sign_ins').where('admin_id', '=', adminId).execute();
  await tx
    .selectFrom('passkeys')
    .select('id')
    .where('admin_id', '=', adminId)
    .orderBy('id')
    .forUpdate()
    .execute();
  // Waits for sign-ins that hold the admin's row, so that the next statement sees their sessions.
  await tx.selectFrom('admins').select('id').where('id', '=', adminId).forNoKeyUpdate().execute();
  const sessions = await tx
    .deleteFrom('sessions')
    .where('admin_id', '=', adminId)
    .returning('id')
    .execute();
  // Last, because it also updates the sessions, which are locked after the admin.
  const passkeys = await tx
    .deleteFrom('passkeys')
    .where('admin_id', '=', adminId)
    .executeTakeFirst();
  return { removed: Number(passkeys.numDeletedRows), ended: sessions.map(({ id }) => id) };
}

/** Records that a passkey was used in a session now. */
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
