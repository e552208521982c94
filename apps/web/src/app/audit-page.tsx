import { useNavigate } from 'react-router';
import { t } from '../lib/text/i18n.ts';
import { AuditLog } from '../team/audit/audit-log.tsx';
import { Button } from '../ui/button.tsx';
import { Page } from '../ui/page.tsx';
import { ManagersOnly } from './managers-only.tsx';

/** The audit log: who did what with which permission. */
export function AuditPage() {
  const navigate = useNavigate();
  return (
    <ManagersOnly>
      <Page
        title={t('Audit Log')}
        actions={<Button onClick={() => void navigate('/console')}>{t('Back to Console')}</Button>}
      >
        <AuditLog />
      </Page>
    </ManagersOnly>
  );
}
