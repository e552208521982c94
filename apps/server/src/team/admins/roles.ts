import type { AdminRole } from '@stagedoor/contract/team/auth';

/** Roles from lowest to highest. */
const RANKS: readonly AdminRole[] = ['support', 'moderator', 'manager', 'creator'];

/** Roles that can manage admins, the catalog and analytics. */
export const MANAGING_ROLES: readonly AdminRole[] = ['manager', 'creator'];

export const manages = (role: AdminRole): boolean => MANAGING_ROLES.includes(role);

export const isAbove = (role: AdminRole, other: AdminRole): boolean =>
  RANKS.indexOf(role) > RANKS.indexOf(other);
