import { formatPrice, parsePrice } from '@stagedoor/browser/money';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { formatCount } from '../../lib/text/format.ts';
import { locale, t } from '../../lib/text/i18n.ts';
import { formatMoment, fromLocal, ownZone } from '../../lib/text/zoned-time.ts';
import { useNow } from '../../lib/use-now.ts';
import { classes } from '../../ui/classes.ts';
import { productsOptions } from '../products/queries.ts';
import type { CampaignValues } from './form-values.ts';
import { withoutVariables } from './phone-preview.tsx';
import type { usePreview } from './side-preview.tsx';
import { TIMINGS } from './timing-fields.tsx';

const list = new Intl.ListFormat(locale);

interface SummaryProps {
  values: CampaignValues;
  teamZone: string;
  preview: ReturnType<typeof usePreview>;
}

/** The number of fans and the time, plus the message on tablets. Shown if there is no room for the preview beside the form. */
export function Summary({
  values,
  teamZone,
  preview: { data, isComplete, isStale },
}: SummaryProps) {
  const { data: products = [] } = useQuery(productsOptions);
  const now = useNow();
  const { timing, sendAt, variants } = values;
  const content = variants[0]?.content.trim() ?? '';
  const offers = (variants[0]?.offers ?? []).flatMap(({ productId, price }) => {
    const title = products.find(({ id }) => id === productId)?.title;
    const cost = parsePrice(price);
    return title === undefined || cost === null
      ? []
      : [t('“{title}” for {price}', { title, price: formatPrice(cost) })];
  });
  const at = timing === 'now' ? null : fromLocal(sendAt, timing === 'local' ? teamZone : ownZone());
  const when = TIMINGS.find(({ value }) => value === timing)?.label;
  return (
    <dl
      aria-label={t('Summary')}
      className="grid gap-px overflow-clip rounded-card border border-line bg-line grid-cols-2 max-[20rem]:grid-cols-1 md:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)] lg:hidden"
    >
      <Part label={t('Preview')} note={list.format(offers)}>
        {content === '' ? (
          <span className="font-normal text-fg-3">{t('The message appears here.')}</span>
        ) : (
          <span dir="auto" className="line-clamp-1">
            {withoutVariables(content)}
          </span>
        )}
      </Part>
      <Part
        label={t('Gets the message')}
        note={
          data &&
          isComplete &&
          t('of {count} in the audience', { count: formatCount(data.audience) })
        }
      >
        <span className={classes('tabular-nums', isStale && 'text-fg-3')}>
          {data && isComplete ? formatCount(data.sendable) : '–'}
        </span>
      </Part>
      <Part label={t('When to Send')} note={at !== null && when}>
        {at === null ? when : formatMoment(at, now, timing === 'local' ? teamZone : ownZone())}
      </Part>
    </dl>
  );
}

interface PartProps {
  label: string;
  note: ReactNode;
  children: ReactNode;
}

function Part({ label, note, children }: PartProps) {
  return (
    <div className="flex min-w-0 flex-col bg-surface px-4 py-3 first:max-md:hidden">
      <dt className="text-meta text-fg-2">{label}</dt>
      <dd className="mt-0.5 font-medium">{children}</dd>
      {note && <dd className="truncate text-meta text-fg-2">{note}</dd>}
    </div>
  );
}
