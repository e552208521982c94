import type { AdminRole } from '@stagedoor/contract/team/auth';
import type { PasskeyRequirement } from '@stagedoor/contract/team/passkeys';
import { writeAudit } from '../../db/audit.ts';
import { isUuid } from '../../db/database.ts';
import type { Tx } from '../../db/tables.ts';
import type { Core } from '../../domain.ts';
import * as errors from '../../errors.ts';
import type { Manager } from '../../http/route.ts';
import { findAdmin, type StoredAdmin } from '../admins/admins.store.ts';
import { lockStaffFor } from '../admins/changes.store.ts';
import { isAbove } from '../admins/roles.ts';
import type { SecurityNotices } from '../admins/security-notices.ts';
import { requireConfirmed, type Standing } from '../admins/standing.store.ts';
import { deleteAllPasskeys } from './passkeys.store.ts';
import * as store from './requirements.store.ts';

/** Lets managers require passkeys for roles and reset other admins' passkeys. */
export function createPasskeyRequirements({ db, publish }: Core, notices: SecurityNotices) {
  /** Makes a change under the staff lock. A caller who has a passkey must have used it recently. */
  const change = <T>(
    actor: Manager,
    make: (tx: Tx, self: StoredAdmin, standing: Standing) => Promise<T>,
  ): Promise<T> =>
    db.kysely.transaction().execute(async (tx) => {
      const self = await lockStaffFor(tx, actor);
      const standing = await requireConfirmed(tx, actor.sessionId);
      return make(tx, self, standing);
    });

  const end = (sessions: readonly string[]) => {
    for (const session of sessions) publish.sessionEnded(session);
  };

  return {
    /** Returns the requirement of each role, lowest role first. */
    list: (): Promise<PasskeyRequirement[]> => store.listRequirements(db.kysely),

    /**
     * Sets whether a role requires a passkey. A new requirement immediately ends sessions of the role that were opened with a
     * code alone.
     * @throws AppError 403 `role_ceiling`, `confirmation_required`; 409 `passkey_needed` if the caller would lock themselves out
     */
    async set(actor: Manager, role: AdminRole, required: boolean): Promise<void> {
      const ended = await change(actor, async (tx, self, { passkeys }) => {
        if (isAbove(role, self.role)) throw errors.roleCeiling();
        if (required && role === self.role && passkeys === 0) throw errors.passkeyNeeded();
        const changed = await (required
          ? store.requireOfRole(tx, role)
          : store.liftFromRole(tx, role));
        if (!changed) return [];
        await writeAudit(tx, {
          adminId: self.id,
          action: required ? 'passkey.require' : 'passkey.lift',
          targetId: self.id,
          details: { role },
        });
        return required ? store.endUnconfirmed(tx, role) : [];
      });
      end(ended);
    },

    /**
     * Removes the passkeys of an admin who lost them, and signs them out.
     * @throws AppError 403 `role_ceiling`, `cannot_reset_self`, `confirmation_required`; 404 `admin_not_found`; 409
     * `passkey_needed` for a manager who has no passkey and so can't confirm
     */
    async reset(actor: Manager, id: string): Promise<StoredAdmin> {
      const { admin, ended } = await change(actor, async (tx, self, { passkeys }) => {
        if (id === self.id) throw new errors.AppError('cannot_reset_self');
        const target = isUuid(id) ? await findAdmin(tx, id) : null;
        if (target === null) throw errors.adminNotFound();
        if (isAbove(target.role, self.role)) throw errors.roleCeiling();
        if (passkeys === 0) throw errors.passkeyNeeded();
        return resetIn(tx, notices, self.id, target);
      });
      end(ended);
      notices.wake();
      return admin;
    },
  };
}

export type PasskeyRequirements = ReturnType<typeof createPasskeyRequirements>;

/** Removes an admin's passkeys, and adds the notice and the audit entry. @param actorId null for the server itself */
export async function resetIn(
  tx: Tx,
  notices: SecurityNotices,
  actorId: string | null,
  target: StoredAdmin,
): Promise<{ admin: StoredAdmin; ended: string[] }> {
  const { removed, ended } = await deleteAllPasskeys(tx, target.id);
  await writeAudit(tx, {
    adminId: actorId,
    action: 'passkey.reset',
    targetId: target.id,
    details: { removed },
  });
  if (removed > 0) await notices.add(tx, [target.id], { what: 'reset', name: null });
  return { admin: { ...target, passkeys: 0 }, ended };
}
