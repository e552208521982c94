/** Matches three letters or digits in a row, which a trigram index needs. */
export const INDEXABLE = /[\p{L}\p{N}]{3}/u;

/** Matches pure ASCII texts, for which case folding takes less than half the time. */
export const ASCII = /^[\0-\x7f]*$/;

/** Escapes `%`, `_` and `\`, which LIKE would interpret. */
export const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);
