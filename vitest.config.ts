import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Node 20 lacks this function, without which Vitest ends before it reports the failures.
Map.groupBy ??= <K, T>(items: Iterable<T>, keyOf: (item: T, index: number) => K): Map<K, T[]> => {
  const groups = new Map<K, T[]>();
  let index = 0;
  for (const item of items) {
    const key = keyOf(item, index++);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
};

/** Files that take minutes. Started last, they would run alone. */
const LONGEST = /fuzz\/endpoints|db\/upgrade|faults\/failover/;

/** Orders files by the seed: the longest first, then the server's in a row, so that workers keep its modules loaded. */
class SeededOrder extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification) =>
      LONGEST.test(moduleId) ? 0 : project.name === 'server' ? 1 : 2;
    const { seed } = this.ctx.config.sequence;
    const sortKey = (file: TestSpecification) =>
      rank(file) + createHash('sha1').update(`${seed} ${file.moduleId}`).digest('hex');
    return Promise.resolve(files.toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1)));
  }
}

// Omits the condition 'module': packages reserve it for bundlers, and Node can't load all of its files.
const conditions = ['node', 'development|production'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    environment: 'node',
    // Two more than there are cores: tests often wait for the database or for a timer.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: SeededOrder, shuffle: { tests: true } },
    // Long enough for a slow machine: only a hang exceeds it.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: { name: 'contract', include: ['packages/contract/src/**/*.test.ts'] },
      },
      {
        extends: true,
        test: { name: 'platform-client', include: ['packages/platform-client/src/**/*.test.ts'] },
      },
      {
        extends: true,
        test: {
          name: 'server',
          // Each file has its own database and servers, and reloading modules would take half the time. The clients' tests stay
          // isolated: they replace `fetch`, which a late call from an earlier file could reach.
          isolate: false,
          include: ['apps/server/{src,test}/**/*.test.ts'],
          globalSetup: 'apps/server/test/global-setup.ts',
        },
      },
      {
        extends: true,
        test: { name: 'browser', include: ['packages/browser/{src,vite}/**/*.test.ts'] },
      },
      { extends: true, test: { name: 'web', include: ['apps/web/src/**/*.test.{ts,tsx}'] } },
      { extends: true, test: { name: 'bench', include: ['bench/**/*.test.ts'] } },
      { extends: true, test: { name: 'fan', include: ['apps/fan/src/**/*.test.{ts,tsx}'] } },
      { extends: true, test: { name: 'scripts', include: ['scripts/**/*.test.mjs'] } },
    ],
  },
});
