import type { AdminRole } from '@stagedoor/contract/team/auth';
import { t } from '../../lib/text/i18n.ts';

/** The roles, the least first, with how they are called. */
export const ROLES = [
  { role: 'support', label: t('Support') },
  { role: 'moderator', label: t('Moderator') },
  { role: 'manager', label: t('Manager') },
  { role: 'creator', label: t('Creator') },
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
