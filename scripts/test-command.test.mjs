import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { ROOT } from './lib/run.mjs';

const PATIENCE_MS = 120_000;

/**
 * Returns the command lines of all processes that a command started. They share its session, unless they have left it, and have a
 * mark in their environment, unless they have overwritten it.
 */
function startedBy(session, mark) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const read = (file) => readFileSync(`/proc/${pid}/${file}`, 'utf8');
      try {
        // What follows the program's name: its state, parent, group and session.
        const [state, , , ownSession] = read('stat')
          .replace(/^.*\) /s, '')
          .split(' ');
        if (state === 'Z') return [];
        if (Number(ownSession) !== session && !read('environ').includes(mark)) return [];
        return [read('cmdline').replaceAll('\0', ' ')];
      } catch (error) {
        // It has ended since, or belongs to someone else.
        if (['ENOENT', 'ESRCH', 'EACCES'].includes(error.code)) return [];
        throw error;
      }
    });
}

// A mark in PATH is the one that servers under test inherit, too.
describe.skipIf(process.platform !== 'linux')('npm test, told to end,', () => {
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
        // Nothing of this run's own environment, by which the clients would be built for tests.
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
      const running = () => startedBy(command.pid, mark);
      await vi.waitUntil(
        () => {
          if (command.exitCode !== null) throw new Error(`It ended by itself:\n${output}`);
          return running().some((line) => line.includes(program));
        },
        { timeout: PATIENCE_MS },
      );

      // A terminal interrupts its whole foreground group; who ends a service signals one process.
      if (end === 'Ctrl-C') process.kill(-Number(command.pid), 'SIGINT');
      else command.kill(end);
      await exited;
      await vi.waitFor(() => expect(running()).toEqual([]), { timeout: PATIENCE_MS });
    },
  );
});
