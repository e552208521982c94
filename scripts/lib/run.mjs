import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** The repository's root directory. */
export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** A tool failed; `output` is everything it printed. */
export class ToolError extends Error {
  /** @param {string} message @param {string} output */
  constructor(message, output) {
    super(message);
    this.name = 'ToolError';
    this.output = output;
  }
}

/** Turns colors off if stderr is not a terminal, because some tools print color codes even into a pipe. */
const COLORS = process.stderr.isTTY ? {} : { NO_COLOR: '1' };

const EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };
/** How long a tool may take to stop its child processes. Milliseconds. */
const GRACE_MS = 15_000;

/** The running tools. The terminal's Ctrl-C does not reach them, so {@link endWith} stops them. */
const children = new Set();
let isEnding = false;

/**
 * Runs a command and collects its output.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, live?: boolean }} [options] `live` prints
 *   directly to the terminal instead
 * @returns {Promise<string>} its output
 * @throws {ToolError} if it can't be started or fails
 */
export async function run(command, args, options = {}) {
  const child = spawn(command, args, {
    cwd: options.cwd ?? ROOT,
    env: { ...(options.env ?? process.env), ...COLORS },
    stdio: options.live ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  if (children.size === 0) for (const signal in EXIT_CODES) process.on(signal, onSignal);
  children.add(child);
  const name = path.basename(command === process.execPath ? (args[0] ?? command) : command);
  let output = '';
  const collect = (chunk) => {
    output += chunk;
  };
  child.stdout?.setEncoding('utf8').on('data', collect);
  child.stderr?.setEncoding('utf8').on('data', collect);
  try {
    await new Promise((resolve, reject) => {
      child.once('error', (error) => reject(new ToolError(error.message, output)));
      child.once('close', (code, signal) => {
        // Never settles, because the caller would otherwise continue with its next step.
        if (isEnding) return;
        if (code === 0) resolve(undefined);
        else reject(new ToolError(`${name} ended with ${signal ?? `code ${code}`}`, output));
      });
    });
  } finally {
    children.delete(child);
    if (children.size === 0) for (const signal in EXIT_CODES) process.off(signal, onSignal);
  }
  return output;
}

const onSignal = (signal) => void endWith(signal);

/**
 * Interrupts the running tools, so that test runners stop their servers and browsers, then kills leftover processes and exits.
 * A second signal kills and exits at once.
 */
async function endWith(signal) {
  isEnding = true;
  const started = new Set([...children].map(({ pid }) => pid));
  const exit = () => {
    for (const pid of started) send(pid, 'SIGKILL');
    process.exit(EXIT_CODES[signal]);
  };
  for (const each in EXIT_CODES) process.off(each, onSignal).on(each, exit);
  for (const { pid } of children) send(pid, 'SIGINT');
  await within(GRACE_MS, () => {
    // Lists descendants while their parents are running, because a child can't be traced to a parent that has ended.
    for (const pid of descendants(started)) started.add(pid);
    return [...children].every(({ exitCode, signalCode }) => (exitCode ?? signalCode) !== null);
  });
  for (const pid of started) if (send(pid, 'SIGINT')) send(pid, 'SIGCONT');
  await within(GRACE_MS / 3, () => ![...started].some((pid) => send(pid, 0)));
  exit();
}

async function within(ms, isDone) {
  const deadline = Date.now() + ms;
  while (!isDone() && Date.now() < deadline) await sleep(20);
}

/** Sends a signal to a process. @returns {boolean} whether the process exists */
function send(pid, signal) {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if (error.code === 'ESRCH') return false;
    throw error;
  }
}

function parentOf(pid) {
  try {
    // The program's name, in parentheses, may contain any character.
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ')[1]);
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes(error.code)) return 0;
    throw error;
  }
}

/** Returns the descendants of processes. Empty on systems without /proc. */
function descendants(roots) {
  if (!existsSync('/proc/self/stat')) return [];
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => [Number(pid), parentOf(pid)]);
  const found = new Set(roots);
  for (let size = 0; size !== found.size; ) {
    size = found.size;
    for (const [pid, parent] of parents) if (found.has(parent)) found.add(pid);
  }
  return found;
}

/**
 * Runs an npm package's program with this Node, without a shell or npx.
 * @param {string} script its path below `node_modules`
 * @param {string[]} args
 * @param {Parameters<typeof run>[2]} [options]
 */
export function runTool(script, args, options) {
  return run(process.execPath, [path.join(ROOT, 'node_modules', script), ...args], options);
}

/**
 * Runs a step and prints one line to stderr: its title and duration. On failure it prints the tool's
 * output and rethrows.
 * @template T
 * @param {string} title
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(title, work) {
  const started = performance.now();
  const seconds = () => `${((performance.now() - started) / 1000).toFixed(1)} s`;
  process.stderr.write(`${title} … `);
  try {
    const result = await work();
    process.stderr.write(`${seconds()}\n`);
    return result;
  } catch (error) {
    process.stderr.write(`failed after ${seconds()}\n`);
    if (error instanceof ToolError && error.output.trim()) {
      process.stderr.write(`${error.output.trimEnd()}\n`);
    }
    throw error;
  }
}

/**
 * Exits with a message and without a stack, for errors that the user can fix.
 * @param {unknown} error
 * @returns {never}
 */
export function fail(error) {
  const known = error instanceof ToolError;
  process.stderr.write(`${known ? error.message : (error?.stack ?? error)}\n`);
  process.exit(1);
}
