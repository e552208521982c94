import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { leftOut } from '../../apps/server/test/left-out.ts';
import { until } from '../../apps/server/test/until.ts';
import { existing } from '../lib/database.ts';
import { query } from '../lib/query.ts';
import { SCRIPT, startPair, upgradeMissing, upgradePostgres } from './kinds/upgrade-postgres.ts';
import { runFault } from './run.ts';

/** A run creates two databases and copies one, which takes long on a busy machine. Seconds, then milliseconds. */
const SCRIPT_PATIENCE = 120;
const PATIENCE = 300_000;

test.skipIf(leftOut('Upgrading PostgreSQL is', upgradeMissing()))(
  'an upgrade of PostgreSQL under load loses and doubles nothing',
  async () => {
    const fault = { ...upgradePostgres(SCRIPT_PATIENCE), mayFail: true };
    const seed = Number(process.env.TEST_SEED ?? 1);
    const run = await runFault(fault, { seconds: 2, senders: 6, fans: 3, seed });
    expect(run?.verdict.examples, `seed ${seed}`).toEqual([]);
    expect(run?.report.figures['confirmed after']).toBeGreaterThan(0);
  },
  PATIENCE,
);

test.skipIf(leftOut('Upgrading PostgreSQL is', upgradeMissing()))(
  'a switch that is stopped leaves the old database in use, and one that is killed is finished by the same command',
  async () => {
    const { OLD, NEW, server, stop } = await startPair();
    onTestFinished(stop);
    const write = (n: number) => query(server, 'insert into kept values ($1)', [n]);
    const run = (verb: string) => runScript(verb, { OLD, NEW });
    await query(server, 'create table kept (n int primary key)');
    await write(1);
    expect(await run('prepare').ended).toBe(0);
    // While this lock is held, no change arrives, so a switch waits.
    const blocker = await existing(NEW).connect();
    onTestFinished(() => blocker.end());
    const hold = () => blocker.query('begin; lock table stagedoor_upgrade');

    await hold();
    const stopped = run('switch');
    await waitsForLast(NEW);
    stopped.child.kill('SIGTERM');
    await blocker.query('rollback');
    expect(await stopped.ended).toBe(1);
    await write(2);

    await hold();
    const killed = run('switch');
    await waitsForLast(NEW);
    killed.child.kill('SIGKILL');
    expect(await killed.ended).toBe(null);
    await blocker.query('rollback');
    // The last step before the new database is used: a switch may be killed right after it.
    await blocker.query('alter subscription stagedoor_upgrade disable');
    await expect(write(3)).rejects.toThrow('read-only');
    expect(await run('switch').ended).toBe(0);
    expect(await query(NEW, 'select n from kept order by n')).toEqual([{ n: 1 }, { n: 2 }]);
    await expect(write(3)).rejects.toThrow('read-only');
  },
  PATIENCE,
);

test.skipIf(leftOut('Upgrading PostgreSQL is', upgradeMissing()))(
  'a switch that is killed once the server may use the new database is finished by the same command',
  async () => {
    const { OLD, NEW, server, stop } = await startPair();
    onTestFinished(stop);
    const run = (verb: string) => runScript(verb, { OLD, NEW }).ended;
    await query(server, 'create table kept (n int primary key)');
    expect(await run('prepare')).toBe(0);
    // The last steps before the cleanup.
    await query(NEW, 'alter subscription stagedoor_upgrade disable; alter role stagedoor login');
    expect(await run('switch')).toBe(0);
    const left = `select from pg_class where relname = 'stagedoor_upgrade' union all
      select from pg_subscription union all select from pg_publication union all select from pg_replication_slots`;
    for (const url of [OLD, NEW]) expect(await query(url, left)).toEqual([]);
    expect(await run('switch')).toBe(1);
  },
  PATIENCE,
);

/** Starts the script. `ended` resolves to its exit code, or null if a signal ended it. */
function runScript(verb: string, urls: { readonly OLD: string; readonly NEW: string }) {
  const child = spawn(SCRIPT, [verb], {
    env: { PATH: process.env.PATH, ...urls, UPGRADE_PATIENCE: String(SCRIPT_PATIENCE) },
    stdio: 'ignore',
  });
  return { child, ended: once(child, 'exit').then(([code]: (number | null)[]) => code) };
}

/** Waits until a switch waits for the last change to arrive in the new database. */
const waitsForLast = (NEW: string) =>
  until('a switch waits', async () => {
    const waiting = await query(
      NEW,
      `select from pg_stat_activity where query like '%from stagedoor_upgrade where at%'
        and wait_event_type = 'Lock' and application_name = 'psql'`,
    );
    return waiting.length > 0;
  });
