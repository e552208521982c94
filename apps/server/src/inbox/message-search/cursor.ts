import * as z from 'zod/mini';
import { invalidRequest } from '../../errors.ts';

/** The position in the list of hits just after a message. */
export interface SearchCursor {
  /** An instant with the database's microseconds. */
  readonly at: string;
  readonly id: string;
}

const CursorTuple = z.tuple([z.iso.datetime({ precision: 6 }), z.uuid()]);

/** Encodes a cursor as an opaque text. */
export const encodeSearchCursor = ({ at, id }: SearchCursor): string =>
  Buffer.from(JSON.stringify([at, id])).toString('base64url');

/** @throws AppError 400 for an invalid cursor */
export function decodeSearchCursor(text: string): SearchCursor {
  const parsed = CursorTuple.safeParse(parseJson(Buffer.from(text, 'base64url').toString()));
  if (!parsed.success) throw invalidRequest({ cursor: 'Must be a next_cursor from this search' });
  const [at, id] = parsed.data;
  return { at, id };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
