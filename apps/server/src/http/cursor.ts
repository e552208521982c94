import * as z from 'zod/mini';
import { invalidRequest } from '../errors.ts';

/**
 * Creates the codec for a list's cursors. A cursor contains the sort keys of the last returned row, as text that is opaque to
 * callers.
 * @param keys the sort keys' schemas, in the order in which a cursor contains them
 */
export function cursorCodec<Keys extends z.core.$ZodShape>(keys: Keys) {
  const names = Object.keys(keys);
  const schema = z.object(keys);
  type Cursor = z.infer<typeof schema>;
  return {
    encode: (cursor: Cursor): string =>
      Buffer.from(JSON.stringify(names.map((name) => cursor[name as keyof Cursor]))).toString(
        'base64url',
      ),

    /** @throws AppError 400 for a text that is not a cursor of this list */
    decode(text: string): Cursor {
      const values = parseArray(Buffer.from(text, 'base64url').toString());
      const cursor = Object.fromEntries(names.map((name, index) => [name, values[index]]));
      const parsed = schema.safeParse(cursor);
      if (!parsed.success || values.length !== names.length)
        throw invalidRequest({ cursor: 'Must be a next_cursor from this list' });
      return parsed.data;
    },
  };
}

function parseArray(text: string): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}

/**
 * Returns the schema of an ISO instant in UTC. Rejects year 0, which PostgreSQL doesn't have. @param digits decimals of seconds
 */
export const cursorInstant = (digits: 3 | 6) =>
  z.iso.datetime({ precision: digits }).check(z.regex(/^(?!0000)/));

/** The position in a list sorted by time. */
export interface TimeCursor {
  /** An ISO instant in UTC. */
  readonly at: string;
  /** A UUID. */
  readonly id: string;
}

/** Creates the codec for lists sorted by time. @param digits number of decimals of the seconds: 3, or 6 as in the database */
export const timeCursors = (digits: 3 | 6) =>
  cursorCodec({ at: cursorInstant(digits), id: z.uuid() });

/** The codec for lists sorted by a number that rises with each row. */
export const numberCursors = cursorCodec({ at: z.int().check(z.nonnegative()) });

/**
 * Returns a list's page and the cursor for the next one; null on the last page.
 * @param rows up to `limit + 1` rows: the extra one shows that there is a next page
 */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
  cursorAfter: (last: Row) => string,
): { page: Row[]; next_cursor: string | null } {
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { page, next_cursor: last === undefined ? null : cursorAfter(last) };
}
