import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { useAdmin } from '../lib/server/session.ts';
import { t } from '../lib/text/i18n.ts';
import { teammatesOptions } from '../messaging/staff-notes/queries.ts';
import { Segments } from '../selling/segments/segments.tsx';
import { Page } from '../ui/page.tsx';
import { BackToInbox } from './back-to-inbox.tsx';
import { SellingTabs } from './selling-tabs.tsx';

/** The segments page. All staff see segments; admins who can manage admins change them. */
export function SegmentsPage() {
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
    <Page title={t('Segments')} actions={<BackToInbox />}>
      <SellingTabs />
      <Segments mayChange={mayChange} makerOf={makerOf} />
    </Page>
  );
}
