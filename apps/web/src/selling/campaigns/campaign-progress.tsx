import type { CampaignState } from '@stagedoor/contract/selling/campaign-state';
import type { Campaign } from '@stagedoor/contract/selling/campaigns';
import { formatCount } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { Badge } from '../../ui/badge.tsx';
import { progressOf, STATES } from './words.ts';

export function StateBadge({ state }: { state: CampaignState }) {
  const { label, tone } = STATES[state];
  return <Badge tone={tone}>{label}</Badge>;
}

/** The progress of a campaign that has started and not finished. */
export function CampaignProgress({ campaign }: { campaign: Campaign }) {
  const { counts, finished_at } = campaign;
  if (counts.audience === 0 || finished_at !== null) return null;
  const { audience, sent, skipped, unsent } = counts;
  const label = t('{audience, plural, one {{done} of # fan} other {{done} of # fans}}', {
    audience,
    done: formatCount(sent + skipped + unsent),
  });
  return (
    <span className="flex items-center gap-2">
      <progress
        aria-label={t('Progress')}
        value={progressOf(counts)}
        max={100}
        className="h-1.5 w-40 max-w-full overflow-hidden rounded-full bg-fg/20 [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-transparent [&::-webkit-progress-value]:bg-accent"
      />
      <span className="text-meta whitespace-nowrap text-fg-2 tabular-nums">{label}</span>
    </span>
  );
}
