import { type CampaignPreview, EXCLUSION_REASONS } from '@stagedoor/contract/selling/campaigns';
import { formatCount } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { classes } from '../../ui/classes.ts';
import { REASONS } from './words.ts';

interface ExclusionSummaryProps {
  preview: CampaignPreview;
  /** Whether newer numbers are being computed. */
  isStale: boolean;
}

/** How many fans get the message, and why the others don't. */
export function ExclusionSummary({ preview, isStale }: ExclusionSummaryProps) {
  const { audience, sendable, excluded } = preview;
  return (
    <dl
      aria-label={t('Who gets it')}
      aria-busy={isStale}
      className={classes(
        'grid grid-cols-[1fr_auto] gap-x-4 gap-y-1.5 text-control tabular-nums transition-opacity',
        isStale && 'opacity-90',
      )}
    >
      <dt className="text-fg-2">{t('Audience')}</dt>
      <dd className="text-end">{formatCount(audience)}</dd>
      {EXCLUSION_REASONS.filter((reason) => excluded[reason] > 0).map((reason) => (
        <div key={reason} className="col-span-2 grid grid-cols-subgrid text-fg-3">
          <dt className="ps-3">{REASONS[reason]}</dt>
          <dd className="text-end">{formatCount(-excluded[reason])}</dd>
        </div>
      ))}
      <div className="col-span-2 grid grid-cols-subgrid border-t border-line pt-1.5 font-semibold">
        <dt>{t('Gets the message')}</dt>
        <dd className="text-end">{formatCount(sendable)}</dd>
      </div>
    </dl>
  );
}
