import { Inbox } from 'lucide-react';
import { useNavigate } from 'react-router';
import { t } from '../lib/text/i18n.ts';
import { Button } from '../ui/button.tsx';

/** The button that leads back to the inbox. On a phone it has only an icon. */
export function BackToInbox() {
  const navigate = useNavigate();
  return (
    <Button className="print:hidden" onClick={() => void navigate('/inbox')} icon={<Inbox />}>
      <span className="max-md:sr-only">{t('Back to Inbox')}</span>
    </Button>
  );
}
