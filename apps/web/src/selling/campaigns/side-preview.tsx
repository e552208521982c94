import { bundleOf } from '@stagedoor/browser/bundles';
import { parsePrice } from '@stagedoor/browser/money';
import type { CampaignPreview } from '@stagedoor/contract/selling/campaigns';
import type { Product } from '@stagedoor/contract/selling/products';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../lib/text/i18n.ts';
import { useDebounced } from '../../lib/use-debounced.ts';
import { Card } from '../../ui/card.tsx';
import { Segments } from '../../ui/form/segments.tsx';
import { LoadingLine } from '../../ui/loading-line.tsx';
import { QueryError } from '../../ui/query-error.tsx';
import { productsOptions } from '../products/queries.ts';
import { ExclusionSummary } from './exclusion-summary.tsx';
import { type CampaignValues, type FormVariant, unsavedOf } from './form-values.ts';
import { MarkedVariables, type PhoneAttachment, PhonePreview } from './phone-preview.tsx';
import { unsavedPreviewOptions } from './queries.ts';
import { VARIANTS } from './words.ts';

const DEBOUNCE_MS = 400;

const TABS = [
  { value: '0', label: VARIANTS[0] },
  { value: '1', label: VARIANTS[1] },
] as const;

/** Counts the fans who would get the message, while it is written. */
export function usePreview(values: CampaignValues, teamZone: string) {
  const typed = useDebounced(values, DEBOUNCE_MS);
  const body = unsavedOf(typed, teamZone);
  const { data, error, isFetching, refetch } = useQuery(unsavedPreviewOptions(body));
  return {
    data,
    error,
    isFetching,
    refetch,
    isComplete: body !== null,
    isStale: isFetching || typed !== values,
  };
}

interface SidePreviewProps {
  values: CampaignValues;
  preview: ReturnType<typeof usePreview>;
}

/** A preview of the campaign being written: its messages, and how many fans will get them. */
export function SidePreview({ values, preview }: SidePreviewProps) {
  const { data, error, isComplete, isStale } = preview;
  return (
    <>
      <PhoneCard values={values} preview={isStale ? undefined : data} />
      <Card title={t('Who Gets It')}>
        <div aria-live="polite" className="px-4 pb-4">
          {!isComplete ? (
            <p className="text-control text-fg-3">
              {t('Complete the audience and the products to see how many fans get it.')}
            </p>
          ) : error !== null ? (
            <QueryError query={preview} text={t('Couldn’t count the fans')} />
          ) : data === undefined ? (
            <LoadingLine text={t('Counting fans...')} className="" />
          ) : (
            <ExclusionSummary preview={data} isStale={isStale} />
          )}
        </div>
      </Card>
    </>
  );
}

interface PhoneCardProps {
  values: CampaignValues;
  /** Undefined while the preview is outdated. */
  preview: CampaignPreview | undefined;
}

function PhoneCard({ values, preview }: PhoneCardProps) {
  const { data: products = [], refetch } = useQuery(productsOptions);
  const [tab, setTab] = useState<'0' | '1'>('0');
  const index = values.variants.length > 1 ? Number(tab) : 0;
  const variant = values.variants[index];
  const sample = preview?.samples.find((each) => each.variant === index);
  if (variant === undefined) return null;
  return (
    <Card
      title={t('Preview')}
      subtitle={
        sample === undefined
          ? t('On a fan’s phone')
          : t('On {name}’s phone', { name: sample.fan.display_name })
      }
      aside={
        values.variants.length > 1 && (
          <Segments label={t('Variant')} options={TABS} current={tab} onChange={setTab} />
        )
      }
    >
      <div className="px-4 pb-4">
        <PhonePreview
          label={t('Preview')}
          content={
            sample?.content ??
            (variant.content.trim() === '' ? '' : <MarkedVariables content={variant.content} />)
          }
          attachments={attachmentsOf(variant, products)}
          refresh={async () => void (await refetch())}
        />
      </div>
    </Card>
  );
}

const attachmentsOf = (
  { offers, files }: FormVariant,
  products: readonly Product[],
): PhoneAttachment[] => [
  ...offers.flatMap(({ productId, price }, at) => {
    const product = products.find(({ id }) => id === productId);
    return product === undefined
      ? []
      : [
          {
            key: `${at}`,
            title: product.title,
            price: parsePrice(price) ?? 0,
            picture: product.thumbnail_url,
            description: product.description,
            files: bundleOf({ product_id: product.id, media: product.media }),
          },
        ];
  }),
  ...files.map(({ id, filename, thumbnail_url }) => ({
    key: id,
    title: filename ?? t('File'),
    price: null,
    picture: thumbnail_url,
  })),
];
