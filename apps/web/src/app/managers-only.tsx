import type { ReactNode } from 'react';
import { useAdmin } from '../lib/server/session.ts';
import { t } from '../lib/text/i18n.ts';
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
