import { useNavigate } from 'react-router';
import { t } from '../lib/text/i18n.ts';
import { PlatformConsole } from '../platform/console/platform-console.tsx';
import { Button } from '../ui/button.tsx';
import { Page } from '../ui/page.tsx';
import { ManagersOnly } from './managers-only.tsx';

/** The page with the platform API's keys and the webhook. */
export function PlatformPage() {
  const navigate = useNavigate();
  return (
    <ManagersOnly>
      <Page
        title={t('Platform')}
        actions={<Button onClick={() => void navigate('/console')}>{t('Back to Console')}</Button>}
      >
        <PlatformConsole />
      </Page>
    </ManagersOnly>
  );
}
