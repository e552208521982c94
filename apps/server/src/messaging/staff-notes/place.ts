import * as z from 'zod/mini';
import { invalidRequest } from '../../errors.ts';

/** The place in a list just after a row, by the row's instant and id. */
export interface Place {
  /** An ISO text with milliseconds. */
  readonly at: string;
  readonly id: string;
}

const PlaceTuple = z.tuple([z.iso.datetime({ precision: 3 }), z.uuid()]);

/** As an opaque text for the caller. */
export const encodePlace = (at: Date, id: string): string =>
  Buffer.from(JSON.stringify([at.toISOString(), id])).toString('base64url');

/** @throws AppError 400 for a text that is no cursor of ours */
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
