/** How well a text fits what was typed, and by which of its characters. */
export interface Fit {
  /** Higher is better. */
  score: number;
  /** Places in the text, ascending. */
  at: readonly number[];
  /** Every character typed begins a word or follows the one before it: nobody typed that by chance. */
  isClose: boolean;
}

const WORD_START = 3;
const FOLLOWS = 2;

/**
 * Finds what was typed in a text, in its order but with anything between, beginning at the start of a word: `sp` and
 * `sndpr` find Send Product, `ana` does not find Manage Tags. Spaces and case do not matter. Null where it is not in it.
 */
export function fuzzyFit(text: string, typed: string): Fit | null {
  const letters = [...text].map((letter) => letter.toLowerCase());
  const wanted = [...typed.toLowerCase().replaceAll(/\s/g, '')];
  const known = new Map<string, Fit | null>();

  const startsWord = (at: number) => at === 0 || letters[at - 1] === ' ';

  /** The best fit of what is wanted from `next` on, in the letters from `from` on. */
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
