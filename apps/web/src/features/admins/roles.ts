import type { AdminRole } from '@stagedoor/contract/auth';

/** The roles, the least first, with how they are called. */
export const ROLES = [
  { role: 'support', label: 'Support' },
  { role: 'moderator', label: 'Moderator' },
  { role: 'manager', label: 'Manager' },
  { role: 'creator', label: 'Creator' },
] as const satisfies readonly { role: AdminRole; label: string }[];

const rankOf = (role: AdminRole) => ROLES.findIndex((known) => known.role === role);

/** What a role is called. */
export function roleLabel(role: AdminRole): string {
  return ROLES[rankOf(role)]?.label ?? role;
}

/** Whether someone of one role may give another, and change those who have it: up to their own. */
export function reaches(own: AdminRole, role: AdminRole): boolean {
  return rankOf(role) <= rankOf(own);
}
