import { type Folder, listFolders, listProducts, type Product } from '@stagedoor/contract/products';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';

/** Pictures of products have URLs that live for minutes. */
const FRESH_MS = 120_000;

/** The catalogue, newest first. */
export const productsOptions = queryOptions({
  queryKey: ['products'],
  queryFn: async ({ signal }): Promise<Product[]> => (await call(listProducts, { signal })).data,
  staleTime: FRESH_MS,
});

/** The catalogue's folders, by name. */
export const foldersOptions = queryOptions({
  queryKey: ['folders'],
  queryFn: async ({ signal }): Promise<Folder[]> => (await call(listFolders, { signal })).data,
  staleTime: FRESH_MS,
});
