/** How well a text matches the typed text, and which of its characters match. */
export interface Fit {
  /** Higher is better. */
  score: number;
  /** Indices of the matching characters, ascending. */
  at: readonly number[];
  /** Whether every typed character starts a word or follows the one before it, which makes an accidental match unlikely. */
  isClose: boolean;
}

const WORD_START = 3;
const FOLLOWS = 2;

/**
 * Matches a text against typed characters. They must occur in order, with anything in between, and the first must start a word:
 * `sp` and `sndpr` match Send Product, `ana` does not match Manage Tags. Spaces and case are ignored. Null if there is no match.
 */
export function fuzzyFit(text: string, typed: string): Fit | null {
  const letters = [...text].map((letter) => letter.toLowerCase());
  const wanted = [...typed.toLowerCase().replaceAll(/\s/g, '')];
  const known = new Map<string, Fit | null>();

  const startsWord = (at: number) => at === 0 || letters[at - 1] === ' ';

  /** Returns the best match of the typed characters from index `next` in the letters from index `from`. */
  const fitFrom = (next: number, from: number): Fit | null => {
    if (next === wanted.length) return { score: 0, at: [], isClose: true };
    const key = `${next} ${from}`;
    const held = known.get(key);
    if (held !== undefined) return held;
    let best: Fit | null = null;
    for (let at = from; at < letters.length; at++) {
      if (letters[at] !== wanted[next] || (next === 0 && !startsWord(at))) continue;
      const rest = fitFrom(next + 1, at + 1);
      if (rest === null) continue;
      const gain = next > 0 && at === from ? FOLLOWS : startsWord(at) ? WORD_START : 0;
      const score = rest.score + gain;
      if (best === null || score > best.score)
        best = { score, at: [at, ...rest.at], isClose: rest.isClose && gain > 0 };
    }
    known.set(key, best);
    return best;
  };
  return fitFrom(0, 0);
}
