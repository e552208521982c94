import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../fault.ts';

/** Time limit for the server to stop, and the range of pauses before each stop. Milliseconds. */
const GONE_WITHIN = 10_000;
const LIVES_FOR = [300, 900] as const;

/** Restarts the server as many times as the run has seconds, however long the restarts take. */
export const restarts: Fault = {
  name: 'restarts',
  title: 'the server is stopped by SIGTERM and started again, under load',
  async run({ installation, seconds, ledger, log, late }, signal, random) {
    const broken: string[] = [];
    let [longest, away, count] = [0, 0, 0];
    const failuresBefore = ledger.answers(5);
    for (; count < seconds && !signal.aborted; count++) {
      await sleep(random.between(...LIVES_FOR));
      await ledger.yieldToLoop();
      const { code, ms } = await installation.stop();
      longest = Math.max(longest, ms);
      if (code !== 0) broken.push(`it exited with ${code ?? 'a signal'}`);
      if (ms > GONE_WITHIN) late(`it took ${ms.toFixed(0)} ms to stop`);
      const gone = performance.now();
      await installation.start();
      away = Math.max(away, performance.now() - gone);
      log(`${count + 1} restarts`);
    }
    const failures = ledger.answers(5) - failuresBefore;
    if (failures > 0) broken.push(`${failures} calls got a 5xx`);
    const figures = {
      restarts: count,
      'stopped within': `${longest.toFixed(0)} ms`,
      'not listening for up to': `${away.toFixed(0)} ms`,
      '5xx responses': failures,
    };
    return { figures, broken };
  },
};
