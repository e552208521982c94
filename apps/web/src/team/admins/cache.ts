import type { ServerEvent } from '@stagedoor/contract/realtime';
import type { AdminRecord } from '@stagedoor/contract/team/admins';
import { roleLabel } from './roles.ts';

/** Returns whether `a` comes before `b` in the server's order: active admins first, then by email address. */
function precedes(a: AdminRecord, b: AdminRecord): boolean {
  return a.is_active === b.is_active ? a.email < b.email : a.is_active;
}

/** Returns the list with an admin added or replaced, unless the list already has a newer version. */
export function putAdmin(list: readonly AdminRecord[], admin: AdminRecord): AdminRecord[] {
  if (list.some(({ id, version }) => id === admin.id && version > admin.version)) return [...list];
  const others = list.filter(({ id }) => id !== admin.id);
  const index = others.findIndex((other) => precedes(admin, other));
  return others.toSpliced(index === -1 ? others.length : index, 0, admin);
}

/** Returns the list after an update event; null if the admin is not in it yet. */
export function withAdminUpdated(
  list: readonly AdminRecord[],
  { admin_id, ...change }: ServerEvent<'admin_updated'>,
): AdminRecord[] | null {
  const known = list.find(({ id }) => id === admin_id);
  return known ? putAdmin(list, { ...known, ...change }) : null;
}

/** Merges a fetched list with newer versions from events. */
export function mergeAdmins(
  known: readonly AdminRecord[],
  fetched: readonly AdminRecord[],
): AdminRecord[] {
  return known.reduce<AdminRecord[]>(
    (list, admin) =>
      list.some(({ id, version }) => id === admin.id && version < admin.version)
        ? putAdmin(list, admin)
        : list,
    [...fetched],
  );
}

/** A pending change of message privileges. */
export interface PrivilegesChange {
  id: string;
  isGranted: boolean;
}

/** Returns the list with pending changes applied, or the same list if there are none. */
export function withPrivileges(
  list: readonly AdminRecord[],
  changes: readonly PrivilegesChange[],
): readonly AdminRecord[] {
  if (changes.length === 0) return list;
  return list.map((admin) => {
    const change = changes.find(({ id }) => id === admin.id);
    if (!change) return admin;
    const permissions = { ...admin.permissions, can_manage_messages: change.isGranted };
    return { ...admin, permissions };
  });
}

export interface AdminStats {
  total: number;
  active: number;
  messageAccess: number;
  inactive: number;
}

/** Counts admins by kind. Removed admins have no access, whatever their record still says. */
export function countAdmins(list: readonly AdminRecord[]): AdminStats {
  const active = list.filter(({ is_active }) => is_active);
  return {
    total: list.length,
    active: active.length,
    messageAccess: active.filter(({ permissions }) => permissions.can_manage_messages).length,
    inactive: list.length - active.length,
  };
}

/** Returns the admins whose email address, codename or role contains the text, ignoring case. */
export function findAdmins(list: readonly AdminRecord[], text: string): readonly AdminRecord[] {
  const needle = text.trim().toLowerCase();
  if (needle === '') return list;
  return list.filter(({ email, codename, role }) =>
    [email, codename, roleLabel(role)].some((field) => field.toLowerCase().includes(needle)),
  );
}
