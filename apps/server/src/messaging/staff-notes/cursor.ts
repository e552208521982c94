import * as z from 'zod/mini';
import { invalidRequest } from '../../errors.ts';

/** A cursor in a list: the instant and id of the last row returned. */
export interface Place {
  /** An ISO instant with milliseconds. */
  readonly at: string;
  readonly id: string;
}

const PlaceTuple = z.tuple([z.iso.datetime({ precision: 3 }), z.uuid()]);

/** Returns the cursor as an opaque string for the client. */
export const encodePlace = (at: Date, id: string): string =>
  Buffer.from(JSON.stringify([at.toISOString(), id])).toString('base64url');

/** @throws AppError 400 for an invalid cursor */
export function decodePlace(cursor: string): Place {
  const parsed = PlaceTuple.safeParse(parseJson(Buffer.from(cursor, 'base64url').toString()));
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
