import { parsePrice } from '@stagedoor/browser/money';
import {
  DEFAULT_PRODUCT_PRICE,
  PRODUCT_IMAGE_MAX_BYTES,
  type Product,
} from '@stagedoor/contract/selling/products';
import { ApiError, errorText } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { NO_PRICE } from '../../lib/text/price.ts';
import type { ProductDetails } from './queries.ts';

export interface ProductTexts {
  title: string;
  description: string;
  price: string;
  /** Empty for no folder. */
  folderId: string;
}

/** Errors by field; `form` concerns the whole form. */
export type FormErrors = Partial<
  Record<'image' | 'media' | 'title' | 'description' | 'price' | 'folder_id' | 'form', string>
>;

/** Returns the errors without those of some fields. */
export function withoutErrors(
  errors: FormErrors,
  fields: readonly (keyof FormErrors)[],
): FormErrors {
  return Object.fromEntries(
    Object.entries(errors).filter(([field]) => !fields.includes(field as keyof FormErrors)),
  );
}

/**
 * Returns the field values for a new product.
 * @param folderId null for no folder
 */
export function newTexts(folderId: string | null): ProductTexts {
  const price = DEFAULT_PRODUCT_PRICE.toFixed(2);
  return { title: '', description: '', price, folderId: folderId ?? '' };
}

export function textsOf({ title, description, price, folder_id }: Product): ProductTexts {
  return {
    title,
    description: description ?? '',
    price: price.toFixed(2),
    folderId: folder_id ?? '',
  };
}

export function differ(a: ProductTexts, b: ProductTexts): boolean {
  return (Object.keys(a) as (keyof ProductTexts)[]).some((field) => a[field] !== b[field]);
}

export function errorOf(field: keyof ProductTexts): keyof FormErrors {
  return field === 'folderId' ? 'folder_id' : field;
}

/** Validates the fields. Returns the product's details or the errors. Blank descriptions and folders become null. */
export function readTexts(
  texts: ProductTexts,
): { details: ProductDetails } | { errors: FormErrors } {
  const title = texts.title.trim();
  const price = parsePrice(texts.price);
  if (title === '' || price === null) {
    return {
      errors: {
        ...(title === '' && { title: t('Title is required') }),
        ...(price === null && { price: NO_PRICE }),
      },
    };
  }
  const description = texts.description.trim() || null;
  return { details: { title, description, price, folder_id: texts.folderId || null } };
}

/** Returns why a file can't be a product's picture, or null if it can. */
export function objectionTo({ type, size }: Pick<File, 'type' | 'size'>): string | null {
  if (!type.startsWith('image/')) return t('Please select an image file');
  if (size >= PRODUCT_IMAGE_MAX_BYTES) {
    const limit = PRODUCT_IMAGE_MAX_BYTES / 1024 / 1024;
    return t('File size must be less than {limit}MB', { limit });
  }
  return null;
}

const FIELDS = ['image', 'media', 'title', 'description', 'price', 'folder_id'] as const;

/** Returns the texts for a server error, keyed by the form field that they concern. */
export function errorsOf(error: unknown, fallback: string): FormErrors {
  const text = errorText(error, fallback);
  if (!(error instanceof ApiError)) return { form: text };
  const { code, fields } = error;
  const invalid = FIELDS.filter((field) => fields[field] !== undefined);
  if (invalid.length > 0) return Object.fromEntries(invalid.map((field) => [field, fields[field]]));
  if (code === 'invalid_file' || code === 'payload_too_large') return { image: text };
  if (code === 'folder_not_found') return { folder_id: text };
  return { form: text };
}
