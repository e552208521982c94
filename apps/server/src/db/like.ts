/** Matches three letters or digits in a row, which a trigram index needs. */
export const INDEXABLE = /[\p{L}\p{N}]{3}/u;

/** Escapes `%`, `_` and `\`, which LIKE would interpret. */
export const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);
