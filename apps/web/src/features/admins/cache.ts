import type { AdminRecord } from '@stagedoor/contract/admins';
import type { ServerEvent } from '@stagedoor/contract/realtime';
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

/** The list with an admin's message privileges as they are about to be; as it is where their record is another by now. */
export function withPrivileges(
  list: readonly AdminRecord[],
  { id, version }: Pick<AdminRecord, 'id' | 'version'>,
  can_manage_messages: boolean,
): AdminRecord[] {
  return list.map((admin) =>
    admin.id === id && admin.version === version
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
