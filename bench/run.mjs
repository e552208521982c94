// `node bench/run.mjs <program> [options]`: builds the server if it has changed and runs bench/<program>.ts.
import path from 'node:path';
import { createRunnableDevEnvironment, resolveConfig } from 'vite';
import { prepare } from '../scripts/lib/prepare.mjs';
import { fail, ROOT } from '../scripts/lib/run.mjs';

const [program, ...args] = process.argv.slice(2);
if (program === undefined || !/^[a-z-]+$/.test(program)) {
  console.error(
    'Usage: node bench/run.mjs generate|reads|footprint|campaign|earnings|send|sockets|abuse|media-memory|demo|faults|soak|web [options]',
  );
  process.exit(2);
}
try {
  await prepare();
  process.exitCode = await runProgram(path.join(ROOT, 'bench', `${program}.ts`));
} catch (error) {
  fail(error);
}

/**
 * Loads the program through Vite, since Node 20 can't run TypeScript. The loader stays open for the program's dynamic imports.
 */
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
          resolve: { external: true, mainFields: [], conditions: ['node', 'import'] },
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
