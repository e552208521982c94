import type { AdminRole } from '@stagedoor/contract/team/auth';

/** From the least to the most. */
const RANKS: readonly AdminRole[] = ['support', 'moderator', 'manager', 'creator'];

/** Roles that manage admins, the catalogue and analytics. */
export const MANAGING_ROLES: readonly AdminRole[] = ['manager', 'creator'];

/** Whether a role holds can_manage_admins. */
export const manages = (role: AdminRole): boolean => MANAGING_ROLES.includes(role);

/** Whether a role is above another. */
export const isAbove = (role: AdminRole, other: AdminRole): boolean =>
  RANKS.indexOf(role) > RANKS.indexOf(other);
