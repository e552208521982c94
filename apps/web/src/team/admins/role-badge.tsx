import type { AdminRole } from '@stagedoor/contract/team/auth';
import { classes } from '../../ui/classes.ts';
import { roleLabel } from './roles.ts';

const LOOKS: Readonly<Record<AdminRole, string>> = {
  creator: 'bg-creator-bg text-creator',
  manager: 'bg-manager-bg text-manager',
  moderator: 'bg-good-bg text-good',
  support: 'bg-neutral-bg text-neutral',
};

interface RoleBadgeProps {
  role: AdminRole;
  isMuted?: boolean;
}

export function RoleBadge({ role, isMuted = false }: RoleBadgeProps) {
  return (
    <span
      data-role={role}
      className={classes(
        'inline-flex h-5 shrink-0 items-center rounded-chip px-1.5 text-meta font-medium',
        isMuted ? 'bg-surface-2 text-fg-3' : LOOKS[role],
      )}
    >
      {roleLabel(role)}
    </span>
  );
}
