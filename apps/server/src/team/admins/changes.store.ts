import type { AdminRole } from '@stagedoor/contract/team/auth';
import { sql } from 'kysely';
import { writeAudit } from '../../db/audit.ts';
import { type ConversationTouched, queueEvent } from '../../db/outbox-events.ts';
import type { Tx } from '../../db/tables.ts';
import { permissionRequired, unauthorized } from '../../errors.ts';
import type { Manager } from '../../http/route.ts';
import { findAdmin, type StoredAdmin } from './admins.store.ts';
import { freeCodename } from './codenames.store.ts';
import { DISPLAY_COLORS } from './fruits.ts';
import { MANAGING_ROLES, manages } from './roles.ts';

/** A completed change to an admin, with the outbox ids of its events. */
export interface AdminChange {
  readonly admin: StoredAdmin;
  readonly adminOutboxId: number;
  /** Null unless the change affects data that all staff see. */
  readonly staffOutboxId: number | null;
  readonly released: readonly ConversationTouched[];
}

/**
 * Deletes a removed admin's pins, views, drafts, future shifts and open request for more time, ends their clock, and releases
 * their claims.
 * @returns the released conversations
 */
export type ReleaseWork = (tx: Tx, adminId: string) => Promise<readonly ConversationTouched[]>;

/** Serializes changes to admins, so that concurrent changes can't remove the last manager or take the same codename. */
export async function lockStaff(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('staff', 6))`.execute(tx);
}

/**
 * Locks the staff and checks the caller's rights again, because an earlier change may have revoked them.
 * @returns the caller
 * @throws AppError 401 for a removed caller, 403 `permission_required`
 */
export async function lockStaffFor(tx: Tx, { admin }: Manager): Promise<StoredAdmin> {
  await lockStaff(tx);
  const self = await findAdmin(tx, admin.id);
  if (!self?.is_active) throw unauthorized();
  if (!manages(self.role)) throw permissionRequired();
  return self;
}

/** Returns the ids of all other active admins who can manage admins. */
export async function otherManagers(tx: Tx, adminId: string): Promise<string[]> {
  const others = await tx
    .selectFrom('admins')
    .select('id')
    .where('role', 'in', MANAGING_ROLES)
    .where('is_active', '=', true)
    .where('id', '!=', adminId)
    .execute();
  return others.map(({ id }) => id);
}

/** Adds an admin with message privileges, a codename and a color. @param actorId null for the server itself */
export async function insertAdmin(
  tx: Tx,
  actorId: string | null,
  { email, role }: { readonly email: string; readonly role: AdminRole },
): Promise<AdminChange> {
  const { count } = await tx
    .selectFrom('admins')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const color = DISPLAY_COLORS[count % DISPLAY_COLORS.length] ?? DISPLAY_COLORS[0];
  const admin = await tx
    .insertInto('admins')
    .values({ email, role, codename: await freeCodename(tx), display_color: color })
    .returningAll()
    .executeTakeFirstOrThrow();
  await clearSignInFailures(tx, email);
  const details = { email, role, codename: admin.codename };
  return settle(tx, actorId, admin, 'admin.add', details);
}

/** The fields of an admin that can be changed, with their audit actions. */
const ACTIONS = {
  can_manage_messages: 'admin.update_permissions',
  role: 'admin.update_role',
  codename: 'admin.update_codename',
  display_color: 'admin.update_color',
} as const;

/** Changes one field of an admin. @throws a violation of `codenames_pkey` if another admin has or had the codename */
export async function updateAdmin<F extends keyof typeof ACTIONS>(
  tx: Tx,
  actorId: string,
  before: StoredAdmin,
  field: F,
  value: StoredAdmin[F],
): Promise<AdminChange> {
  const admin = await tx
    .updateTable('admins')
    .set((eb) => ({ [field]: value, version: eb('version', '+', 1) }))
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  const details = { [field]: value, was: before[field] };
  const seenByAll = field === 'codename' || field === 'display_color';
  return settle(tx, actorId, admin, ACTIONS[field], details, { seenByAll });
}

/** Restores a removed admin with message privileges and their old codename. */
export async function restoreAdmin(
  tx: Tx,
  actorId: string | null,
  before: StoredAdmin,
  role: AdminRole,
): Promise<AdminChange> {
  const admin = await tx
    .updateTable('admins')
    .set((eb) => ({
      is_active: true,
      role,
      can_manage_messages: true,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await clearSignInFailures(tx, admin.email);
  const details = { email: admin.email, role, was: before.role };
  return settle(tx, actorId, admin, 'admin.restore', details);
}

/** Deactivates an admin, ends their sessions, and releases their work. */
export async function deactivateAdmin(
  tx: Tx,
  actorId: string | null,
  adminId: string,
  releaseWork: ReleaseWork,
): Promise<AdminChange> {
  // Lock these rows before the admin's row, in the same order as a sign-in.
  await tx.deleteFrom('pending_sign_ins').where('admin_id', '=', adminId).execute();
  // Locking this row blocks new sign-ins and claims by the admin. The statements below see all earlier sign-ins and claims.
  const admin = await tx
    .updateTable('admins')
    .set((eb) => ({ is_active: false, version: eb('version', '+', 1) }))
    .where('id', '=', adminId)
    .returningAll()
    .executeTakeFirstOrThrow();
  await tx.deleteFrom('sessions').where('admin_id', '=', adminId).execute();
  const released = await releaseWork(tx, adminId);
  const details = { email: admin.email, released: released.length };
  return settle(tx, actorId, admin, 'admin.remove', details, { released });
}

/** Resets the count of wrong codes for an address, so that its admin need not wait. @returns whether there was a count */
export async function clearSignInFailures(tx: Tx, email: string): Promise<boolean> {
  const cleared = await tx
    .deleteFrom('sign_in_failures')
    .where('email', '=', email)
    .executeTakeFirst();
  return cleared.numDeletedRows > 0n;
}

/** Writes the audit entry and queues the events. */
async function settle(
  tx: Tx,
  actorId: string | null,
  admin: StoredAdmin,
  action: string,
  details: Readonly<Record<string, unknown>>,
  {
    seenByAll = true,
    released = [],
  }: { seenByAll?: boolean; released?: readonly ConversationTouched[] } = {},
): Promise<AdminChange> {
  await writeAudit(tx, { adminId: actorId, action, targetId: admin.id, details });
  const event = { admin_id: admin.id };
  return {
    admin,
    adminOutboxId: await queueEvent(tx, 'admin_updated', event),
    staffOutboxId: seenByAll ? await queueEvent(tx, 'staff_updated', event) : null,
    released,
  };
}
