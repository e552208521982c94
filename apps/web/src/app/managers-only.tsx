import type { ReactNode } from 'react';
import { useAdmin } from '../lib/server/session.ts';
import { t } from '../lib/text/i18n.ts';
import { AccessDenied } from './access-denied.tsx';

/** Shows its children only to admins who can manage admins. The permission may be revoked at any time. */
export function ManagersOnly({ children }: { children: ReactNode }) {
  const { permissions } = useAdmin();
  if (permissions.can_manage_admins) return children;
  return (
    <AccessDenied
      text={t('Access Denied: You do not have permission to access the admin console.')}
    />
  );
}
