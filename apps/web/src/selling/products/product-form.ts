import {
  DEFAULT_PRODUCT_PRICE,
  PRODUCT_IMAGE_MAX_BYTES,
  type Product,
} from '@stagedoor/contract/selling/products';
import { ApiError, errorText } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { NO_PRICE, parsePrice } from '../../lib/text/price.ts';
import type { ProductDetails } from './queries.ts';

/** What stands in the fields of a product's form. */
export interface ProductTexts {
  title: string;
  description: string;
  price: string;
  /** Empty: none. */
  folderId: string;
}

/** What is wrong, by field; `form` is about all of it. */
export type FormErrors = Partial<
  Record<'image' | 'title' | 'description' | 'price' | 'folder_id' | 'form', string>
>;

/** The errors without those of some fields. */
export function withoutErrors(
  errors: FormErrors,
  fields: readonly (keyof FormErrors)[],
): FormErrors {
  return Object.fromEntries(
    Object.entries(errors).filter(([field]) => !fields.includes(field as keyof FormErrors)),
  );
}

/** The fields of a new product. @param folderId null: none */
export function newTexts(folderId: string | null): ProductTexts {
  const price = DEFAULT_PRODUCT_PRICE.toFixed(2);
  return { title: '', description: '', price, folderId: folderId ?? '' };
}

/** The fields of a product as it is stored. */
export function textsOf({ title, description, price, folder_id }: Product): ProductTexts {
  return {
    title,
    description: description ?? '',
    price: price.toFixed(2),
    folderId: folder_id ?? '',
  };
}

/** Whether the fields say something else. */
export function differ(a: ProductTexts, b: ProductTexts): boolean {
  return (Object.keys(a) as (keyof ProductTexts)[]).some((field) => a[field] !== b[field]);
}

/** The error that belongs to what is typed into a field. */
export function errorOf(field: keyof ProductTexts): keyof FormErrors {
  return field === 'folderId' ? 'folder_id' : field;
}

/** What the fields say, or what is wrong with them. A blank description or folder is none. */
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

/** Why a file can't be a product's picture; null where it may be one. */
export function objectionTo({ type, size }: Pick<File, 'type' | 'size'>): string | null {
  if (!type.startsWith('image/')) return t('Please select an image file');
  if (size >= PRODUCT_IMAGE_MAX_BYTES) {
    const limit = PRODUCT_IMAGE_MAX_BYTES / 1024 / 1024;
    return t('File size must be less than {limit}MB', { limit });
  }
  return null;
}

const FIELDS = ['image', 'title', 'description', 'price', 'folder_id'] as const;

/** A refusal of the server's, by the fields that it is about. */
export function errorsOf(error: unknown, fallback: string): FormErrors {
  const text = errorText(error, fallback);
  if (!(error instanceof ApiError)) return { form: text };
  const { code, fields } = error;
  const told = FIELDS.filter((field) => fields[field] !== undefined);
  if (told.length > 0) return Object.fromEntries(told.map((field) => [field, fields[field]]));
  if (code === 'invalid_file' || code === 'payload_too_large') return { image: text };
  if (code === 'folder_not_found') return { folder_id: text };
  return { form: text };
}
