/**
 * Reproducible random choices. The default seed is fixed, so that a result depends on the code and not on chance; `TEST_SEED` sets
 * another seed.
 */
export interface Random {
  readonly seed: number;
  /** Returns an integer from 0 up to, but not including, `end`. */
  below(end: number): number;
  pick<T>(from: readonly T[]): T;
  chance(probability: number): boolean;
}

export function seededRandom(seed = Number(process.env.TEST_SEED ?? 1)): Random {
  let state = seed >>> 0;
  // Mulberry32: small, and good enough to shuffle with.
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number) => Math.floor(next() * end);
  return {
    seed,
    below,
    pick<T>(from: readonly T[]): T {
      if (from.length === 0) throw new Error('nothing to pick from');
      return from[below(from.length)] as T;
    },
    chance: (probability) => next() < probability,
  };
}
