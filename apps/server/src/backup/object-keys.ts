import type { TableShape } from './catalog.ts';
import { columnList, qualified } from './catalog.ts';

/** Columns that name a stored object. What only waits for its deletion is not worth keeping. */
export const OBJECT_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  uploads: ['storage_key', 'thumbnail_key'],
  template_files: ['storage_key', 'thumbnail_key'],
  products: ['full_key', 'preview_key', 'thumbnail_key'],
  avatar_uploads: ['storage_key'],
};

/** A query of every object that rows name, once each; of an older schema, of the columns that it has. */
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
