import type { TableShape } from './catalog.ts';
import { columnList, qualified } from './catalog.ts';

/** Columns that hold the key of a stored object. Objects that only await deletion are not backed up. */
export const OBJECT_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  uploads: ['storage_key', 'thumbnail_key'],
  campaign_files: ['storage_key', 'thumbnail_key'],
  template_files: ['storage_key', 'thumbnail_key'],
  products: ['full_key', 'preview_key', 'thumbnail_key'],
  product_media: ['storage_key', 'thumbnail_key'],
  avatar_uploads: ['storage_key'],
};

/**
 * Returns a query for the key of every object that rows reference, without duplicates. Skips columns that an older schema doesn't
 * have.
 */
export function objectKeysQuery(tables: readonly TableShape[]): string {
  const selects = tables.flatMap((table) =>
    table.schema !== 'public'
      ? []
      : (OBJECT_COLUMNS[table.name] ?? [])
          .filter((column) => table.columns.includes(column))
          .map((column) => {
            const name = columnList([column]);
            return `select ${name} from ${qualified(table)} where ${name} is not null`;
          }),
  );
  return selects.length === 0 ? `select '' where false` : selects.join(' union ');
}
