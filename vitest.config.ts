import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Node 20 lacks it, and without it the runner ends before it says what failed.
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

// Without 'module': what packages have under it is for bundlers, and Node can't load all of it.
const conditions = ['node', 'development|production'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    environment: 'node',
    // One more than there are cores: tests often wait for the database or for a timer.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: SeededOrder, shuffle: { tests: true } },
    // A hang is what ends here, not a slow machine.
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
          // Each file has its own database and servers; loading the same modules again would take half the time. The clients' files
          // are isolated: they replace `fetch`, which a call from an earlier file could reach.
          isolate: false,
          include: ['apps/server/{src,test}/**/*.test.ts'],
          globalSetup: 'apps/server/test/global-setup.ts',
        },
      },
      {
        extends: true,
        test: { name: 'browser', include: ['packages/browser/src/**/*.test.ts'] },
      },
      { extends: true, test: { name: 'web', include: ['apps/web/src/**/*.test.{ts,tsx}'] } },
      { extends: true, test: { name: 'bench', include: ['bench/**/*.test.ts'] } },
      { extends: true, test: { name: 'fan', include: ['apps/fan/src/**/*.test.{ts,tsx}'] } },
      { extends: true, test: { name: 'scripts', include: ['scripts/**/*.test.mjs'] } },
    ],
  },
});
