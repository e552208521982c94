import { formatMoney } from '@stagedoor/browser/money';
import type { Campaign, CampaignCounts } from '@stagedoor/contract/selling/campaigns';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Megaphone } from 'lucide-react';
import type { ReactNode } from 'react';
import { exactTimeOf, formatCount } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Link } from '../../ui/link.tsx';
import { LoadingLine } from '../../ui/loading-line.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { QueryError } from '../../ui/query-error.tsx';
import { formatRate } from '../charts/format.ts';
import { AudienceWords } from './audience-words.tsx';
import { Beginning, CampaignProgress, StateBadge } from './campaign-progress.tsx';
import { withoutVariables } from './phone-preview.tsx';
import { campaignsOptions, useCampaignEvents } from './queries.ts';
import { percentOf } from './words.ts';

interface CampaignListProps {
  /** The button that creates a campaign; false for viewers without the permission. */
  create: ReactNode;
}

/** The campaigns with their states and results, newest first. */
export function CampaignList({ create }: CampaignListProps) {
  useCampaignEvents();
  const campaigns = useInfiniteQuery(campaignsOptions);
  const { data: rows, error } = campaigns;
  return (
    <div className="overflow-clip rounded-card border border-line bg-surface">
      {error !== null && (
        <div className="p-4">
          <QueryError query={campaigns} text={t('Couldn’t load the mass messages')} />
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
        <>
          <div
            aria-hidden="true"
            className={`${ROW} border-b border-line bg-surface-2 text-meta font-medium text-fg-2 max-lg:hidden`}
          >
            <span>{t('Name')}</span>
            <span>{t('Status')}</span>
            <span className={FIGURES}>
              {COLUMNS.map(({ label }) => (
                <span key={label} className="text-end">
                  {label}
                </span>
              ))}
            </span>
          </div>
          <ul aria-label={t('Mass Messages')}>
            {rows.map((campaign) => (
              <CampaignRow key={campaign.id} campaign={campaign} />
            ))}
          </ul>
        </>
      )}
      {campaigns.isFetchingNextPage && (
        <LoadingLine text={t('Loading mass messages...')} className="p-4" />
      )}
      <MoreButton query={campaigns} />
    </div>
  );
}

const ROW =
  'grid grid-cols-[minmax(0,1fr)_auto] gap-x-6 gap-y-1 px-4 py-3 lg:grid-cols-[minmax(0,1fr)_88px_minmax(0,560px)] lg:items-center';
const FIGURES = 'max-lg:col-span-2 max-lg:mt-1 grid grid-cols-3 gap-x-4 gap-y-1.5 md:grid-cols-5';
/** Aligns a text by the interface's direction (left or right), even if the text itself is written in the other direction. */
const OWN_DIRECTION = 'w-fit max-w-full truncate';

interface Column {
  label: string;
  cell: (counts: CampaignCounts) => string;
  rate?: (counts: CampaignCounts) => number;
}

const COLUMNS: readonly Column[] = [
  { label: t('Sent', 'figure'), cell: ({ sent }) => formatCount(sent) },
  {
    label: t('Read'),
    cell: ({ read }) => formatCount(read),
    rate: ({ read, sent }) => percentOf(read, sent),
  },
  {
    label: t('Replied', 'figure'),
    cell: ({ replied }) => formatCount(replied),
    rate: ({ replied, sent }) => percentOf(replied, sent),
  },
  {
    label: t('Purchases'),
    cell: ({ purchases }) => formatCount(purchases),
    rate: ({ unlock_rate }) => unlock_rate,
  },
  { label: t('Revenue'), cell: ({ revenue }) => formatMoney(revenue) },
];

function CampaignRow({ campaign }: { campaign: Campaign }) {
  const { id, name, state, counts, variants } = campaign;
  const { started_at, fan_local_time } = campaign;
  const at = started_at ?? (state === 'scheduled' ? campaign.send_at : null);
  const content = variants[0]?.content;
  return (
    <li className="border-b border-line last:border-b-0">
      <Link
        to={state === 'draft' ? `/campaigns/${id}/edit` : `/campaigns/${id}`}
        className={`${ROW} transition-colors duration-80 hover:bg-hover focus-visible:-outline-offset-2`}
      >
        <span className="flex min-w-0 flex-col gap-1 max-lg:contents">
          <span dir="auto" className={`${OWN_DIRECTION} max-lg:row-start-1 font-medium`}>
            {name}
          </span>
          {content && (
            <span
              dir="auto"
              className={`${OWN_DIRECTION} text-control text-fg-2 max-lg:col-span-2`}
            >
              {withoutVariables(content)}
            </span>
          )}
          <span className="flex min-w-0 flex-wrap gap-x-3 text-meta text-fg-3 max-lg:col-span-2">
            {at !== null && (
              <time
                dateTime={at}
                title={fan_local_time && started_at === null ? undefined : exactTimeOf(at)}
              >
                <Beginning campaign={campaign} />
              </time>
            )}
            <span dir="auto" className="truncate">
              <AudienceWords audience={campaign.audience} />
            </span>
          </span>
          <CampaignProgress campaign={campaign} />
        </span>
        <span className="max-lg:col-start-2 max-lg:row-start-1">
          <StateBadge state={state} />
        </span>
        {counts.audience > 0 && (
          <span className={FIGURES}>
            {COLUMNS.map(({ label, cell, rate }) => (
              <span key={label} className="flex min-w-0 flex-col tabular-nums lg:text-end">
                <span className="truncate text-badge text-fg-3 lg:sr-only">{label}</span>{' '}
                <span className="truncate text-base font-semibold">{cell(counts)}</span>{' '}
                {rate && (
                  <span className="truncate text-meta text-fg-3">{formatRate(rate(counts))}</span>
                )}
              </span>
            ))}
          </span>
        )}
      </Link>
    </li>
  );
}
