import { formatMoney } from '@stagedoor/browser/money';
import type { Campaign, CampaignCounts } from '@stagedoor/contract/selling/campaigns';
import { useId } from 'react';
import { formatCount } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { Card } from '../../ui/card.tsx';
import { classes } from '../../ui/classes.ts';
import { formatRate } from '../charts/format.ts';
import { betterOf, type Share } from './better-of.ts';
import { percentOf, VARIANTS } from './words.ts';

interface Figure {
  label: string;
  value: (counts: CampaignCounts) => number;
  format: (value: number) => string;
  /** Whether the value is also shown as a share of the messages sent. */
  showsRate?: true;
  /** The share by which variants are compared. Not set for sums, which also depend on how many fans got the message. */
  share?: (variant: Campaign['variants'][number]) => Share;
}

const FIGURES: readonly Figure[] = [
  { label: t('Sent', 'figure'), value: ({ sent }) => sent, format: formatCount },
  {
    label: t('Read'),
    value: ({ read }) => read,
    format: formatCount,
    showsRate: true,
    share: ({ counts: { read, sent } }) => [read, sent],
  },
  {
    label: t('Replied Within 24 Hours'),
    value: ({ replied }) => replied,
    format: formatCount,
    showsRate: true,
    share: ({ counts: { replied, sent } }) => [replied, sent],
  },
  { label: t('Purchases'), value: ({ purchases }) => purchases, format: formatCount },
  {
    label: t('Unlock Rate'),
    value: ({ unlock_rate }) => unlock_rate,
    format: formatRate,
    share: ({ counts: { purchases, sent }, attachments }) => [
      purchases,
      sent * attachments.filter(({ price }) => price !== null).length,
    ],
  },
  { label: t('Revenue'), value: ({ revenue }) => revenue, format: formatMoney },
  {
    label: t('Revenue per Message'),
    value: ({ revenue, sent }) => (sent === 0 ? 0 : revenue / sent),
    format: formatMoney,
  },
];

/** Returns the index of the better variant; null if the difference may be due to chance, or the figure isn't compared. */
const betterIn = ({ share }: Figure, variants: Campaign['variants']): 0 | 1 | null =>
  share === undefined ? null : betterOf(variants.map(share));

const rateOf = ({ value, showsRate }: Figure, counts: CampaignCounts): string | null =>
  showsRate ? formatRate(percentOf(value(counts), counts.sent)) : null;

/** The results of the messages; with two variants, also side by side. */
export function Results({ campaign: { counts, variants } }: { campaign: Campaign }) {
  if (counts.audience === 0) return null;
  return (
    <Card title={t('Results')} className="overflow-clip">
      <dl className="grid grid-cols-2 gap-px border-t border-line bg-line md:grid-cols-4 xl:grid-cols-7">
        {FIGURES.map((figure) => {
          const { label, value, format } = figure;
          const rate = rateOf(figure, counts);
          return (
            <div
              key={label}
              className="flex min-w-0 flex-col bg-surface px-4 py-3 last:max-xl:col-span-2"
            >
              <dt className="text-meta text-fg-2">{label}</dt>
              <dd className="mt-auto flex flex-wrap items-baseline gap-x-1.5 pt-0.5 text-title font-semibold tabular-nums">
                {format(value(counts))}
                {rate !== null && <span className="text-meta font-normal text-fg-3">{rate}</span>}
              </dd>
            </div>
          );
        })}
      </dl>
      {variants.length > 1 && <Comparison variants={variants} />}
    </Card>
  );
}

/** Compares two variants, and marks the better one where the difference is unlikely to be due to chance. */
function Comparison({ variants }: Pick<Campaign, 'variants'>) {
  const titleId = useId();
  const isMarked = FIGURES.some((figure) => betterIn(figure, variants) !== null);
  return (
    <section
      aria-labelledby={titleId}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
      tabIndex={0}
      className="overflow-x-auto border-t border-line focus-visible:-outline-offset-2"
    >
      <h3 id={titleId} className="px-4 pt-3.5 text-message font-semibold tracking-tight">
        {t('Variants Compared')}
      </h3>
      <p className="mt-0.5 px-4 pb-1 text-control text-fg-3">
        {isMarked
          ? t('The better share is marked if the difference is unlikely to be chance.')
          : t('The differences so far may be chance.')}
      </p>
      <table className="w-full table-fixed text-control">
        <thead>
          <tr className="text-meta text-fg-2">
            <td className="max-md:w-2/5" />
            {variants.map(({ share }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: messages have no id, only a position
              <th key={index} scope="col" className="px-4 py-2 text-start font-medium">
                {t('{variant} ({share}%)', { variant: VARIANTS[index] ?? '', share })}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {FIGURES.map((figure) => (
            <ComparisonRow key={figure.label} figure={figure} variants={variants} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface ComparisonRowProps extends Pick<Campaign, 'variants'> {
  figure: Figure;
}

function ComparisonRow({ figure, variants }: ComparisonRowProps) {
  const { label, value, format } = figure;
  const better = betterIn(figure, variants);
  return (
    <tr>
      <th scope="row" className="border-t border-line px-4 py-2 text-start font-normal text-fg-2">
        {label}
      </th>
      {variants.map(({ counts }, index) => {
        const rate = rateOf(figure, counts);
        const isBetter = better === index;
        return (
          <td
            // biome-ignore lint/suspicious/noArrayIndexKey: messages have no id, only a position
            key={index}
            className={classes(
              'border-t border-line px-4 py-2 tabular-nums',
              isBetter && 'font-semibold text-good',
            )}
          >
            {rate === null
              ? format(value(counts))
              : t('{value} ({rate})', { value: format(value(counts)), rate })}
            {isBetter && <span className="sr-only"> {t('better')}</span>}
          </td>
        );
      })}
    </tr>
  );
}
