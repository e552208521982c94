import { type Percentiles, percentiles } from '../statistics.ts';
import { floorOf, goalOf } from './goals.ts';
import type { Side } from './side.ts';

/** The first rounds warm up caches and prepared statements. */
const WARM_UP = 6;
/** After the warm-up, calls without a goal run only once in this many rounds. */
const WITHOUT_GOAL = 10;
const LOG_EVERY_MS = 10_000;

/** The duration of a call on one database, in milliseconds. */
export interface Measured {
  readonly times: Percentiles;
  /** The bare server, measured right before each call; null when the call isn't compared with it. */
  readonly floor: Percentiles | null;
}

/** The figure to compare: the median, or on a busy machine the minimum, which other load affects least. */
export type Typical = 'p50' | 'min';

export interface Measurements {
  readonly by: Typical;
  /** By name; each entry has one element per side, in order. */
  readonly calls: ReadonlyMap<string, readonly Measured[]>;
}

/**
 * Runs every call once on each side in each round, rotating the order of the sides, so that other load on the machine affects
 * all alike.
 * @param only matches the names of the calls to run
 */
export async function measureSides(
  sides: readonly Side[],
  rounds: number,
  only: RegExp,
): Promise<Measurements['calls']> {
  const names = [...(sides[0]?.calls.keys() ?? [])].filter(
    (name) => name.startsWith('floor: ') || only.test(name),
  );
  const taken = new Map<string, number[]>();
  const take = (key: string, ms: number) => taken.set(key, [...(taken.get(key) ?? []), ms]);
  const started = performance.now();
  let loggedAt = started;
  for (let round = -WARM_UP; round < rounds; round++) {
    const time = round + WARM_UP;
    for (const name of names) {
      const rare = goalOf(name) === null && !name.startsWith('floor: ');
      if (rare && round > 0 && round % WITHOUT_GOAL !== 0) continue;
      for (let index = 0; index < sides.length; index++) {
        const at = (index + time) % sides.length;
        const calls = sides[at]?.calls;
        const floor = await calls?.get(floorOf(name) ?? '')?.(time);
        const ms = await calls?.get(name)?.(time);
        if (round < 0 || ms === undefined) continue;
        take(`${name}\n${at}`, ms);
        if (floor !== undefined) take(`${name}\n${at}\nfloor`, floor);
      }
    }
    if (performance.now() - loggedAt < LOG_EVERY_MS) continue;
    loggedAt = performance.now();
    const left = ((loggedAt - started) / (time + 1)) * (rounds - round - 1);
    console.log(`  round ${round + 1} of ${rounds}, ${(left / 1000).toFixed(0)} s left`);
  }
  return new Map(
    names.map((name) => [
      name,
      sides.map((_, at) => {
        const floor = taken.get(`${name}\n${at}\nfloor`);
        return {
          times: percentiles(taken.get(`${name}\n${at}`) ?? []),
          floor: floor === undefined ? null : percentiles(floor),
        };
      }),
    ]),
  );
}
