// `npm run admin`, `npm run backup` and others: run one of the server's programs, after a build if its sources have changed.
import { fail } from './lib/run.mjs';

const PROGRAMS = ['admin', 'backup', 'restore', 'ledger', 'lively'];

const [name, ...args] = process.argv.slice(2);
if (!PROGRAMS.includes(name)) fail(new Error(`There is no program '${name}'`));
// The program must see only its own options.
process.argv.splice(2, process.argv.length, ...args);
try {
  const { prepare } = await import('./lib/prepare.mjs');
  await prepare();
} catch (error) {
  fail(error);
}
await import(`../apps/server/dist/${name}-command.js`);
