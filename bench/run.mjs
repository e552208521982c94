// `node bench/run.mjs <program> [options]`: builds the server if it has changed and runs bench/<program>.ts.
import path from 'node:path';
import { createRunnableDevEnvironment, resolveConfig } from 'vite';
import { prepare } from '../scripts/lib/prepare.mjs';
import { fail, ROOT } from '../scripts/lib/run.mjs';

const [program, ...args] = process.argv.slice(2);
if (program === undefined || !/^[a-z-]+$/.test(program)) {
  console.error(
    'Usage: node bench/run.mjs generate|reads|footprint|send|sockets|partitions|inbox|abuse|thread|analytics|media-memory|demo|faults|soak|web [options]',
  );
  process.exit(2);
}
try {
  await prepare();
  process.exitCode = await runProgram(path.join(ROOT, 'bench', `${program}.ts`));
} catch (error) {
  fail(error);
}

/** Node 20 reads no TypeScript. What a program imports while it runs is read too, so that the reader stays open until it ends. */
async function runProgram(file) {
  const config = await resolveConfig(
    {
      root: ROOT,
      configFile: false,
      envDir: false,
      logLevel: 'error',
      cacheDir: path.join(ROOT, '.stagedoor/vite'),
      environments: {
        program: {
          consumer: 'server',
          dev: { moduleRunnerTransform: true },
          // The contract's sources instead of its build, like the type check.
          resolve: { external: true, mainFields: [], conditions: ['source', 'node', 'import'] },
        },
      },
    },
    'serve',
  );
  const environment = createRunnableDevEnvironment('program', config, { hot: false });
  await environment.init();
  try {
    const { main } = await environment.runner.import(file);
    return await main(args);
  } finally {
    await environment.close();
  }
}
