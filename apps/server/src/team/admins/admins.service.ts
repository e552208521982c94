import type { AdminRole } from '@stagedoor/contract/team/auth';
import { isUuid, violates } from '../../db/database.ts';
import type { Tx } from '../../db/tables.ts';
import type { Core } from '../../domain.ts';
import * as errors from '../../errors.ts';
import type { Manager } from '../../http/route.ts';
import { findAdmin, findByEmail, presentAdmin, type StoredAdmin } from './admins.store.ts';
import * as store from './changes.store.ts';
import { isAbove, manages } from './roles.ts';
import { noticeManagers, type SecurityNotices } from './security-notices.ts';
import { requireConfirmed } from './standing.store.ts';

interface AdminsDependencies extends Core {
  readonly notices: SecurityNotices;
  readonly releaseWork: store.ReleaseWork;
}

export type AdminsService = ReturnType<typeof createAdminsService>;

/** Manages admins and their permissions. Changes apply and are broadcast immediately. */
export function createAdminsService(deps: AdminsDependencies) {
  const { db, publish, outbox, notices } = deps;

  function emitAdmin(admin: StoredAdmin): void {
    const { permissions, role, codename, display_color } = presentAdmin(admin);
    const { id: admin_id, is_active, version } = admin;
    const event = { admin_id, permissions, role, codename, display_color, is_active, version };
    publish.adminUpdated(event);
    if (!is_active) publish.adminRemoved(admin_id);
  }

  function emitStaff({ id, codename, display_color }: StoredAdmin): void {
    publish.staffUpdated({ member: { id, codename, display_color } });
  }

  async function emitChange(change: store.AdminChange): Promise<void> {
    const { admin, adminOutboxId, staffOutboxId, released } = change;
    await outbox.emit([adminOutboxId], () => emitAdmin(admin));
    if (staffOutboxId !== null) await outbox.emit([staffOutboxId], () => emitStaff(admin));
    await deps.conversationChanged(released);
  }

  const reemit = (emit: (admin: StoredAdmin) => void) => async (ref: { admin_id: string }) => {
    const admin = await findAdmin(db.kysely, ref.admin_id);
    if (admin !== null) emit(admin);
  };

  /** Makes a change under the staff lock and emits its events. */
  async function change(
    actor: Manager,
    make: (tx: Tx, self: StoredAdmin) => Promise<store.AdminChange>,
  ): Promise<StoredAdmin> {
    const changed = await db.kysely
      .transaction()
      .execute(async (tx) => make(tx, await store.lockStaffFor(tx, actor)));
    await emitChange(changed);
    return changed.admin;
  }

  /** @throws AppError 404 `admin_not_found`, 403 `role_ceiling` */
  async function target(tx: Tx, self: StoredAdmin, id: string): Promise<StoredAdmin> {
    const admin = isUuid(id) ? await findAdmin(tx, id) : null;
    if (admin === null) throw errors.adminNotFound();
    if (isAbove(admin.role, self.role)) throw errors.roleCeiling();
    return admin;
  }

  /** @throws AppError 409 `admin_inactive`, and the errors of {@link target} */
  async function activeTarget(tx: Tx, self: StoredAdmin, id: string): Promise<StoredAdmin> {
    const admin = await target(tx, self, id);
    if (!admin.is_active) throw errors.adminInactive();
    return admin;
  }

  return {
    /**
     * Adds an admin, or restores a removed one. Notifies managers by email.
     * @throws AppError 403 `role_ceiling`, `confirmation_required`; 409 `admin_exists`
     */
    async add(
      actor: Manager,
      { email, role }: { readonly email: string; readonly role: AdminRole },
    ): Promise<{ admin: StoredAdmin; restored: boolean }> {
      let restored = false;
      const admin = await change(actor, async (tx, self) => {
        if (isAbove(role, self.role)) throw errors.roleCeiling();
        const known = await findByEmail(tx, email);
        if (known?.is_active) throw errors.adminExists();
        await requireConfirmed(tx, actor.sessionId);
        restored = known !== null;
        const added =
          known === null
            ? await store.insertAdmin(tx, self.id, { email, role })
            : await store.restoreAdmin(tx, self.id, known, role);
        await noticeManagers(tx, notices, 'admin_added', added.admin, self.email);
        return added;
      });
      notices.wake();
      return { admin, restored };
    },

    /** @throws AppError 403, 404, 409 `admin_inactive` */
    setMessagePrivileges: (actor: Manager, id: string, granted: boolean) =>
      change(actor, async (tx, self) => {
        const admin = await activeTarget(tx, self, id);
        return store.updateAdmin(tx, self.id, admin, 'can_manage_messages', granted);
      }),

    /**
     * Changes a role. Notifies managers of a promotion by email.
     * @throws AppError 403, including `confirmation_required` for a promotion; 404; 409 `admin_inactive`, `last_manager`
     */
    async setRole(actor: Manager, id: string, role: AdminRole): Promise<StoredAdmin> {
      const changed = await change(actor, async (tx, self) => {
        const admin = await activeTarget(tx, self, id);
        if (isAbove(role, self.role)) throw errors.roleCeiling();
        const demoted = manages(admin.role) && !manages(role);
        if (demoted && (await store.otherManagers(tx, admin.id)).length === 0)
          throw errors.lastManager();
        const isPromoted = isAbove(role, admin.role);
        if (isPromoted) await requireConfirmed(tx, actor.sessionId);
        const updated = await store.updateAdmin(tx, self.id, admin, 'role', role);
        if (isPromoted)
          await noticeManagers(tx, notices, 'admin_promoted', updated.admin, self.email);
        return updated;
      });
      notices.wake();
      return changed;
    },

    /** @throws AppError 403, 404, 409 `codename_taken` */
    setCodename: (actor: Manager, id: string, codename: string) =>
      change(actor, async (tx, self) => {
        const admin = await target(tx, self, id);
        return store.updateAdmin(tx, self.id, admin, 'codename', codename);
      }).catch((error: unknown) => {
        const taken = ['admins_codename_key', 'codenames_pkey'].some((key) => violates(error, key));
        throw taken ? errors.codenameTaken() : error;
      }),

    /** @throws AppError 403, 404 */
    setColor: (actor: Manager, id: string, color: string) =>
      change(actor, async (tx, self) => {
        const admin = await target(tx, self, id);
        return store.updateAdmin(tx, self.id, admin, 'display_color', color);
      }),

    /**
     * Removes an admin, ends their sessions and releases their claims. Their sockets close within a second.
     * @throws AppError 403 `cannot_remove_self`, `role_ceiling`; 404; 409 `admin_inactive`, `last_manager`
     */
    remove: (actor: Manager, id: string) =>
      change(actor, async (tx, self) => {
        if (id === self.id) throw errors.cannotRemoveSelf();
        const admin = await activeTarget(tx, self, id);
        if (manages(admin.role) && (await store.otherManagers(tx, admin.id)).length === 0)
          throw errors.lastManager();
        return store.deactivateAdmin(tx, self.id, admin.id, deps.releaseWork);
      }),

    /** Re-emits events that the originating node failed to emit, and emits the events of changes from the command line. */
    reemitters: { admin_updated: reemit(emitAdmin), staff_updated: reemit(emitStaff) },
  };
}
