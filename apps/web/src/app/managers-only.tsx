import type { ReactNode } from 'react';
import { t } from '../lib/i18n.ts';
import { useAdmin } from '../lib/session.ts';
import { AccessDenied } from './access-denied.tsx';

/** Lets those through who manage admins; the permission may go while they look. */
export function ManagersOnly({ children }: { children: ReactNode }) {
  const { permissions } = useAdmin();
  if (permissions.can_manage_admins) return children;
  return (
    <AccessDenied
      text={t('Access Denied: You do not have permission to access the admin console.')}
    />
  );
}
