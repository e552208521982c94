import { createHash } from 'node:crypto';

/** A database row as JSON, by column. */
export type Row = Record<string, unknown>;

/** Returns a UUID (version 8, custom) that is always the same for the same name. */
export function idOf(name: string): string {
  const hex = createHash('sha256').update(`stagedoor sample ${name}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Returns a text's SHA-256 hash in PostgreSQL's input format for `bytea`. */
export const hashOf = (text: string) => `\\x${createHash('sha256').update(text).digest('hex')}`;
