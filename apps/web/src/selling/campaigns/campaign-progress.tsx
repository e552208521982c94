import type { CampaignState } from '@stagedoor/contract/selling/campaign-state';
import type { Campaign } from '@stagedoor/contract/selling/campaigns';
import { useQuery } from '@tanstack/react-query';
import { useAdmin } from '../../lib/server/session.ts';
import { formatCount } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { formatMoment, ownZone } from '../../lib/text/zoned-time.ts';
import { useNow } from '../../lib/use-now.ts';
import { settingsOptions } from '../../team/settings/queries.ts';
import { Badge } from '../../ui/badge.tsx';
import { progressOf, STATES } from './words.ts';

export function StateBadge({ state }: { state: CampaignState }) {
  const { label, tone } = STATES[state];
  return <Badge tone={tone}>{label}</Badge>;
}

/** When a campaign started or will start. */
export function Beginning({ campaign }: { campaign: Campaign }) {
  const { state, started_at, send_at, fan_local_time } = campaign;
  const now = useNow();
  const isLocal = fan_local_time && started_at === null;
  const { can_manage_admins } = useAdmin().permissions;
  const settings = useQuery({ ...settingsOptions, enabled: isLocal && can_manage_admins });
  // A fan-local time is stored as that time of day in the team's time zone.
  const zone = isLocal ? settings.data?.time_zone : ownZone();
  const at = started_at ?? send_at;
  if (at === null) return t('Not started');
  // Unknown while the settings load, and to staff who may not read them.
  if (zone === undefined) return t('At each fan’s local time');
  const time = formatMoment(Date.parse(at), now, zone);
  if (started_at !== null)
    return fan_local_time && state === 'running'
      ? t('Started {time}, sending at each fan’s local time', { time })
      : t('Started {time}', { time });
  return isLocal
    ? t('Planned for {time}, at each fan’s local time', { time })
    : t('Planned for {time}', { time });
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
