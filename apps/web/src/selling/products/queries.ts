import {
  createProduct,
  type Folder,
  listFolders,
  listProducts,
  type Product,
  updateProduct,
} from '@stagedoor/contract/selling/products';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/server/api.ts';
import { upload } from '../../lib/server/upload.ts';
import type { ListedFile } from './bundle-list.tsx';
import { changeProduct, type PendingChange } from './cache.ts';
import type { ChosenMedia } from './use-bundle.ts';

/** How long the catalog stays fresh, in milliseconds. The URLs of product pictures expire after minutes. */
const FRESH_MS = 120_000;

/** Applies the changes that are being saved: the server may have read the products before it saved them. */
export function withChanges(client: QueryClient, products: Product[]): Product[] {
  const pending = client
    .getMutationCache()
    .findAll({ mutationKey: ['product'], status: 'pending' });
  return pending.reduce((held, { state }) => {
    const { id, changes } = state.variables as PendingChange;
    return changes ? changeProduct(held, id, changes) : held;
  }, products);
}

/** The catalog, newest first. */
export const productsOptions = queryOptions({
  queryKey: ['products'],
  queryFn: async ({ signal, client }) =>
    withChanges(client, (await call(listProducts, { signal })).data),
  staleTime: FRESH_MS,
});

/** The catalog's folders, by name. */
export const foldersOptions = queryOptions({
  queryKey: ['folders'],
  queryFn: async ({ signal }): Promise<Folder[]> => (await call(listFolders, { signal })).data,
  staleTime: FRESH_MS,
});

/** The editable fields of a product. */
export interface ProductDetails {
  title: string;
  description: string | null;
  /** USD. */
  price: number;
  folder_id: string | null;
}

type UploadOptions = Parameters<typeof upload>[2];

/** Creates a product. Blank fields are omitted from the form. @param media the files that are sold; empty to sell the image */
export async function addProduct(
  details: ProductDetails,
  { image, media }: { image: File; media: readonly ChosenMedia[] },
  options: UploadOptions,
): Promise<Product> {
  const form = new FormData();
  form.append('title', details.title);
  if (details.description !== null) form.append('description', details.description);
  form.append('price', details.price.toFixed(2));
  if (details.folder_id !== null) form.append('folder_id', details.folder_id);
  form.append('image', image);
  for (const { file, free, facts } of media) {
    const { duration, frame } = await facts;
    form.append('media', file);
    if (duration !== null) form.append('duration', String(duration));
    if (free) form.append('free', 'true');
    if (frame !== null) form.append('frame', frame);
  }
  return (await upload(createProduct, form, options)).data;
}

/** Updates the given fields of a product. */
export async function saveProduct(
  id: string,
  body: Partial<ProductDetails> & {
    is_active?: boolean;
    media?: Pick<ListedFile, 'id' | 'free'>[];
  },
): Promise<Product> {
  return (await call(updateProduct, { params: { id }, body })).data;
}
