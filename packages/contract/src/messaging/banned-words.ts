/** A place in a text where a banned word stands: UTF-16 units, the end not included. */
export interface BannedPlace {
  readonly start: number;
  readonly end: number;
  /** The word as it was banned. */
  readonly word: string;
}

/** Banned words, ready to be looked for. */
export interface BannedWords {
  /** By its folded tokens, joined. */
  readonly byTokens: ReadonlyMap<string, string>;
  /** How many tokens they have, the least first. */
  readonly lengths: readonly number[];
}

/** Scripts that put no space between words: each of their characters is looked at by itself. */
const UNSPACED = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}';
const TOKEN = new RegExp(
  `[${UNSPACED}]|(?:(?![${UNSPACED}])[\\p{L}\\p{N}_])+|\\p{Extended_Pictographic}|\\p{So}`,
  'gu',
);
/** Marks on letters, and characters that nobody sees. */
const UNSEEN = /[\p{M}\p{Cf}]/gu;

/** One character as it is compared: without case, accents and width. */
const fold = (character: string) =>
  character.toUpperCase().toLowerCase().normalize('NFKD').replaceAll(UNSEEN, '');

interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

function tokensOf(text: string): Token[] {
  let folded = '';
  /** Of each unit of the folded text: where its character begins and ends in the text. */
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
    // A mark belongs to the letter before it.
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

/** Whether there is anything in a word that can be looked for. */
export const isWord = (word: string): boolean => tokensOf(word).length > 0;

/** Makes banned words ready; a word that differs from another in case or accents only counts once. */
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

/** Where banned words stand in a text: whole words only, whatever their case and accents, in their order. */
export function findBanned(text: string, { byTokens, lengths }: BannedWords): BannedPlace[] {
  if (byTokens.size === 0) return [];
  const tokens = tokensOf(text);
  const found: BannedPlace[] = [];
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
