import { pause } from '../client.ts';
import type { Fault } from '../fault.ts';

/** Milliseconds for which the server serves before it is killed again. */
const LIVES_FOR = [250, 750] as const;

export const killServer: Fault = {
  name: 'kill-server',
  title: 'kill -9 the server, every 0.25 to 0.75 s that it serves',
  async run({ installation, seconds, log }, signal, random) {
    const until = Date.now() + seconds * 1000;
    let kills = 0;
    while (Date.now() < until && !signal.aborted) {
      await pause(random.between(...LIVES_FOR));
      await installation.kill();
      kills++;
      await installation.start();
      log(`${kills} kills`);
    }
    return { figures: { kills } };
  },
};
