import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../fault.ts';
import { rush } from '../rush.ts';

const RUSH = 60;
const EVERY_MS = 500;

/** The invariants must also hold when nothing breaks. */
export const calm: Fault = {
  name: 'calm',
  title: 'nothing breaks; everyone writes to one conversation at once',
  async run(world, signal, random) {
    const until = Date.now() + world.seconds * 1000;
    let rushes = 0;
    do {
      await rush(world, random, RUSH);
      world.log(`${++rushes} rushes of ${RUSH} messages`);
      await sleep(EVERY_MS);
    } while (Date.now() < until && !signal.aborted);
    return { figures: { rushes } };
  },
};
