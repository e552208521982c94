import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ArrowLeft, Megaphone, Plus } from 'lucide-react';
import type { ComponentProps } from 'react';
import { Navigate, Route, Routes, useLocation, useMatch, useNavigate } from 'react-router';
import { ApiError } from '../lib/server/api.ts';
import { useAdmin } from '../lib/server/session.ts';
import { t } from '../lib/text/i18n.ts';
import { CampaignList } from '../selling/campaigns/campaign-list.tsx';
import { CampaignPage } from '../selling/campaigns/campaign-page.tsx';
import { StateBadge } from '../selling/campaigns/campaign-progress.tsx';
import { Composer } from '../selling/campaigns/composer.tsx';
import { campaignOptions, campaignsOptions } from '../selling/campaigns/queries.ts';
import { settingsOptions } from '../team/settings/queries.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { LoadingLine } from '../ui/loading-line.tsx';
import { Page } from '../ui/page.tsx';
import { QueryError } from '../ui/query-error.tsx';
import { AccessDenied } from './access-denied.tsx';
import { BackToInbox } from './back-to-inbox.tsx';
import { SellingTabs } from './selling-tabs.tsx';

/** Mass messages: the list, a campaign, and the composer. */
export function CampaignsPage() {
  return (
    <Routes>
      <Route index element={<ListPage />} />
      <Route path="new" element={<ComposerPage />} />
      <Route path=":id" element={<OnePage />} />
      <Route path=":id/edit" element={<ComposerPage />} />
      <Route path="*" element={<Navigate to="/campaigns" replace />} />
    </Routes>
  );
}

/** Returns the admin's rights. Managers who can send messages may do everything; all other admins may only see results. */
function useRights() {
  const { permissions } = useAdmin();
  const seesAll = permissions.can_manage_admins;
  return { seesAll, mayManage: seesAll && permissions.can_manage_messages };
}

const denied = () => (
  <AccessDenied text={t('You do not have permission to access mass messages.')} />
);

function ListPage() {
  const navigate = useNavigate();
  const { seesAll, mayManage } = useRights();
  const { data } = useInfiniteQuery(campaignsOptions);
  // Admins who can no longer manage admins may still see the campaigns that they created.
  if (!seesAll && data?.length === 0) return denied();
  const create = mayManage && (
    <Button variant="primary" icon={<Plus />} onClick={() => void navigate('/campaigns/new')}>
      {t('New Mass Message')}
    </Button>
  );
  return (
    <CampaignsFrame title={t('Mass Messages')}>
      <div className="flex flex-col gap-4">
        {create && <div className="flex justify-end">{create}</div>}
        <CampaignList create={create} />
      </div>
    </CampaignsFrame>
  );
}

function OnePage() {
  const { id = '' } = useMatch('/campaigns/:id')?.params ?? {};
  const { seesAll, mayManage } = useRights();
  const { data, error } = useQuery(campaignOptions(id));
  const isMissing = error instanceof ApiError && error.status === 404;
  if (isMissing && !seesAll) return denied();
  return (
    <CampaignsFrame
      title={data?.name ?? t('Mass Message')}
      badge={data && <StateBadge state={data.state} />}
    >
      {isMissing ? <NoCampaign /> : <CampaignPage key={id} id={id} mayManage={mayManage} />}
    </CampaignsFrame>
  );
}

function ComposerPage() {
  const id = useMatch('/campaigns/:id/edit')?.params.id;
  const { mayManage } = useRights();
  if (!mayManage) return denied();
  return (
    <CampaignsFrame title={id === undefined ? t('New Mass Message') : t('Edit Mass Message')}>
      <LoadedComposer key={id} id={id ?? null} />
    </CampaignsFrame>
  );
}

/** The navigation state for a draft that was just saved. */
interface ComposerState {
  asks?: boolean;
}

function LoadedComposer({ id }: { id: string | null }) {
  const navigate = useNavigate();
  const { asks = false } = (useLocation().state ?? {}) as ComposerState;
  const settings = useQuery(settingsOptions);
  const campaign = useQuery({ ...campaignOptions(id ?? ''), enabled: id !== null });
  const failed = [settings, campaign].find(({ data, error }) => error !== null && !data);
  if (failed) return <QueryError query={failed} text={t('Couldn’t load the mass message')} />;
  if (settings.data === undefined || (id !== null && campaign.data === undefined))
    return <LoadingLine text={t('Loading the mass message...')} />;
  if (campaign.data && campaign.data.state !== 'draft')
    return <Navigate to={`/campaigns/${campaign.data.id}`} replace />;
  return (
    <Composer
      campaign={campaign.data ?? null}
      teamZone={settings.data.time_zone}
      isAsking={asks}
      onSaved={(saved, isAsking) =>
        void navigate(`/campaigns/${saved}/edit`, { replace: true, state: { asks: isAsking } })
      }
      onStarted={(started) => void navigate(`/campaigns/${started}`, { replace: true })}
    />
  );
}

function NoCampaign() {
  return (
    <EmptyState
      icon={<Megaphone size={22} />}
      title={t('This mass message doesn’t exist')}
      text={t('Its link may be incomplete.')}
    />
  );
}

function CampaignsFrame({ children, ...page }: Omit<ComponentProps<typeof Page>, 'actions'>) {
  const navigate = useNavigate();
  const isList = useMatch('/campaigns') !== null;
  return (
    <Page {...page} actions={<BackToInbox />}>
      <SellingTabs />
      {!isList && (
        <Button
          variant="ghost"
          className="-ms-3 mb-2"
          onClick={() => void navigate('/campaigns')}
          icon={<ArrowLeft className="rtl:-scale-x-100" />}
        >
          {t('All Mass Messages')}
        </Button>
      )}
      {children}
    </Page>
  );
}
