import { useQuery } from '@tanstack/react-query';
import { t } from '../../lib/text/i18n.ts';
import { PRICE_INPUT } from '../../lib/text/price.ts';
import { productsOptions } from '../../selling/products/queries.ts';
import { SelectField } from '../../ui/form/select-field.tsx';
import { TextField } from '../../ui/form/text-field.tsx';
import type { TemplateValues } from './use-template-form.ts';

interface TemplateProductProps {
  values: Pick<TemplateValues, 'productId' | 'price'>;
  /** The error to show for the price. */
  error: string | undefined;
  onChange: (part: Partial<TemplateValues>) => void;
}

/** The product that a template offers, and its price. */
export function TemplateProduct({ values, error, onChange }: TemplateProductProps) {
  const { data: products = [], isPending, isError } = useQuery(productsOptions);
  const choose = (productId: string) => {
    const product = products.find(({ id }) => id === productId);
    onChange({ productId, price: product?.price.toFixed(2) ?? '' });
  };
  const isKnown = values.productId === '' || products.some(({ id }) => id === values.productId);
  return (
    <div className="grid gap-4 md:grid-cols-[minmax(0,1fr)_140px]">
      <SelectField
        label={t('Product (optional)')}
        value={values.productId}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        <option value="">
          {isPending
            ? t('Loading products...')
            : isError
              ? t('Failed to fetch products')
              : t('No product')}
        </option>
        {!isKnown && <option value={values.productId}>{t('Current product')}</option>}
        {products
          .filter(({ id, is_active }) => is_active || id === values.productId)
          .map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
      </SelectField>
      <TextField
        label={t('Price in US dollars')}
        name="price"
        {...PRICE_INPUT}
        disabled={values.productId === ''}
        value={values.price}
        error={error}
        onChange={(event) => onChange({ price: event.currentTarget.value })}
      />
    </div>
  );
}
