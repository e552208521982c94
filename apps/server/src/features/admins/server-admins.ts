import type { AdminRole } from '@stagedoor/contract/auth';
import type { Database } from '../../db/database.ts';
import { findByEmail } from './admins.store.ts';
import {
  deactivateAdmin,
  insertAdmin,
  lockStaff,
  othersManage,
  restoreAdmin,
} from './changes.store.ts';
import { manages } from './roles.ts';

/**
 * Adds an admin, or lets a removed one in again, on the word of who runs the server. A running server tells its clients.
 * @param email in lower case
 * @returns what was done; an active admin stays as they are
 */
export function addAdmin(
  db: Database,
  email: string,
  role: AdminRole,
): Promise<'added' | 'restored' | 'active already'> {
  return db.kysely.transaction().execute(async (tx) => {
    await lockStaff(tx);
    const known = await findByEmail(tx, email);
    if (known?.is_active) return 'active already';
    if (known === null) await insertAdmin(tx, null, { email, role });
    else await restoreAdmin(tx, null, known, role);
    return known === null ? 'added' : 'restored';
  });
}

/** Adds the first admin unless there is one with that address, active or not. */
export function ensureOwner(db: Database, email: string): Promise<void> {
  return db.kysely.transaction().execute(async (tx) => {
    await lockStaff(tx);
    if ((await findByEmail(tx, email)) === null)
      await insertAdmin(tx, null, { email, role: 'creator' });
  });
}

/** Takes an admin's access away. @returns what was done; the last one who manages admins stays */
export function removeAdmin(
  db: Database,
  email: string,
): Promise<'removed' | 'unknown' | 'last manager'> {
  return db.kysely.transaction().execute(async (tx) => {
    await lockStaff(tx);
    const admin = await findByEmail(tx, email);
    if (!admin?.is_active) return 'unknown';
    if (manages(admin.role) && !(await othersManage(tx, admin.id))) return 'last manager';
    await deactivateAdmin(tx, null, admin.id);
    return 'removed';
  });
}
