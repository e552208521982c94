import { useNavigate } from 'react-router';
import { PlatformConsole } from '../features/platform/platform-console.tsx';
import { t } from '../lib/i18n.ts';
import { Button } from '../ui/button.tsx';
import { Page } from '../ui/page.tsx';
import { Toaster } from '../ui/toaster.tsx';
import { ManagersOnly } from './managers-only.tsx';

/** The keys of the platform API and the webhook. */
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
      <Toaster />
    </ManagersOnly>
  );
}
