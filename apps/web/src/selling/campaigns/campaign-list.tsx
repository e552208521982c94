import { formatMoney } from '@stagedoor/browser/money';
import type { Campaign } from '@stagedoor/contract/selling/campaigns';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Megaphone } from 'lucide-react';
import { type ReactNode, useCallback } from 'react';
import { errorText } from '../../lib/server/api.ts';
import { exactTimeOf, formatCount } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { formatMoment, ownZone } from '../../lib/text/zoned-time.ts';
import { useNow } from '../../lib/use-now.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { Link } from '../../ui/link.tsx';
import { LoadingLine } from '../../ui/loading-line.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { formatRate } from '../charts/format.ts';
import { CampaignProgress, StateBadge } from './campaign-progress.tsx';
import { campaignsOptions, useCampaignEvents } from './queries.ts';

interface CampaignListProps {
  /** The button that creates a campaign; false for viewers without the permission. */
  create: ReactNode;
}

/** The campaigns with their states and results, newest first. */
export function CampaignList({ create }: CampaignListProps) {
  useCampaignEvents();
  const campaigns = useInfiniteQuery(campaignsOptions);
  const { data: rows, error, isFetching, fetchNextPage, refetch } = campaigns;
  const more = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  return (
    <div className="overflow-clip rounded-card border border-line bg-surface">
      {error !== null && (
        <div className="p-4">
          <ErrorBox
            text={errorText(error, t('Couldn’t load the mass messages'))}
            onRetry={() => void (campaigns.isFetchNextPageError ? fetchNextPage() : refetch())}
            retrying={isFetching}
          />
        </div>
      )}
      {rows === undefined && error === null && (
        <LoadingLine text={t('Loading mass messages...')} className="p-4" />
      )}
      {rows?.length === 0 && (
        <EmptyState
          icon={<Megaphone size={22} />}
          title={t('No mass messages yet')}
          text={t(
            'A mass message goes to many fans, each in their own conversation. Its results appear here.',
          )}
          action={create}
        />
      )}
      {rows && rows.length > 0 && (
        <ul aria-label={t('Mass Messages')}>
          {rows.map((campaign) => (
            <CampaignRow key={campaign.id} campaign={campaign} />
          ))}
        </ul>
      )}
      {campaigns.isFetchingNextPage && (
        <LoadingLine text={t('Loading mass messages...')} className="p-4" />
      )}
      {campaigns.hasNextPage && !campaigns.isFetchingNextPage && error === null && (
        <MoreButton onMore={more} />
      )}
    </div>
  );
}

function CampaignRow({ campaign }: { campaign: Campaign }) {
  const { id, name, state, counts } = campaign;
  const begins = useNow();
  const at = campaign.started_at ?? (state === 'scheduled' ? campaign.send_at : null);
  return (
    <li className="border-b border-line last:border-b-0">
      <Link
        to={state === 'draft' ? `/campaigns/${id}/edit` : `/campaigns/${id}`}
        className="grid gap-x-6 gap-y-2 px-4 py-3 transition-colors duration-80 hover:bg-hover focus-visible:-outline-offset-2 lg:grid-cols-[minmax(0,1fr)_minmax(0,520px)] lg:items-center"
      >
        <span className="flex min-w-0 flex-col gap-1">
          <span className="flex min-w-0 items-center gap-2">
            <span dir="auto" className="truncate font-medium">
              {name}
            </span>
            <StateBadge state={state} />
          </span>
          {at !== null && (
            <time dateTime={at} title={exactTimeOf(at)} className="text-meta text-fg-3">
              {formatMoment(Date.parse(at), begins, ownZone())}
            </time>
          )}
          <CampaignProgress campaign={campaign} />
        </span>
        {counts.audience > 0 && (
          <span className="grid grid-cols-3 gap-x-4 gap-y-1.5 sm:grid-cols-6">
            <Figure label={t('Sent', 'figure')}>{formatCount(counts.sent)}</Figure>
            <Figure label={t('Read')}>{formatCount(counts.read)}</Figure>
            <Figure label={t('Replied', 'figure')}>{formatCount(counts.replied)}</Figure>
            <Figure label={t('Purchases')}>{formatCount(counts.purchases)}</Figure>
            <Figure label={t('Unlock rate')}>{formatRate(counts.unlock_rate)}</Figure>
            <Figure label={t('Revenue')}>{formatMoney(counts.revenue)}</Figure>
          </span>
        )}
      </Link>
    </li>
  );
}

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <span className="flex min-w-0 flex-col">
      <span className="truncate text-badge text-fg-3">{label}</span>{' '}
      <span className="truncate text-control font-medium tabular-nums">{children}</span>
    </span>
  );
}
