import { parseArgs } from 'node:util';
import { emailAddress } from '@stagedoor/contract/primitives';
import { AdminRole } from '@stagedoor/contract/team/auth';
import { readConfig } from './config.ts';
import type { Database } from './db/database.ts';
import { openBeside } from './installation.ts';
import { openJobs } from './jobs/pg-boss-jobs.ts';
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

Uses the database in the server's settings (DATA_DIR or DATABASE_URL), whether or not the server is running.

  remove          signs the admin out immediately and releases their claims; add restores their access
  unlock          ends the wait after wrong sign-in codes
  reset-passkeys  for lost passkeys, when no teammate can reset them: removes all passkeys of the admin, signs them
                  out, notifies them by email, and lets them sign in with a code
  lift-passkeys   lets a role sign in without a passkey again
`;

/** A usage error, which is printed without a stack trace. */
class UsageError extends Error {}

/** @returns the exit code 0; every failure throws */
async function main(args: string[]): Promise<number> {
  const { values, positionals } = parseOptions(args);
  const [name, argument, ...rest] = positionals;
  if (values.help || name === 'help') {
    console.log(USAGE);
    return 0;
  }
  if (name === undefined) throw new UsageError(USAGE);
  if (rest.length > 0)
    throw new UsageError(`Unexpected argument '${rest.join(' ')}'. See npm run admin -- --help`);
  if (values.role !== undefined && name !== 'add')
    throw new UsageError('--role only works with add');
  const work = workOf(name, argument, values.role);
  if (work === null) {
    throw new UsageError(
      `Unknown command '${[name, argument].join(' ').trim()}'. See npm run admin -- --help`,
    );
  }
  console.log(await withDatabase(work));
  return 0;
}

type Work = (db: Database) => Promise<string>;

/** Returns a function that runs the command and returns its output; null for an unknown command. @throws UsageError */
function workOf(name: string, argument: string | undefined, roleOption = 'support'): Work | null {
  const email = () => {
    const { data } = emailAddress.safeParse(argument);
    if (data === undefined) throw new UsageError(`${name} takes an email address`);
    return data;
  };
  const role = (text: string | undefined, option: string) => {
    const { data } = AdminRole.safeParse(text);
    if (data !== undefined) return data;
    throw new UsageError(`${option} takes one of ${AdminRole.options.join(', ')}`);
  };
  if (name === 'list' && argument === undefined) return list;
  if (name === 'add') return add(email(), role(roleOption, '--role'));
  if (name === 'remove') return remove(email());
  if (name === 'unlock') return unlock(email());
  if (name === 'reset-passkeys') return reset(email());
  return name === 'lift-passkeys' ? lift(role(argument, name)) : null;
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

/** Uses the running server's database if there is one. Otherwise starts the database for the duration of the work. */
async function withDatabase(work: Work): Promise<string> {
  const { db, close } = await openBeside(readConfig());
  try {
    return await work(db);
  } finally {
    await close();
  }
}

async function list(db: Database): Promise<string> {
  const admins = await listAdmins(db);
  if (admins.length === 0)
    return 'There are no admins yet. The first start of the server adds the owner.';
  const width = Math.max(...admins.map((admin) => admin.email.length));
  const lines = admins.map(
    ({ email, role, codename, is_active }) =>
      `${email.padEnd(width)}  ${role.padEnd(9)}  ${codename}${is_active ? '' : '  (removed)'}`,
  );
  return lines.join('\n');
}

const add =
  (email: string, role: AdminRole): Work =>
  async (db) => {
    const done = await withNotices(db, (notices) => addAdmin(db, email, role, notices));
    if (done === 'active already')
      throw new Error(`${email} is already an admin. Change roles in the console.`);
    return `${email} can ${done === 'added' ? 'now sign in' : 'sign in again'} as ${role}.`;
  };

const remove =
  (email: string): Work =>
  async (db) => {
    const done = await removeAdmin(db, email, releaseWork);
    if (done === 'removed') return `${email} is signed out and can no longer sign in.`;
    throw new Error(
      done === 'unknown'
        ? `There is no active admin with the email ${email}.`
        : `${email} is the last admin who can manage admins. Add another manager or creator first.`,
    );
  };

const unlock =
  (email: string): Work =>
  async (db) => {
    const done = await unlockAdmin(db, email);
    if (done === 'unknown') throw new Error(`There is no active admin with the email ${email}.`);
    return done === 'unlocked'
      ? `${email} can sign in again with a new code.`
      : `${email} does not have to wait.`;
  };

const reset =
  (email: string): Work =>
  async (db) => {
    const done = await withNotices(db, (notices) => resetPasskeys(db, notices, email));
    if (done === 'unknown') throw new Error(`There is no admin with the email ${email}.`);
    return `All passkeys of ${email} were removed, and they were signed out.`;
  };

const lift =
  (role: AdminRole): Work =>
  async (db) =>
    (await liftRequirement(db, role))
      ? `The role ${role} no longer requires a passkey. Admins who have one still need it to sign in.`
      : `The role ${role} does not require a passkey.`;

/** Calls `use` with a notice service that only queues emails; a running server sends them. */
async function withNotices<T>(
  db: Database,
  use: (notices: SecurityNotices) => Promise<T>,
): Promise<T> {
  const jobs = await openJobs(db, { warn: (_details, message) => console.error(message) });
  const mailer = { send: async () => undefined, close: () => undefined };
  const notices = await defineSecurityNotices({
    db,
    jobs,
    mailer,
    // Never called: this process only queues emails. The server sends them and knows the base URL for their links.
    base: () => '',
    log: console,
  });
  try {
    return await use(notices);
  } finally {
    await jobs.stop();
  }
}

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  return error instanceof UsageError ? 2 : 1;
});
