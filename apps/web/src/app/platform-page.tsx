import { useNavigate } from 'react-router';
import { PlatformConsole } from '../features/platform/platform-console.tsx';
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
        title="Platform"
        actions={<Button onClick={() => void navigate('/console')}>Back to Console</Button>}
      >
        <PlatformConsole />
      </Page>
      <Toaster />
    </ManagersOnly>
  );
}
