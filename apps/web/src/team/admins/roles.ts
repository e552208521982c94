import type { AdminRole } from '@stagedoor/contract/team/auth';
import { t } from '../../lib/text/i18n.ts';

/** The roles and their labels, lowest first. */
export const ROLES = [
  { role: 'support', label: t('Support') },
  { role: 'moderator', label: t('Moderator') },
  { role: 'manager', label: t('Manager') },
  { role: 'creator', label: t('Creator') },
] as const satisfies readonly { role: AdminRole; label: string }[];

const rankOf = (role: AdminRole) => ROLES.findIndex((known) => known.role === role);

export function roleLabel(role: AdminRole): string {
  return ROLES[rankOf(role)]?.label ?? role;
}

/** Returns whether an admin may assign a role and change admins who have it: up to their own role. */
export function reaches(own: AdminRole, role: AdminRole): boolean {
  return rankOf(role) <= rankOf(own);
}
