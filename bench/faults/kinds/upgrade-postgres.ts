import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { locateBinaries } from '../../../apps/server/src/db/embedded/binaries.ts';
import { freePort } from '../../../apps/server/test/free-port.ts';
import { leftOut } from '../../../apps/server/test/left-out.ts';
import { until } from '../../../apps/server/test/until.ts';
import { existing } from '../../lib/database.ts';
import { query } from '../../lib/query.ts';
import {
  DEBIAN_MISSING,
  DEBIAN_SUPERUSER,
  debianServer,
  hasDebianServer,
  privateServer,
} from '../../lib/servers.ts';
import type { Fault } from '../fault.ts';
import type { Ledger } from '../ledger.ts';

const execute = promisify(execFile);
/** The script that moves the database. */
export const SCRIPT = path.resolve('deploy/upgrade-postgres.sh');
/** The server's own role, which owns its database. */
const ROLE = 'stagedoor';
const DATABASE = 'stagedoor';
/** How long writes may stop, and the time limit for a message to be confirmed after the switch. Milliseconds. */
const READ_ONLY_WITHIN = 30_000;
const PATIENCE = 60_000;

/** Returns why an upgrade can't be tried here; null if it can. */
export function upgradeMissing(): string | null {
  if (!hasDebianServer) return DEBIAN_MISSING;
  const hasClient = existsSync('/usr/bin/psql') && existsSync('/usr/bin/pg_dump');
  return hasClient ? null : 'the package postgresql-client is not installed';
}

/** Upgrades PostgreSQL 15 to the version that the server embeds. @param patience the script's `UPGRADE_PATIENCE`, in seconds */
export function upgradePostgres(patience = 20): Fault {
  let urls: { readonly OLD: string; readonly NEW: string } | null = null;
  return {
    name: 'upgrade-postgres',
    title: 'PostgreSQL 15 is replaced by the next major version, under load',
    async installation() {
      if (leftOut('Upgrading PostgreSQL is', upgradeMissing())) return null;
      const pair = await startPair();
      urls = pair;
      return {
        databaseUrl: pair.server,
        env: { DATABASE_URL: pair.both },
        release: pair.stop,
      };
    },
    async run({ seconds, installation, ledger, log, late }, _signal, random) {
      if (urls === null) throw new Error('there are no two servers');
      const { OLD, NEW } = urls;
      const script = async (verb: string) =>
        (
          await execute(SCRIPT, [verb], {
            env: { PATH: process.env.PATH, OLD, NEW, UPGRADE_PATIENCE: String(patience) },
          })
        ).stdout.trim();
      const began = performance.now();
      log(await script('prepare'));
      const prepared = performance.now();
      await sleep(random.next() * seconds * 1000);
      const before = ledger.count('confirmed');
      const asked = performance.now();
      const printed = await script('switch');
      log(printed);
      // The check at the end reads the rows from the new server.
      installation.database.connect = existing(NEW).connect;
      const switched = ledger.sends.length;
      await until(
        'a message is confirmed after the switch',
        () => ledger.sends.slice(switched).some(({ outcome }) => outcome === 'confirmed'),
        PATIENCE,
      );
      const back = performance.now();
      await sleep(seconds * 1000);
      const readOnly = Number(
        /read-only for (\d+) ms/.exec(printed)?.[1] ?? Number.POSITIVE_INFINITY,
      );
      const broken = await leftOnOld(OLD, NEW, ledger, switched);
      const isCancelled = await script('cancel').then(
        () => true,
        () => false,
      );
      if (isCancelled) broken.push('`cancel` allowed writes to the old server after the switch');
      if (readOnly > READ_ONLY_WITHIN) late(`writes stopped for ${readOnly} ms`);
      const [server] = await query<{ version: string }>(
        NEW,
        `select current_setting('server_version') as version`,
      );
      const figures = {
        to: server?.version ?? '',
        'prepared within': `${((prepared - began) / 1000).toFixed(1)} s`,
        'read-only for': `${(readOnly / 1000).toFixed(1)} s`,
        'longest pause of confirmations': `${(longestPause(ledger, asked, back) / 1000).toFixed(1)} s`,
        'confirmed before': before,
        'confirmed after': ledger.count('confirmed') - before,
      };
      return { figures, broken };
    },
  };
}

/** Starts an old and a new database server. Both have an empty database; only the old one has the server's role. */
export async function startPair() {
  const folder = await mkdtemp(path.join(tmpdir(), 'stagedoor-bench-pg-'));
  // The database servers run as another user, who needs access to this folder.
  await chmod(folder, 0o755);
  const { postgres } = await locateBinaries();
  const ports = [await freePort(), await freePort()] as const;
  const settings = (port: number) => ({
    listen_addresses: '127.0.0.1',
    port: String(port),
    wal_level: 'logical',
  });
  const urlOf = (port: number, user: string, database: string) =>
    `postgres://${user}@127.0.0.1:${port}/${database}`;
  const old = await debianServer(path.join(folder, 'old'), settings(ports[0]));
  const next = await privateServer(
    path.dirname(postgres),
    path.join(folder, 'new'),
    settings(ports[1]),
  );
  const [OLD, NEW] = ports.map((port) => urlOf(port, DEBIAN_SUPERUSER, DATABASE)) as [
    string,
    string,
  ];
  const [onOld, onNew] = ports.map((port) => urlOf(port, DEBIAN_SUPERUSER, 'postgres')) as [
    string,
    string,
  ];
  await query(onOld, `create role ${ROLE} login`);
  await query(onOld, `create database ${DATABASE} owner ${ROLE}`);
  await query(onNew, `create database ${DATABASE}`);
  return {
    OLD,
    NEW,
    /** The old database, as the server's role. */
    server: urlOf(ports[0], ROLE, DATABASE),
    /** The `DATABASE_URL` that an operator sets before the upgrade. */
    both: `postgres://${ROLE}@127.0.0.1:${ports[0]},127.0.0.1:${ports[1]}/${DATABASE}`,
    async stop() {
      await Promise.all([old.stop(), next.stop()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Returns a line for each message on the old server that is missing on the new server or whose send started after the switch. */
async function leftOnOld(
  OLD: string,
  NEW: string,
  ledger: Ledger,
  switched: number,
): Promise<string[]> {
  const messages = (url: string) =>
    query<{ id: string; content: string }>(url, 'select id, content from messages');
  const later = new Set(ledger.sends.slice(switched).map(({ content }) => content));
  const moved = new Set((await messages(NEW)).map(({ id }) => id));
  return (await messages(OLD)).flatMap(({ id, content }) => [
    ...(moved.has(id) ? [] : [`not on the new server: ${content}`]),
    ...(later.has(content) ? [`still written to the old server: ${content}`] : []),
  ]);
}

/** Returns the longest time without a confirmation between two moments. Milliseconds. */
function longestPause({ sends }: Ledger, from: number, to: number): number {
  const times = sends
    .flatMap(({ outcome, settledAt }) =>
      outcome === 'confirmed' && settledAt !== null ? [settledAt] : [],
    )
    .filter((at) => at > from && at < to);
  const all = [from, ...times, to].toSorted((a, b) => a - b);
  return Math.max(...all.slice(1).map((at, index) => at - (all[index] ?? at)));
}
