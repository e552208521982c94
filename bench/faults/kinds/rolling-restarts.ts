import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../fault.ts';
import { brokerOf, twoNodes } from '../two-nodes.ts';

/** Time limit for a node to stop, and the range of pauses before each stop. Milliseconds. */
const GONE_WITHIN = 10_000;
const LIVES_FOR = [300, 900] as const;
/** The number of rounds is the run's seconds divided by this. Each round restarts both nodes. */
const SECONDS_EACH = 4;

/** Restarts the two nodes in turn; one always serves, as in an upgrade. */
export function rollingRestarts(): Fault {
  const nodes = twoNodes();
  return {
    name: 'rolling-restarts',
    title: 'one of two nodes at a time is stopped by SIGTERM and started again',
    installation: nodes.installation,
    between: nodes.between,
    async run({ installation, seconds, ledger, log, late }, signal, random) {
      const broken: string[] = [];
      const failuresBefore = ledger.answers(5);
      const rounds = Math.max(1, Math.round(seconds / SECONDS_EACH));
      let [longest, restarts] = [0, 0];
      for (let round = 0; round < rounds && !signal.aborted; round++) {
        for (const node of [installation, nodes.second]) {
          await sleep(random.between(...LIVES_FOR));
          const { code, ms } = await node.stop();
          longest = Math.max(longest, ms);
          if (code !== 0) broken.push(`a node exited with ${code ?? 'a signal'}`);
          if (ms > GONE_WITHIN) late(`a node took ${ms.toFixed(0)} ms to stop`);
          await node.start();
          if ((await brokerOf(node)) !== 'ok') broken.push('a node started without its broker');
          log(`${++restarts} restarts`);
        }
      }
      const failures = ledger.answers(5) - failuresBefore;
      if (failures > 0) broken.push(`${failures} calls got a 5xx`);
      const figures = {
        restarts,
        'stopped within': `${longest.toFixed(0)} ms`,
        '5xx responses': failures,
      };
      return { figures, broken };
    },
  };
}
