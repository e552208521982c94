import type { Attachment } from '@stagedoor/contract/media';
import type { Campaign, CampaignCounts } from '@stagedoor/contract/selling/campaigns';
import { toUsd } from '@stagedoor/contract/selling/cents';
import type { StaffAudience } from '../../media/media-links.ts';
import type { StoredAttachment } from '../../media/stored-attachment.ts';
import type { StoredCampaign } from './campaigns.store.ts';
import type { ResultRow } from './results.store.ts';

const unlockRate = (purchases: number, offers: number): number =>
  offers === 0 ? 0 : (purchases / offers) * 100;

/** Presents a campaign with its results. */
export function presentCampaign(
  campaign: StoredCampaign,
  results: readonly ResultRow[],
  shown: (file: StoredAttachment, audience: StaffAudience) => Attachment,
  audience: StaffAudience,
): Campaign {
  const variants = campaign.variants.map((each) => {
    const result = results.find(
      ({ campaign_id, variant }) => campaign_id === campaign.id && variant === each.variant,
    );
    const priced = each.attachments.filter(({ product }) => product?.price_cents != null);
    const offers = each.sent * priced.length;
    return {
      content: each.content,
      attachments: each.attachments.map((file) => shown(file, audience)),
      share: each.share,
      cents: result?.cents ?? 0,
      offers,
      counts: {
        audience: each.audience,
        sent: each.sent,
        skipped: each.skipped,
        unsent: each.unsent,
        read: result?.read ?? 0,
        replied: result?.replied ?? 0,
        purchases: result?.purchases ?? 0,
        revenue: toUsd(result?.cents ?? 0),
        unlock_rate: unlockRate(result?.purchases ?? 0, offers),
      },
    };
  });
  const total = (count: Exclude<keyof CampaignCounts, 'revenue' | 'unlock_rate'>) =>
    variants.reduce((sum, { counts }) => sum + counts[count], 0);
  return {
    id: campaign.id,
    name: campaign.name,
    state: campaign.state,
    // Servers of earlier versions don't clear it.
    paused_reason: campaign.state === 'paused' ? campaign.paused_reason : null,
    variants: variants.map(({ cents: _cents, offers: _offers, ...variant }) => variant),
    audience:
      campaign.segment_id === null ? { rule: campaign.rule } : { segment_id: campaign.segment_id },
    exclude: campaign.exclude,
    send_at: campaign.send_at?.toISOString() ?? null,
    fan_local_time: campaign.fan_local_time,
    per_minute: campaign.per_minute,
    expires_at: campaign.expires_at?.toISOString() ?? null,
    created_by: campaign.created_by,
    started_by: campaign.started_by,
    created_at: campaign.created_at.toISOString(),
    started_at: campaign.started_at?.toISOString() ?? null,
    finished_at: campaign.finished_at?.toISOString() ?? null,
    unsent_at: campaign.unsent_at?.toISOString() ?? null,
    is_unsending: campaign.is_unsending,
    version: campaign.version,
    counts: {
      audience: total('audience'),
      sent: total('sent'),
      skipped: total('skipped'),
      unsent: total('unsent'),
      read: total('read'),
      replied: total('replied'),
      purchases: total('purchases'),
      revenue: toUsd(variants.reduce((sum, { cents }) => sum + cents, 0)),
      unlock_rate: unlockRate(
        total('purchases'),
        variants.reduce((sum, { offers }) => sum + offers, 0),
      ),
    },
  };
}
