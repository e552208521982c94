import { parseArgs } from 'node:util';
import { emailAddress } from '@stagedoor/contract/primitives';
import { AdminRole } from '@stagedoor/contract/team/auth';
import { ConfigError, readConfig } from './config.ts';
import { type Database, openDatabase } from './db/database.ts';
import { connectRunning } from './db/embedded-postgres.ts';
import { openInstallation } from './installation.ts';
import { openJobs } from './jobs/pg-boss-jobs.ts';
import { createLogger } from './log.ts';
import { releaseWork } from './release-work.ts';
import { listAdmins } from './team/admins/admins.store.ts';
import { defineSecurityNotices, type SecurityNotices } from './team/admins/security-notices.ts';
import { addAdmin, removeAdmin, unlockAdmin } from './team/admins/server-admins.ts';
import { liftRequirement, resetPasskeys } from './team/passkeys/server-passkeys.ts';

const USAGE = `Manages who can sign in.

  npm run admin -- list
  npm run admin -- add <email> [--role support|moderator|manager|creator]
  npm run admin -- remove <email>
  npm run admin -- unlock <email>
  npm run admin -- reset-passkeys <email>
  npm run admin -- lift-passkeys <role>

Works whether or not the server is running, on the database in the server's own settings (DATA_DIR or DATABASE_URL).

  remove          signs the admin out immediately and releases their claims; add restores their access
  unlock          ends the wait after wrong sign-in codes
  reset-passkeys  for an admin who lost their passkeys and has no teammate to reset them: signs them out, notifies
                  them by email, and lets them sign in with a code
  lift-passkeys   lets a role sign in without a passkey again
`;

/** A usage error: printed without a stack. */
class UsageError extends Error {}

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  if (error instanceof ConfigError)
    for (const mistake of error.mistakes) console.error(`Setting ${mistake}`);
  else console.error(error instanceof Error ? error.message : error);
  return error instanceof UsageError ? 2 : 1;
});

/** @returns the exit code: 0 done, 1 not possible, 2 wrong usage */
async function main(args: string[]): Promise<number> {
  const call = parse(args);
  switch (call.command) {
    case 'help':
      console.log(USAGE);
      return 0;
    case 'list':
      return withDatabase(list);
    case 'add':
      return withDatabase((db) => add(db, call.email, call.role));
    case 'remove':
      return withDatabase((db) => remove(db, call.email));
    case 'unlock':
      return withDatabase((db) => unlock(db, call.email));
    case 'reset-passkeys':
      return withDatabase((db) => reset(db, call.email));
    case 'lift-passkeys':
      return withDatabase((db) => lift(db, call.role));
  }
}

type Call =
  | { command: 'help' | 'list' }
  | { command: 'add'; email: string; role: AdminRole }
  | { command: 'remove' | 'unlock' | 'reset-passkeys'; email: string }
  | { command: 'lift-passkeys'; role: AdminRole };

/** @throws UsageError */
function parse(args: string[]): Call {
  const { values, positionals } = parseOptions(args);
  const [command, address, ...rest] = positionals;
  if (values.help || command === 'help') return { command: 'help' };
  if (command === undefined) throw new UsageError(USAGE);
  if (rest.length > 0)
    throw new UsageError(`Unexpected argument '${rest.join(' ')}'. See npm run admin -- --help`);
  if (values.role !== undefined && command !== 'add')
    throw new UsageError('--role only works with add');
  if (command === 'list' && address === undefined) return { command };
  if (command === 'lift-passkeys') {
    const role = AdminRole.safeParse(address);
    if (role.success) return { command, role: role.data };
    throw new UsageError(`${command} takes one of ${AdminRole.options.join(', ')}`);
  }
  if (
    command !== 'add' &&
    command !== 'remove' &&
    command !== 'unlock' &&
    command !== 'reset-passkeys'
  ) {
    throw new UsageError(
      `Unknown command '${[command, address].join(' ').trim()}'. See npm run admin -- --help`,
    );
  }
  const email = emailAddress.safeParse(address);
  if (!email.success) throw new UsageError(`${command} takes an email address`);
  if (command !== 'add') return { command, email: email.data };
  const role = AdminRole.safeParse(values.role ?? 'support');
  if (!role.success) throw new UsageError(`--role takes one of ${AdminRole.options.join(', ')}`);
  return { command, email: email.data, role: role.data };
}

