export interface Random {
  /** Returns a number from 0 to below 1. */
  next(): number;
  /** Returns a number from `min` to below `max`. */
  between(min: number, max: number): number;
  chance(probability: number): boolean;
  /** @throws Error for an empty list */
  pick<T>(list: readonly T[]): T;
}

/** Creates a random generator (mulberry32). The same seed gives the same numbers; without a seed, they differ each time. */
export function createRandom(seed?: number): Random {
  const next = seed === undefined ? Math.random : mulberry32(seed);
  return {
    next,
    between: (min, max) => min + next() * (max - min),
    chance: (probability) => next() < probability,
    pick(list) {
      const item = list[Math.floor(next() * list.length)];
      if (item === undefined) throw new Error('nothing to pick from');
      return item;
    },
  };
}

function mulberry32(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
