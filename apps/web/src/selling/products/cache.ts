import type { Folder, Product } from '@stagedoor/contract/selling/products';

export function putProduct(products: readonly Product[], product: Product): Product[] {
  const at = products.findIndex(({ id }) => id === product.id);
  return at === -1 ? [product, ...products] : products.with(at, product);
}

export function dropProduct(products: readonly Product[], id: string): Product[] {
  return products.filter((product) => product.id !== id);
}

/** An optimistic change made on a card. */
export type QuickChange = Partial<Pick<Product, 'folder_id' | 'is_active'>>;

/** A change of a product that is being saved; without `changes` if the product is being deleted. */
export interface PendingChange {
  id: string;
  changes?: QuickChange;
}

/** Returns the catalog with a product changed, or the same array if the product is not in it. */
export function changeProduct(products: Product[], id: string, change: QuickChange): Product[] {
  const at = products.findIndex((product) => product.id === id);
  const product = products[at];
  return product ? products.with(at, { ...product, ...change }) : products;
}

/** Reverts a failed change, except in fields that have changed again since. */
export function revertProduct(
  products: Product[],
  before: Product,
  change: QuickChange,
): Product[] {
  const current = products.find(({ id }) => id === before.id);
  if (!current) return products;
  const keys = Object.keys(change) as (keyof QuickChange)[];
  const undone = keys.filter((key) => current[key] === change[key]);
  return changeProduct(
    products,
    before.id,
    Object.fromEntries(undone.map((key) => [key, before[key]])),
  );
}

/** Returns the catalog after a folder was deleted. Its products stay, without a folder. */
export function withoutFolder(products: Product[], folderId: string): Product[] {
  return products.map((product) =>
    product.folder_id === folderId ? { ...product, folder_id: null } : product,
  );
}

export function putFolder(folders: readonly Folder[], folder: Folder): Folder[] {
  const others = folders.filter(({ id }) => id !== folder.id);
  const key = folder.name.toLowerCase();
  const index = others.findIndex(({ name }) => name.toLowerCase() > key);
  return others.toSpliced(index === -1 ? others.length : index, 0, folder);
}

export function dropFolder(folders: readonly Folder[], id: string): Folder[] {
  return folders.filter((folder) => folder.id !== id);
}

export function countsByFolder(products: readonly Product[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { folder_id: id } of products)
    if (id !== null) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}
