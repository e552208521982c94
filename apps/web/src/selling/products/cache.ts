import type { Folder, Product } from '@stagedoor/contract/selling/products';

/** The catalogue with a product as it is now stored; a new one comes first. */
export function putProduct(products: readonly Product[], product: Product): Product[] {
  const at = products.findIndex(({ id }) => id === product.id);
  return at === -1 ? [product, ...products] : products.with(at, product);
}

/** The catalogue without a product. */
export function dropProduct(products: readonly Product[], id: string): Product[] {
  return products.filter((product) => product.id !== id);
}

/** What a card changes at once, before the server has said so. */
export type QuickChange = Partial<Pick<Product, 'folder_id' | 'is_active'>>;

/** The catalogue with a product changed; the same array where it is not in there. */
export function changeProduct(products: Product[], id: string, change: QuickChange): Product[] {
  const at = products.findIndex((product) => product.id === id);
  const product = products[at];
  return product ? products.with(at, { ...product, ...change }) : products;
}

/** Takes a change back that failed, where nothing else has changed the same since. */
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

/** The catalogue after a folder was deleted: its products are in none. */
export function withoutFolder(products: Product[], folderId: string): Product[] {
  return products.map((product) =>
    product.folder_id === folderId ? { ...product, folder_id: null } : product,
  );
}

/** The folders with a new or renamed one in its place: by name. */
export function putFolder(folders: readonly Folder[], folder: Folder): Folder[] {
  const others = folders.filter(({ id }) => id !== folder.id);
  const key = folder.name.toLowerCase();
  const place = others.findIndex(({ name }) => name.toLowerCase() > key);
  return others.toSpliced(place === -1 ? others.length : place, 0, folder);
}

/** The folders without one. */
export function dropFolder(folders: readonly Folder[], id: string): Folder[] {
  return folders.filter((folder) => folder.id !== id);
}

/** How many products are in each folder, by its id. */
export function countsByFolder(products: readonly Product[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { folder_id: id } of products)
    if (id !== null) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}
