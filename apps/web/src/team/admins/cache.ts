import type { ServerEvent } from '@stagedoor/contract/realtime';
import type { AdminRecord } from '@stagedoor/contract/team/admins';
import { roleLabel } from './roles.ts';

/** Active ones first, then by address: the order in which the server lists them. */
function precedes(a: AdminRecord, b: AdminRecord): boolean {
  return a.is_active === b.is_active ? a.email < b.email : a.is_active;
}

/** The list with a new or changed admin in their place. What is known to be newer stays. */
export function putAdmin(list: readonly AdminRecord[], admin: AdminRecord): AdminRecord[] {
  if (list.some(({ id, version }) => id === admin.id && version > admin.version)) return [...list];
  const others = list.filter(({ id }) => id !== admin.id);
  const place = others.findIndex((other) => precedes(admin, other));
  return others.toSpliced(place === -1 ? others.length : place, 0, admin);
}

/** The list after an event told of an admin; null where they are not in it yet. */
export function withAdminUpdated(
  list: readonly AdminRecord[],
  { admin_id, ...change }: ServerEvent<'admin_updated'>,
): AdminRecord[] | null {
  const known = list.find(({ id }) => id === admin_id);
  return known ? putAdmin(list, { ...known, ...change }) : null;
}

/** A list that was fetched, with what events told meanwhile that it does not know yet. */
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

/** Message privileges that are on their way to the server. */
export interface PrivilegesChange {
  id: string;
  isGranted: boolean;
}

/** The list as it will be when what is on its way is done; the same list where nothing is. */
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

/** How many there are of each sort. Who was removed has no access, whatever their record still says. */
export function countAdmins(list: readonly AdminRecord[]): AdminStats {
  const active = list.filter(({ is_active }) => is_active);
  return {
    total: list.length,
    active: active.length,
    messageAccess: active.filter(({ permissions }) => permissions.can_manage_messages).length,
    inactive: list.length - active.length,
  };
}

/** The admins whose address, codename or role contains the text in any case. */
export function findAdmins(list: readonly AdminRecord[], text: string): readonly AdminRecord[] {
  const needle = text.trim().toLowerCase();
  if (needle === '') return list;
  return list.filter(({ email, codename, role }) =>
    [email, codename, roleLabel(role)].some((field) => field.toLowerCase().includes(needle)),
  );
}
