import { Inbox } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useAdmin } from '../lib/server/session.ts';
import { t } from '../lib/text/i18n.ts';
import { MyEarnings } from '../selling/earnings/my-earnings.tsx';
import { TeamEarnings } from '../selling/earnings/team-earnings.tsx';
import { Button } from '../ui/button.tsx';
import { Page } from '../ui/page.tsx';
import { Tabs } from '../ui/tabs.tsx';

const OWN = t('My Earnings');
const TEAM = t('Team Earnings');

/** The earnings page: an admin's own, and for those who can manage admins, the team's. */
export function EarningsPage() {
  const { permissions } = useAdmin();
  const navigate = useNavigate();
  const [tab, setTab] = useState<string>(OWN);
  return (
    <Page
      title={t('Earnings')}
      windowTitle={t('Earnings')}
      actions={
        <Button className="print:hidden" onClick={() => void navigate('/inbox')} icon={<Inbox />}>
          <span className="max-md:sr-only">{t('Back to Inbox')}</span>
        </Button>
      }
    >
      {permissions.can_manage_admins ? (
        <Tabs label={t('Earnings')} tabs={[OWN, TEAM]} current={tab} onChange={setTab}>
          {tab === OWN ? <MyEarnings /> : <TeamEarnings />}
        </Tabs>
      ) : (
        <MyEarnings />
      )}
    </Page>
  );
}
