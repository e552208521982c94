import type { AdminRole } from '@stagedoor/contract/team/auth';
import { writeAudit } from '../../db/audit.ts';
import type { Database } from '../../db/database.ts';
import { findByEmail } from '../admins/admins.store.ts';
import { lockStaff } from '../admins/changes.store.ts';
import type { SecurityNotices } from '../admins/security-notices.ts';
import { resetIn } from './requirements.service.ts';
import { liftFromRole } from './requirements.store.ts';

/** The target id of an audit entry that refers to no row. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/**
 * Removes an admin's passkeys and ends their sessions, from the server's command line. The admin is notified by email.
 * @param email in lower case
 */
export function resetPasskeys(
  db: Database,
  notices: SecurityNotices,
  email: string,
): Promise<'reset' | 'unknown'> {
  return db.kysely.transaction().execute(async (tx) => {
    await lockStaff(tx);
    const admin = await findByEmail(tx, email);
    if (admin === null) return 'unknown';
    await resetIn(tx, notices, null, admin);
    return 'reset';
  });
}

/** Lets admins of a role sign in without a passkey again. @returns whether the role required one */
export function liftRequirement(db: Database, role: AdminRole): Promise<boolean> {
  return db.kysely.transaction().execute(async (tx) => {
    await lockStaff(tx);
    const lifted = await liftFromRole(tx, role);
    if (lifted) {
      const act = { adminId: null, action: 'passkey.lift', targetId: NOBODY, details: { role } };
      await writeAudit(tx, act);
    }
    return lifted;
  });
}
