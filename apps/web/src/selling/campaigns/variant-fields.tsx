import { CAMPAIGN_TEXT_MAX_CHARS, type Campaign } from '@stagedoor/contract/selling/campaigns';
import { useQuery } from '@tanstack/react-query';
import { Package, Paperclip, X } from 'lucide-react';
import { type ReactNode, useId, useRef } from 'react';
import { t } from '../../lib/text/i18n.ts';
import { PRICE_INPUT } from '../../lib/text/price.ts';
import { Button } from '../../ui/button.tsx';
import { ChosenFile } from '../../ui/form/chosen-file.tsx';
import { FieldError } from '../../ui/form/field-error.tsx';
import { FilePicker } from '../../ui/form/file-picker.tsx';
import { SelectField } from '../../ui/form/select-field.tsx';
import { TextAreaField, TextField } from '../../ui/form/text-field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { productsOptions } from '../products/queries.ts';
import type { FormOffer } from './form-values.ts';
import type { CampaignForm } from './use-campaign-form.ts';

/** The variables to insert, each with a fallback. */
const TOKENS = ['{first_name|there}', '{username|you}'] as const;

interface VariantFieldsProps {
  form: CampaignForm;
  /** The message's position in the campaign. */
  index: number;
  /** The button that adds or removes a message. */
  action: ReactNode;
}

/** The text, products and files of one message. */
export function VariantFields({ form, index, action }: VariantFieldsProps) {
  const { values, errors, uploading, changeVariant, addFiles } = form;
  const variant = values.variants[index];
  const box = useRef<HTMLDivElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const id = useId();
  if (variant === undefined) return null;
  const { content, offers } = variant;
  const error = errors[`variants.${index}.content`];
  const fileError = errors[`variants.${index}.attachments`];
  const insert = (token: string) => {
    const field = box.current?.querySelector('textarea');
    if (!field) return;
    const { selectionStart: from, selectionEnd: to } = field;
    changeVariant(index, () => ({ content: content.slice(0, from) + token + content.slice(to) }));
    field.focus();
    requestAnimationFrame(() => field.setSelectionRange(from + token.length, from + token.length));
  };
  return (
    <div ref={box} className="flex min-w-0 flex-col gap-4">
      <div>
        <TextAreaField
          label={t('Text')}
          dir="auto"
          rows={5}
          maxLength={CAMPAIGN_TEXT_MAX_CHARS}
          value={content}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={error === undefined ? undefined : `${id}-error`}
          onChange={({ currentTarget: { value } }) =>
            changeVariant(index, () => ({ content: value }))
          }
        />
        {error !== undefined && <FieldError id={`${id}-error`}>{error}</FieldError>}
        <p className="mt-1.5 flex flex-wrap items-center gap-1.5 text-meta text-balance text-fg-3">
          {t('Insert a variable. Fans without a value see the word after |.')}
          {TOKENS.map((token) => (
            <button
              key={token}
              type="button"
              onClick={() => insert(token)}
              className="touch-target rounded-chip border border-control bg-surface-2 px-1.5 py-0.5 font-mono text-meta text-fg-2 transition-colors duration-80 hover:bg-hover hover:text-fg"
            >
              {token}
            </button>
          ))}
        </p>
      </div>
      <Offers form={form} index={index} />
      <Files form={form} index={index} />
      {fileError !== undefined && <FieldError id={`${id}-files`}>{fileError}</FieldError>}
      <div className="flex flex-wrap gap-2">
        <Button
          icon={<Package />}
          onClick={() =>
            changeVariant(index, () => ({ offers: [...offers, { productId: '', price: '' }] }))
          }
        >
          {t('Add Product')}
        </Button>
        <Button
          icon={<Paperclip />}
          busy={uploading?.variant === index}
          busyText={t('Uploading {percent}%', {
            percent: Math.round((uploading?.progress ?? 0) * 100),
          })}
          aria-invalid={fileError !== undefined || undefined}
          aria-describedby={fileError === undefined ? undefined : `${id}-files`}
          onClick={() => picker.current?.click()}
        >
          {t('Add Files')}
        </Button>
        <FilePicker ref={picker} multiple onFiles={(files) => void addFiles(index, files)} />
        {action}
      </div>
    </div>
  );
}

function Offers({ form, index }: Omit<VariantFieldsProps, 'action'>) {
  const { values, errors, changeVariant } = form;
  const { data: products = [], isError, isPending } = useQuery(productsOptions);
  const offers = values.variants[index]?.offers ?? [];
  const set = (next: readonly FormOffer[]) => changeVariant(index, () => ({ offers: next }));
  const change = (at: number, part: Partial<FormOffer>) =>
    set(offers.map((offer, each) => (each === at ? { ...offer, ...part } : offer)));
  const titleless = isPending
    ? t('Loading products...')
    : isError
      ? t('Failed to fetch products')
      : t('Choose a product');
  return (
    <div className="flex flex-col gap-2 empty:hidden">
      {offers.map((offer, at) => {
        const error = errors[`variants.${index}.offers.${at}`];
        const isUnchosen = offer.productId === '';
        return (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: offers are only added at the end, and the fields keep no state
            key={at}
            className="grid grid-cols-[minmax(0,1fr)_110px_auto] items-start gap-2"
          >
            <SelectField
              label={t('Product')}
              value={offer.productId}
              aria-invalid={(error !== undefined && isUnchosen) || undefined}
              onChange={({ currentTarget: { value: productId } }) =>
                change(at, {
                  productId,
                  price: products.find(({ id }) => id === productId)?.price.toFixed(2) ?? '',
                })
              }
            >
              <option value="">{titleless}</option>
              {products
                .filter(({ id, is_active }) => is_active || id === offer.productId)
                .map(({ id, title }) => (
                  <option key={id} value={id}>
                    {title}
                  </option>
                ))}
            </SelectField>
            <TextField
              label={t('Price (USD)')}
              {...PRICE_INPUT}
              value={offer.price}
              error={error}
              onChange={({ currentTarget: { value: price } }) => change(at, { price })}
            />
            <IconButton
              label={t('Remove Product')}
              icon={<X />}
              className="mt-5"
              onClick={() => set(offers.filter((_, each) => each !== at))}
            />
          </div>
        );
      })}
    </div>
  );
}

type StoredFile = Campaign['variants'][number]['attachments'][number];

function Files({ form, index }: Omit<VariantFieldsProps, 'action'>) {
  const { values, changeVariant } = form;
  const files = values.variants[index]?.files ?? [];
  const remove = (gone: StoredFile) =>
    changeVariant(index, (held) => ({ files: held.files.filter((file) => file.id !== gone.id) }));
  if (files.length === 0) return null;
  return (
    <ul aria-label={t('Selected files')} className="flex flex-wrap gap-2">
      {files.map((file) => (
        <ChosenFile
          key={file.id}
          file={{
            name: file.filename ?? t('File'),
            size: file.size,
            type: file.type,
            picture: file.thumbnail_url,
            status: 'uploaded',
            progress: 1,
            error: null,
          }}
          onRemove={() => remove(file)}
        />
      ))}
    </ul>
  );
}
