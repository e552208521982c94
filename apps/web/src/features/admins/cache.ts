import type { AdminRecord } from '@stagedoor/contract/admins';
import { roleLabel } from './roles.ts';

/** Active ones first, then by address: the order in which the server lists them. */
function precedes(a: AdminRecord, b: AdminRecord): boolean {
  return a.is_active === b.is_active ? a.email < b.email : a.is_active;
}

/** The list with a new or changed admin in their place. */
export function putAdmin(list: readonly AdminRecord[], admin: AdminRecord): AdminRecord[] {
  const others = list.filter(({ id }) => id !== admin.id);
  const place = others.findIndex((other) => precedes(admin, other));
  return others.toSpliced(place === -1 ? others.length : place, 0, admin);
}

/** The list with an admin's message privileges as they are about to be. */
export function withPrivileges(
  list: readonly AdminRecord[],
  id: string,
  can_manage_messages: boolean,
): AdminRecord[] {
  return list.map((admin) =>
    admin.id === id
      ? { ...admin, permissions: { ...admin.permissions, can_manage_messages } }
      : admin,
  );
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
