import type { AdminRole } from '@stagedoor/contract/team/auth';
import { sql } from 'kysely';
import { writeAudit } from '../../db/audit.ts';
import type { Database } from '../../db/database.ts';
import type { Tx } from '../../db/tables.ts';
import { findByEmail } from './admins.store.ts';
import * as store from './changes.store.ts';
import { manages } from './roles.ts';
import { noticeManagers, type SecurityNotices } from './security-notices.ts';

/**
 * Adds an admin or restores a removed one, from the server's command line. A running server notifies its clients and emails
 * the managers.
 * @param email in lower case
 * @param notices null to send no emails
 * @returns what was done; an active admin stays unchanged
 */
export function addAdmin(
  db: Database,
  email: string,
  role: AdminRole,
  notices: SecurityNotices | null = null,
): Promise<'added' | 'restored' | 'active already'> {
  return db.kysely.transaction().execute(async (tx) => {
    await store.lockStaff(tx);
    const known = await findByEmail(tx, email);
    if (known?.is_active) return 'active already';
    const { admin } =
      known === null
        ? await store.insertAdmin(tx, null, { email, role })
        : await store.restoreAdmin(tx, null, known, role);
    if (notices !== null) await noticeManagers(tx, notices, 'admin_added', admin, null);
    return known === null ? 'added' : 'restored';
  });
}

/** Adds the first admin unless an active or removed admin has that address. */
export function ensureOwner(db: Database, email: string): Promise<void> {
  return db.kysely.transaction().execute(async (tx) => {
    await store.lockStaff(tx);
    if ((await findByEmail(tx, email)) === null)
      await store.insertAdmin(tx, null, { email, role: 'creator' });
  });
}

/** Removes an admin. The last manager can't be removed. @returns what was done */
export function removeAdmin(
  db: Database,
  email: string,
  releaseWork: store.ReleaseWork,
): Promise<'removed' | 'unknown' | 'last manager'> {
  return db.kysely.transaction().execute(async (tx) => {
    await store.lockStaff(tx);
    const admin = await findByEmail(tx, email);
    if (!admin?.is_active) return 'unknown';
    if (manages(admin.role) && (await store.otherManagers(tx, admin.id)).length === 0)
      return 'last manager';
    await store.deactivateAdmin(tx, null, admin.id, releaseWork);
    return 'removed';
  });
}

/** Unlocks an admin who must wait after wrong codes. @param email in lower case @returns what was done */
export function unlockAdmin(db: Database, email: string): Promise<'unlocked' | 'free' | 'unknown'> {
  return db.kysely.transaction().execute(async (tx) => {
    const admin = await findByEmail(tx, email);
    if (!admin?.is_active) return 'unknown';
    if (!(await store.clearSignInFailures(tx, email))) return 'free';
    await writeAudit(tx, { adminId: null, action: 'admin.unlock', targetId: admin.id });
    return 'unlocked';
  });
}

/** Sets `last_active_at` to the time of the last message for admins whose `last_active_at` is not set. */
export async function noteActivity(tx: Tx): Promise<void> {
  await sql`update admins set last_active_at = sent.at
    from (select admin_id, max(sent_at) as at from sent_messages group by admin_id) as sent
    where admins.id = sent.admin_id and admins.last_active_at is null`.execute(tx);
}
