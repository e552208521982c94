import * as z from 'zod/mini';
import { invalidRequest } from '../errors.ts';

/** The position just after a row in a list sorted by time, newest first. */
export interface TimeCursor {
  /** An instant in the API's format. */
  readonly at: string;
  /** A UUID. */
  readonly id: string;
}

const CursorTuple = z.tuple([z.iso.datetime({ precision: 3 }), z.uuid()]);

/** Encodes a cursor as an opaque text for the caller. */
export const encodeCursor = ({ at, id }: TimeCursor): string =>
  Buffer.from(JSON.stringify([at, id])).toString('base64url');

/** @throws AppError 400 for a text that is not one of our cursors */
export function decodeCursor(text: string): TimeCursor {
  const parsed = CursorTuple.safeParse(parseJson(Buffer.from(text, 'base64url').toString()));
  if (!parsed.success) throw invalidRequest({ cursor: 'Must be a next_cursor from this list' });
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
