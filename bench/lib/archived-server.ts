import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { until } from '../../apps/server/test/until.ts';
import { query } from './query.ts';
import {
  DEBIAN_MISSING,
  DEBIAN_SUPERUSER,
  debianServer,
  hasDebianServer,
  ownedByService,
} from './servers.ts';

const execute = promisify(execFile);
const PGBACKREST = '/usr/bin/pgbackrest';
const NAME = 'stagedoor';
/** Time limit for a restored server to replay its log. Milliseconds. */
const REPLAYED_WITHIN = 120_000;

/** Returns why databases can't be archived here; null if they can. */
export function archivingMissing(): string | null {
  if (!hasDebianServer) return DEBIAN_MISSING;
  return existsSync(PGBACKREST) ? null : 'the package pgbackrest is not installed';
}

/** A PostgreSQL 15 server whose write-ahead log is archived by pgBackRest. */
export interface ArchivedServer {
  /** The URL of its database. */
  readonly url: string;
  backup(): Promise<void>;
  /** Restores to a moment, given in PostgreSQL's format, on a second server. @returns the URL of its database */
  restore(moment: string): Promise<string>;
  /** Stops both servers and removes their data. */
  stop(): Promise<void>;
}

/** Starts a server with an archive, in a new folder. */
export async function archivedServer(): Promise<ArchivedServer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'stagedoor-bench-pg-'));
  const credentials = await ownedByService(folder);
  const config = path.join(folder, 'pgbackrest.conf');
  const cluster = path.join(folder, 'main');
  await writeFile(
    config,
    `[global]
repo1-path=${folder}/archive
repo1-retention-full=2
lock-path=${folder}/lock
log-level-file=off
start-fast=y
[${NAME}]
pg1-path=${cluster}
pg1-socket-path=${folder}
pg1-user=${DEBIAN_SUPERUSER}
`,
  );
  const base = [`--config=${config}`, `--stanza=${NAME}`];
  const pgbackrest = (...args: string[]) =>
    execute(PGBACKREST, [...base, ...args], { ...credentials, cwd: folder });
  const server = await debianServer(folder, {
    archive_mode: 'on',
    archive_command: `${PGBACKREST} ${base.join(' ')} archive-push %p`,
  });
  const servers = [server];
  const stop = async () => {
    await Promise.all(servers.map((each) => each.stop()));
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const url = await server.database(NAME);
    await pgbackrest('stanza-create');
    return {
      url,
      async backup() {
        await pgbackrest('backup', '--type=full');
      },
      async restore(moment) {
        // Waits until the log written so far is in the archive.
        await pgbackrest('check');
        const dir = path.join(folder, 'restored');
        await ownedByService(dir);
        const target = ['--type=time', `--target=${moment}`, '--target-action=promote'];
        await pgbackrest('restore', `--pg1-path=${dir}/main`, '--archive-mode=off', ...target);
        const restored = await debianServer(dir);
        servers.push(restored);
        const copy = await restored.database(NAME);
        await until(
          'the restored server has replayed its log',
          async () => {
            const [row] = await query<{ replays: boolean }>(
              copy,
              'select pg_is_in_recovery() as replays',
            );
            return row?.replays === false;
          },
          REPLAYED_WITHIN,
        );
        return copy;
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
