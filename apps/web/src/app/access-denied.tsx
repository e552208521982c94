import { ShieldX } from 'lucide-react';
import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { t } from '../lib/text/i18n.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';

const REDIRECT_MS = 3_000;

/** Explains that the admin may not open a page. Returns to the inbox after a delay, or when the button is clicked. */
export function AccessDenied({ text }: { text: string }) {
  const navigate = useNavigate();
  useEffect(() => {
    const timer = setTimeout(() => void navigate('/inbox', { replace: true }), REDIRECT_MS);
    return () => clearTimeout(timer);
  }, [navigate]);
  return (
    <main className="flex h-full items-center justify-center bg-bg">
      <div role="alert">
        <EmptyState
          icon={<ShieldX size={22} />}
          title={text}
          text={t('Redirecting to the inbox...')}
          action={
            <Button variant="primary" onClick={() => void navigate('/inbox', { replace: true })}>
              {t('Go to inbox now')}
            </Button>
          }
        />
      </div>
    </main>
  );
}
