import { formatMoney } from '@stagedoor/browser/money';
import {
  type Campaign,
  type CampaignRecipient,
  type RecipientState,
  SKIP_REASONS,
  type SkipReason,
} from '@stagedoor/contract/selling/campaigns';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { saveCsv } from '../../lib/save-csv.ts';
import { errorText } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { classes } from '../../ui/classes.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Select } from '../../ui/form/select.tsx';
import { Link } from '../../ui/link.tsx';
import { LoadingLine } from '../../ui/loading-line.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { QueryError } from '../../ui/query-error.tsx';
import { fetchRecipients, type RecipientFilter, recipientsOptions } from './queries.ts';
import { REASONS, RECIPIENT_STATES, VARIANTS } from './words.ts';

const RECIPIENT_STATE_NAMES = Object.keys(RECIPIENT_STATES) as RecipientState[];

/** Returns the filter for a choice: all recipients, those in a state, or those skipped for a reason. */
function filterOf(choice: string): RecipientFilter {
  const state = RECIPIENT_STATE_NAMES.find((each) => each === choice);
  if (state !== undefined) return { state };
  const reason = SKIP_REASONS.find((each) => each === choice);
  return reason === undefined ? {} : { state: 'skipped', reason };
}

/** Who got a campaign's message, and why the others didn't. */
export function Recipients({ campaign }: { campaign: Campaign }) {
  const [choice, setChoice] = useState('');
  const filter = filterOf(choice);
  const recipients = useInfiniteQuery(recipientsOptions(campaign.id, filter));
  const { data: rows, error, isFetching } = recipients;
  const hasVariants = campaign.variants.length > 1;
  return (
    <Card
      title={t('Recipients')}
      aside={
        campaign.counts.audience > 0 && (
          <div className="flex flex-wrap gap-2 max-md:w-full">
            <Select
              aria-label={t('Show')}
              value={choice}
              onChange={({ currentTarget: { value } }) => setChoice(value)}
              className="min-w-24 max-md:flex-1 md:max-w-52"
            >
              <option value="">{t('All recipients')}</option>
              {RECIPIENT_STATE_NAMES.map((state) => (
                <option key={state} value={state}>
                  {RECIPIENT_STATES[state].label}
                </option>
              ))}
              <optgroup label={RECIPIENT_STATES.skipped.label}>
                {SKIP_REASONS.map((reason: SkipReason) => (
                  <option key={reason} value={reason}>
                    {REASONS[reason]}
                  </option>
                ))}
              </optgroup>
            </Select>
            <ExportButton campaign={campaign} filter={filter} />
          </div>
        )
      }
      className="overflow-clip"
    >
      {error !== null && (
        <div className="px-4 pb-4">
          <QueryError query={recipients} text={t('Couldn’t load the recipients')} />
        </div>
      )}
      {rows?.length === 0 && (
        <EmptyState
          title={choice === '' ? t('No recipients yet') : t('No recipients here')}
          text={
            choice === '' ? t('The audience is counted when the mass message begins.') : undefined
          }
        />
      )}
      {rows && rows.length > 0 && (
        <>
          <div
            aria-hidden="true"
            className={classes(
              columnsOf(hasVariants),
              'h-8 border-y border-line bg-surface-2 text-meta font-medium text-fg-2 max-md:hidden',
            )}
          >
            <span>{t('Fan')}</span>
            {hasVariants && <span>{t('Variant')}</span>}
            <span className="truncate">{t('Result')}</span>
            <span>{t('Status')}</span>
          </div>
          <ul
            aria-label={t('Recipients')}
            aria-busy={recipients.isPlaceholderData}
            className="border-line max-md:border-t"
          >
            {rows.map((recipient) => (
              <RecipientRow
                key={recipient.fan_id}
                recipient={recipient}
                hasVariants={hasVariants}
              />
            ))}
          </ul>
        </>
      )}
      {isFetching && (rows === undefined || recipients.isFetchingNextPage) && (
        <LoadingLine text={t('Loading recipients...')} className="p-4" />
      )}
      <MoreButton query={recipients} />
    </Card>
  );
}

const columnsOf = (hasVariants: boolean): string =>
  classes(
    'grid items-center gap-x-4 px-4',
    hasVariants
      ? 'md:grid-cols-[minmax(0,1fr)_5rem_minmax(0,11rem)_7rem]'
      : 'md:grid-cols-[minmax(0,1fr)_minmax(0,11rem)_7rem]',
  );

interface RecipientRowProps {
  recipient: CampaignRecipient;
  hasVariants: boolean;
}

function RecipientRow({ recipient, hasVariants }: RecipientRowProps) {
  const { conversation_id, display_name, reason, variant, purchases, revenue } = recipient;
  return (
    <li className="border-b border-line [contain-intrinsic-size:auto_44px] [content-visibility:auto] last:border-b-0">
      <Link
        to={`/inbox/${encodeURIComponent(conversation_id)}`}
        className={classes(
          columnsOf(hasVariants),
          'min-h-11 grid-cols-[minmax(0,1fr)_auto] gap-y-0.5 py-2 text-control transition-colors duration-80 hover:bg-hover focus-visible:-outline-offset-2',
        )}
      >
        <span className="min-w-0 truncate font-medium">
          <bdi>{display_name || t('Erased fan')}</bdi>
        </span>
        <span className="flex gap-3 text-meta text-fg-2 max-md:row-start-2 md:contents">
          {hasVariants && <span className="text-fg-3">{VARIANTS[variant]}</span>}
          <span className="tabular-nums">
            {reason !== null ? REASONS[reason] : purchases > 0 && formatMoney(revenue)}
          </span>
        </span>
        <span className="max-md:col-start-2 max-md:row-start-1">
          <Outcome recipient={recipient} />
        </span>
      </Link>
    </li>
  );
}

/** The furthest the message got: replied, read, or its state. */
function Outcome({ recipient: { state, read, replied } }: { recipient: CampaignRecipient }) {
  if (replied) return <Badge tone="good">{t('Replied', 'recipient')}</Badge>;
  if (read) return <Badge tone="info">{t('Read')}</Badge>;
  const { label, tone } = RECIPIENT_STATES[state];
  return <Badge tone={tone}>{label}</Badge>;
}

function ExportButton({ campaign, filter }: { campaign: Campaign; filter: RecipientFilter }) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const csv = await fetchRecipients(campaign.id, filter);
      saveCsv('recipients', csv);
    },
  });
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      {error && (
        <span role="alert" className="text-meta text-danger-text">
          {errorText(error, t('Couldn’t export the recipients'))}
        </span>
      )}
      <Button
        busy={isPending}
        busyText={t('Exporting...')}
        icon={<Download />}
        onClick={() => mutate()}
      >
        {t('Export CSV')}
      </Button>
    </span>
  );
}
