import { formatMoney } from '@stagedoor/browser/money';
import type { Campaign, CampaignCounts } from '@stagedoor/contract/selling/campaigns';
import { formatCount } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { Card } from '../../ui/card.tsx';
import { classes } from '../../ui/classes.ts';
import { formatRate } from '../charts/format.ts';
import { percentOf, VARIANTS } from './words.ts';

interface Figure {
  label: string;
  value: (counts: CampaignCounts) => number;
  format: (value: number) => string;
  /** The share of the fans who got the message, by which variants are compared; undefined: they are compared by the value. */
  hasRate?: boolean;
}

const FIGURES: readonly Figure[] = [
  { label: t('Sent', 'figure'), value: ({ sent }) => sent, format: formatCount },
  { label: t('Read'), value: ({ read }) => read, format: formatCount, hasRate: true },
  {
    label: t('Replied within 24 hours'),
    value: ({ replied }) => replied,
    format: formatCount,
    hasRate: true,
  },
  { label: t('Purchases'), value: ({ purchases }) => purchases, format: formatCount },
  { label: t('Unlock Rate'), value: ({ unlock_rate }) => unlock_rate, format: formatRate },
  { label: t('Revenue'), value: ({ revenue }) => revenue, format: formatMoney },
  {
    label: t('Revenue per message'),
    value: ({ revenue, sent }) => (sent === 0 ? 0 : revenue / sent),
    format: formatMoney,
  },
];

/** What fans did with the messages; with two variants, also side by side. */
export function Results({ campaign: { counts, variants } }: { campaign: Campaign }) {
  if (counts.audience === 0) return null;
  return (
    <Card title={t('Results')} className="overflow-clip">
      <dl className="grid grid-cols-2 gap-px border-t border-line bg-line md:grid-cols-4 xl:grid-cols-7">
        {FIGURES.map(({ label, value, format, hasRate }) => (
          <div
            key={label}
            className="flex min-w-0 flex-col bg-surface px-4 py-3 last:max-xl:col-span-2"
          >
            <dt className="text-meta text-fg-2">{label}</dt>
            <dd className="mt-auto pt-0.5 text-title font-semibold tabular-nums">
              {format(value(counts))}
              {hasRate && (
                <span className="ms-1.5 text-meta font-normal text-fg-3">
                  {formatRate(percentOf(value(counts), counts.sent))}
                </span>
              )}
            </dd>
          </div>
        ))}
      </dl>
      {variants.length > 1 && <Comparison variants={variants} />}
    </Card>
  );
}

/** The two variants side by side. The better of each line is marked. */
function Comparison({ variants }: Pick<Campaign, 'variants'>) {
  return (
    <section
      aria-label={t('Comparison of the variants')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
      tabIndex={0}
      className="overflow-x-auto border-t border-line focus-visible:-outline-offset-2"
    >
      <table className="w-full table-fixed text-control">
        <thead>
          <tr className="text-meta text-fg-2">
            <th scope="col" className="px-4 py-2 text-start font-medium">
              {t('Comparison')}
            </th>
            {variants.map(({ share }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: messages are known by their position
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
  const { label, value, format, hasRate = false } = figure;
  const measures = variants.map(({ counts }) =>
    hasRate ? percentOf(value(counts), counts.sent) : value(counts),
  );
  const best = Math.max(...measures);
  // How many were sent says nothing about a message.
  const isComparable = label !== FIGURES[0]?.label && Math.min(...measures) < best;
  return (
    <tr>
      <th scope="row" className="border-t border-line px-4 py-2 text-start font-normal text-fg-2">
        {label}
      </th>
      {variants.map(({ counts }, index) => {
        const isBetter = isComparable && measures[index] === best;
        return (
          <td
            // biome-ignore lint/suspicious/noArrayIndexKey: messages are known by their position
            key={index}
            className={classes(
              'border-t border-line px-4 py-2 tabular-nums',
              isBetter && 'font-semibold text-good',
            )}
          >
            {hasRate
              ? t('{value} ({rate})', {
                  value: format(value(counts)),
                  rate: formatRate(measures[index] ?? 0),
                })
              : format(value(counts))}
            {isBetter && <span className="sr-only"> {t('better')}</span>}
          </td>
        );
      })}
    </tr>
  );
}