function parseOptions(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: { role: { type: 'string' }, help: { type: 'boolean', short: 'h', default: false } },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** Uses the running server's database if there is one. Otherwise starts the database for the duration of `use`. */
async function withDatabase(use: (db: Database) => Promise<number>): Promise<number> {
  const config = readConfig();
  const running = config.databaseUrl === null ? await connectRunning(config.dataDir) : null;
  if (running !== null) {
    const db = openDatabase(running, (error) => console.error(error.message));
    return useAndClose(db, () => db.close(), use);
  }
  const { db, close } = await openInstallation(config, createLogger('warn'));
  return useAndClose(db, close, use);
}

async function useAndClose(
  db: Database,
  close: () => Promise<void>,
  use: (db: Database) => Promise<number>,
): Promise<number> {
  try {
    return await use(db);
  } finally {
    await close();
  }
}

async function list(db: Database): Promise<number> {
  const admins = await listAdmins(db);
  const width = Math.max(0, ...admins.map((admin) => admin.email.length));
  for (const { email, role, codename, is_active } of admins) {
    console.log(
      `${email.padEnd(width)}  ${role.padEnd(9)}  ${codename}${is_active ? '' : '  (removed)'}`,
    );
  }
  if (admins.length === 0)
    console.log('There are no admins yet. The first start of the server adds the owner.');
  return 0;
}

async function add(db: Database, email: string, role: AdminRole): Promise<number> {
  const done = await withNotices(db, (notices) => addAdmin(db, email, role, notices));
  if (done === 'active already') {
    console.error(`${email} is already an admin. Change roles in the console.`);
    return 1;
  }
  console.log(`${email} can ${done === 'added' ? 'now sign in' : 'sign in again'} as ${role}.`);
  return 0;
}

async function remove(db: Database, email: string): Promise<number> {
  const done = await removeAdmin(db, email, releaseWork);
  if (done === 'removed') {
    console.log(`${email} is signed out and can no longer sign in.`);
    return 0;
  }
  console.error(
    done === 'unknown'
      ? `There is no active admin with the email ${email}.`
      : `${email} is the last admin who can manage admins. Add another manager or creator first.`,
  );
  return 1;
}

async function unlock(db: Database, email: string): Promise<number> {
  const done = await unlockAdmin(db, email);
  if (done === 'unknown') {
    console.error(`There is no active admin with the email ${email}.`);
    return 1;
  }
  console.log(
    done === 'unlocked'
      ? `${email} can sign in again with a new code.`
      : `${email} does not have to wait.`,
  );
  return 0;
}

async function reset(db: Database, email: string): Promise<number> {
  const done = await withNotices(db, (notices) => resetPasskeys(db, notices, email));
  if (done === 'unknown') {
    console.error(`There is no admin with the email ${email}.`);
    return 1;
  }
  console.log(`All passkeys of ${email} were removed, and they were signed out.`);
  return 0;
}

/** Queues emails, which a running server sends. */
async function withNotices<T>(
  db: Database,
  use: (notices: SecurityNotices) => Promise<T>,
): Promise<T> {
  const jobs = await openJobs(db, { warn: (_details, message) => console.error(message) });
  const mailer = { send: async () => undefined, close: () => undefined };
  const notices = await defineSecurityNotices({ db, jobs, mailer, log: console });
  try {
    return await use(notices);
  } finally {
    await jobs.stop();
  }
}

async function lift(db: Database, role: AdminRole): Promise<number> {
  const lifted = await liftRequirement(db, role);
  console.log(
    lifted
      ? `The role ${role} no longer requires a passkey. Admins who have one still need it to sign in.`
      : `The role ${role} does not require a passkey.`,
  );
  return 0;
}
