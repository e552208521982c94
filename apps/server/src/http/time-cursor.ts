import * as z from 'zod/mini';
import { invalidRequest } from '../errors.ts';

/** The place just after a row in a list by time, the newest first. */
export interface TimeCursor {
  /** As the API writes instants. */
  readonly at: string;
  /** A UUID. */
  readonly id: string;
}

const CursorTuple = z.tuple([z.iso.datetime({ precision: 3 }), z.uuid()]);

/** As an opaque text for the caller. */
export const encodeCursor = ({ at, id }: TimeCursor): string =>
  Buffer.from(JSON.stringify([at, id])).toString('base64url');

/** @throws AppError 400 for a text that is no cursor of ours */
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
