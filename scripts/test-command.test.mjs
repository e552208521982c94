import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ROOT } from './lib/run.mjs';

const PATIENCE_MS = 120_000;

/**
 * Returns a function that lists the command lines of all processes that a command started: those with a mark in their environment,
 * and those of the same sessions, as some programs overwrite their environment.
 */
function startedWith(mark) {
  const sessions = new Set();
  return () => {
    const processes = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap(readProcess)
      .filter(({ state }) => state !== 'Z');
    for (const { environment, session } of processes)
      if (environment.includes(mark)) sessions.add(session);
    return processes.filter(({ session }) => sessions.has(session)).map(({ command }) => command);
  };
}

/** Returns nothing for a process that has ended or belongs to someone else. */
function readProcess(pid) {
  const read = (file) => readFileSync(`/proc/${pid}/${file}`, 'utf8');
  try {
    // What follows the program's name: its state, parent, group and session.
    const [state, , , session] = read('stat')
      .replace(/^.*\) /s, '')
      .split(' ');
    const command = read('cmdline').replaceAll('\0', ' ');
    return [{ state, session, environment: read('environ'), command }];
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES'].includes(error.code)) return [];
    throw error;
  }
}

// Servers under test inherit PATH, so the mark is part of it.
describe.skipIf(process.platform !== 'linux')('npm test, when it is stopped,', () => {
  test.for([
    ['Ctrl-C', '--e2e', 'e2e/story', 'apps/server/dist/main.js'],
    ['SIGTERM', '--unit', 'nodes/events', 'redis-server'],
  ])(
    'ends everything it started: by %s with %s %s while %s runs',
    { timeout: 3 * PATIENCE_MS },
    async ([end, kind, filter, program]) => {
      const mark = `/none/${randomUUID()}`;
      const command = spawn('npm', ['test', '--silent', '--', kind, filter], {
        cwd: ROOT,
        // Leaves out the environment of this run's own Vitest.
        env: { HOME: process.env.HOME, PATH: `${process.env.PATH}${path.delimiter}${mark}` },
        detached: true,
      });
      let output = '';
      for (const stream of [command.stdout, command.stderr]) {
        stream.on('data', (chunk) => {
          output += chunk;
        });
      }
      const exited = once(command, 'exit');
      const running = startedWith(mark);
      await vi.waitUntil(
        () => {
          if (command.exitCode !== null) throw new Error(`It ended by itself:\n${output}`);
          return running().some((line) => line.includes(program));
        },
        { timeout: PATIENCE_MS },
      );

      // A terminal interrupts its whole foreground group; a service manager signals one process.
      if (end === 'Ctrl-C') process.kill(-Number(command.pid), 'SIGINT');
      else command.kill(end);
      await exited;
      await vi.waitFor(() => expect(running()).toEqual([]), { timeout: PATIENCE_MS });
    },
  );
});

test.each([
  ['1', '1 passed, 1 failed', 1],
  ['', '1 passed, 0 failed', 0],
])('npm test counts a skipped test as a failure in CI only: CI=%s', async (CI, total, code) => {
  const file = `scripts/skips-${randomUUID()}.test.mjs`;
  const { HOME, PATH } = process.env;
  const text =
    "import { test } from 'vitest';\ntest('runs', () => {});\ntest.skip('does not', () => {});";
  writeFileSync(path.join(ROOT, file), text);
  onTestFinished(() => rmSync(path.join(ROOT, file)));
  const command = spawn('npm', ['test', '--silent', '--', '--unit', file], {
    cwd: ROOT,
    env: { HOME, PATH, CI },
  });
  let output = '';
  command.stdout.on('data', (chunk) => {
    output += chunk;
  });
  expect(await once(command, 'close')).toEqual([code, null]);
  expect(output.trimEnd().split('\n').at(-1)).toBe(total);
});
