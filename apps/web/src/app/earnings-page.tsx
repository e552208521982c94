import { useState } from 'react';
import { useAdmin } from '../lib/server/session.ts';
import { t } from '../lib/text/i18n.ts';
import { MyEarnings } from '../selling/earnings/my-earnings.tsx';
import { RulesCard } from '../selling/earnings/rules-card.tsx';
import { TeamEarnings } from '../selling/earnings/team-earnings.tsx';
import { Page } from '../ui/page.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { BackToInbox } from './back-to-inbox.tsx';

const OWN = t('My Earnings');
const TEAM = t('Team Earnings');
const RULES = t('Commission Rules');

/** The earnings page: the admin's own earnings, and the team's with its rules for those who can manage admins. */
export function EarningsPage() {
  const { permissions } = useAdmin();
  const [tab, setTab] = useState<string>(OWN);
  return (
    <Page title={t('Earnings')} actions={<BackToInbox />}>
      {permissions.can_manage_admins ? (
        <Tabs label={t('Earnings')} tabs={[OWN, TEAM, RULES]} current={tab} onChange={setTab}>
          {tab === OWN && <MyEarnings />}
          {tab === TEAM && <TeamEarnings />}
          {tab === RULES && <RulesCard />}
        </Tabs>
      ) : (
        <MyEarnings />
      )}
    </Page>
  );
}
