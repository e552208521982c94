// `node bench/run.mjs <program> [options]`: builds the server if it has changed and runs bench/<program>.ts.
import path from 'node:path';
import { runnerImport } from 'vite';
import { prepare } from '../scripts/lib/prepare.mjs';
import { fail, ROOT } from '../scripts/lib/run.mjs';

const [program, ...args] = process.argv.slice(2);
if (program === undefined || !/^[a-z-]+$/.test(program)) {
  console.error(
    'Usage: node bench/run.mjs generate|reads|partitions|inbox|thread|analytics|media-memory|demo [options]',
  );
  process.exit(2);
}
try {
  await prepare();
  // Node 20 reads no TypeScript. The contract's sources instead of its build, like the type check.
  const { module } = await runnerImport(path.join(ROOT, 'bench', `${program}.ts`), {
    root: ROOT,
    logLevel: 'error',
    resolve: { conditions: ['source'] },
    ssr: { resolve: { conditions: ['source', 'node', 'import'] } },
  });
  process.exitCode = await module.main(args);
} catch (error) {
  fail(error);
}
