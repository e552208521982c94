// `npm run admin`, `npm run backup` and others: run a program, built first if it has changed.
import { fail } from './lib/run.mjs';

const PROGRAMS = {
  admin: '../apps/server/dist/admin-command.js',
  backup: '../apps/server/dist/backup/backup-command.js',
  restore: '../apps/server/dist/backup/restore-command.js',
  ledger: '../apps/server/dist/ledger-command.js',
  lively: '../packages/sample-data/dist/lively-command.js',
};

const [name, ...args] = process.argv.slice(2);
const program = PROGRAMS[name];
if (program === undefined) fail(new Error(`There is no program '${name}'`));
// The program must see only its own options.
process.argv.splice(2, process.argv.length, ...args);
try {
  const { prepare } = await import('./lib/prepare.mjs');
  await prepare();
} catch (error) {
  fail(error);
}
await import(program);
