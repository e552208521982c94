import type { Folder, Product } from '@stagedoor/contract/selling/products';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { dropFolder, dropProduct, putFolder, putProduct, withoutFolder } from './cache.ts';
import { foldersOptions, productsOptions, withChanges } from './queries.ts';

/** Teammates change the catalog too, so it is refetched on mount and on window focus. */
const OFTEN = { refetchOnMount: 'always', refetchOnWindowFocus: 'always' } as const;

/** Returns the catalog, kept current while the page is open. */
export function useCatalogue() {
  const products = useQuery({ ...productsOptions, ...OFTEN });
  const folders = useQuery({ ...foldersOptions, ...OFTEN });
  useEffect(() => {
    if (products.error) console.error('Failed to fetch products', products.error);
  }, [products.error]);
  useEffect(() => {
    if (folders.error) console.error('Failed to fetch folders', folders.error);
  }, [folders.error]);
  return { products, folders };
}

/** Updates the cached catalog. */
export interface CatalogueCache {
  products: (change: (products: Product[]) => Product[]) => void;
  putProduct: (product: Product) => void;
  dropProduct: (id: string) => void;
  putFolder: (folder: Folder) => void;
  /** Removes a folder. Its products stay, without a folder. */
  dropFolder: (id: string) => void;
  /** Refetches products and folders. Call it if a response shows that the catalog has changed. */
  refresh: () => Promise<void>;
}

/** Returns functions that update the cached catalog; the object is stable. */
export function useCatalogueCache(): CatalogueCache {
  const client = useQueryClient();
  return useMemo(() => {
    const products: CatalogueCache['products'] = (change) =>
      client.setQueryData(productsOptions.queryKey, (held) => held && change(held));
    const folders = (change: (folders: Folder[]) => Folder[]) =>
      client.setQueryData(foldersOptions.queryKey, (held) => held && change(held));
    const keys = [productsOptions.queryKey, foldersOptions.queryKey];
    const saved: CatalogueCache['products'] = (change) => {
      products((held) => withChanges(client, change(held)));
      // Restarts a running fetch, whose response may lack the change.
      void client.invalidateQueries({
        queryKey: productsOptions.queryKey,
        fetchStatus: 'fetching',
      });
    };
    return {
      products,
      putProduct: (product) => saved((held) => putProduct(held, product)),
      dropProduct: (id) => saved((held) => dropProduct(held, id)),
      putFolder: (folder) => folders((held) => putFolder(held, folder)),
      dropFolder: (id) => {
        folders((held) => dropFolder(held, id));
        saved((held) => withoutFolder(held, id));
      },
      refresh: async () => {
        await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
      },
    };
  }, [client]);
}
