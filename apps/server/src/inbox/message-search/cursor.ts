import * as z from 'zod/mini';
import { invalidRequest } from '../../errors.ts';

/** The place in the order of hits just after a message. */
export interface SearchCursor {
  /** An instant with microseconds, as the database has it. */
  readonly at: string;
  readonly id: string;
}

const CursorTuple = z.tuple([z.iso.datetime({ precision: 6 }), z.uuid()]);

/** As an opaque text for the caller. */
export const encodeSearchCursor = ({ at, id }: SearchCursor): string =>
  Buffer.from(JSON.stringify([at, id])).toString('base64url');

/** @throws AppError 400 for a text that is no cursor of ours */
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
