/** The position of a banned word in a text: UTF-16 units, `end` exclusive. */
export interface BannedMatch {
  readonly start: number;
  readonly end: number;
  /** The word as spelled in the ban list. */
  readonly word: string;
}

/** Banned words, prepared for matching. */
export interface BannedWords {
  /** Maps the folded tokens of each word, joined with spaces, to the word as spelled in the ban list. */
  readonly byTokens: ReadonlyMap<string, string>;
  /** The distinct token counts of the words, ascending. */
  readonly lengths: readonly number[];
}

/** Scripts without spaces between words. Each of their characters is a token. */
const UNSPACED = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}';
const TOKEN = new RegExp(
  `[${UNSPACED}]|(?:(?![${UNSPACED}])[\\p{L}\\p{N}_])+|\\p{Extended_Pictographic}|\\p{So}`,
  'gu',
);
/** Combining marks and invisible characters. */
const UNSEEN = /[\p{M}\p{Cf}]/gu;

/** Folds a character for comparison: ignores case, accents and width. */
const fold = (character: string) =>
  character.toUpperCase().toLowerCase().normalize('NFKD').replaceAll(UNSEEN, '');

interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

function tokensOf(text: string): Token[] {
  let folded = '';
  /** For each unit of the folded text: where its character starts and ends in the original text. */
  const starts: number[] = [];
  const ends: number[] = [];
  let at = 0;
  for (const character of text) {
    const part = fold(character);
    const end = at + character.length;
    for (let unit = 0; unit < part.length; unit++) {
      starts.push(at);
      ends.push(end);
    }
    // A combining mark belongs to the letter before it.
    if (part === '' && ends.length > 0) ends[ends.length - 1] = end;
    folded += part;
    at = end;
  }
  return [...folded.matchAll(TOKEN)].map((found) => ({
    text: found[0],
    start: starts[found.index] ?? 0,
    end: ends[found.index + found[0].length - 1] ?? 0,
  }));
}

/** Checks whether a word contains anything that can be matched. */
export const isWord = (word: string): boolean => tokensOf(word).length > 0;

/** Prepares banned words for matching. Words that differ only in case or accents count once. */
export function prepareWords(words: readonly string[]): BannedWords {
  const byTokens = new Map<string, string>();
  const lengths = new Set<number>();
  for (const word of words) {
    const tokens = tokensOf(word).map(({ text }) => text);
    const key = tokens.join(' ');
    if (tokens.length === 0 || byTokens.has(key)) continue;
    byTokens.set(key, word);
    lengths.add(tokens.length);
  }
  return { byTokens, lengths: [...lengths].toSorted((a, b) => a - b) };
}

/** Finds banned words in a text, in order. Matches whole words only and ignores case and accents. */
export function findBanned(text: string, { byTokens, lengths }: BannedWords): BannedMatch[] {
  if (byTokens.size === 0) return [];
  const tokens = tokensOf(text);
  const found: BannedMatch[] = [];
  for (const [index, first] of tokens.entries()) {
    for (const length of lengths) {
      const last = tokens[index + length - 1];
      if (last === undefined) break;
      const key = tokens.slice(index, index + length).map((token) => token.text);
      const word = byTokens.get(key.join(' '));
      if (word !== undefined) found.push({ start: first.start, end: last.end, word });
    }
  }
  return found;
}
