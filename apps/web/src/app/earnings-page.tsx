import { useState } from 'react';
import { useAdmin } from '../lib/server/session.ts';
import { t } from '../lib/text/i18n.ts';
import { MyEarnings } from '../selling/earnings/my-earnings.tsx';
import { TeamEarnings } from '../selling/earnings/team-earnings.tsx';
import { Page } from '../ui/page.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { BackToInbox } from './back-to-inbox.tsx';

const OWN = t('My Earnings');
const TEAM = t('Team Earnings');

/** The earnings page: the admin's own earnings, and the team's for those who can manage admins. */
export function EarningsPage() {
  const { permissions } = useAdmin();
  const [tab, setTab] = useState<string>(OWN);
  return (
    <Page title={t('Earnings')} actions={<BackToInbox />}>
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
