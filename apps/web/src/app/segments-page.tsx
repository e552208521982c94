import { useQuery } from '@tanstack/react-query';
import { Inbox } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import { useNavigate } from 'react-router';
import { useAdmin } from '../lib/server/session.ts';
import { t } from '../lib/text/i18n.ts';
import { teammatesOptions } from '../messaging/staff-notes/queries.ts';
import { Segments } from '../selling/segments/segments.tsx';
import { Button } from '../ui/button.tsx';
import { Page } from '../ui/page.tsx';
import { SellingTabs } from './selling-tabs.tsx';

/** The segments page. All staff see segments; admins who can manage admins change them. */
export function SegmentsPage() {
  const navigate = useNavigate();
  const { can_manage_admins: mayChange } = useAdmin().permissions;
  const { data: teammates } = useQuery(teammatesOptions);
  const codenames = useMemo(
    () => new Map(teammates?.map(({ id, codename }) => [id, codename])),
    [teammates],
  );
  const makerOf = useCallback(
    (id: string) => codenames.get(id) ?? (teammates && t('A former teammate')) ?? '…',
    [codenames, teammates],
  );
  return (
    <Page
      title={t('Segments')}
      windowTitle={t('Segments')}
      actions={
        <Button onClick={() => void navigate('/inbox')} icon={<Inbox />}>
          <span className="max-md:sr-only">{t('Back to Inbox')}</span>
        </Button>
      }
    >
      <SellingTabs />
      <Segments mayChange={mayChange} makerOf={makerOf} />
    </Page>
  );
}
