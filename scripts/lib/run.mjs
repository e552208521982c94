import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root directory. */
export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** A tool that exited with a failure; `output` is everything it printed. */
export class ToolError extends Error {
  /** @param {string} message @param {string} output */
  constructor(message, output) {
    super(message);
    this.name = 'ToolError';
    this.output = output;
  }
}

/** Some tools colour what they print even into a pipe; a log file is no place for that. */
const COLOURS = process.stderr.isTTY ? {} : { NO_COLOR: '1' };

/** Children to end when we are told to end. */
const children = new Set();

/**
 * Runs a command and collects what it prints.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, live?: boolean }} [options] `live` lets it print
 *   straight to the terminal instead
 * @returns {Promise<string>} its output
 * @throws {ToolError} when it can't be started or exits with a failure
 */
export async function run(command, args, options = {}) {
  const child = spawn(command, args, {
    cwd: options.cwd ?? ROOT,
    env: { ...(options.env ?? process.env), ...COLOURS },
    stdio: options.live ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
  });
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
        if (code === 0) resolve(undefined);
        else reject(new ToolError(`${name} ended with ${signal ?? `code ${code}`}`, output));
      });
    });
  } finally {
    children.delete(child);
  }
  return output;
}

/**
 * Runs a tool of ours (an npm package's program) with this very Node, without a shell or npx between.
 * @param {string} script its path below `node_modules`
 * @param {string[]} args
 * @param {Parameters<typeof run>[2]} [options]
 */
export function runTool(script, args, options) {
  return run(process.execPath, [path.join(ROOT, 'node_modules', script), ...args], options);
}

/**
 * Does some work with one line on stderr: what it is, then how long it took. On failure the tool's
 * output follows and the error is thrown on.
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
 * Ends with a message and without a stack: for what the reader can do something about.
 * @param {unknown} error
 * @returns {never}
 */
export function fail(error) {
  const known = error instanceof ToolError;
  process.stderr.write(`${known ? error.message : (error?.stack ?? error)}\n`);
  process.exit(1);
}

/**
 * Does work during which SIGINT and SIGTERM end our children and run `cleanUp` before we go.
 * Afterwards the signals belong to the program again.
 * @template T
 * @param {() => Promise<T>} work
 * @param {() => void} cleanUp runs when a signal ends the work; must be synchronous
 * @returns {Promise<T>}
 */
export async function interruptible(work, cleanUp) {
  const codes = { SIGINT: 130, SIGTERM: 143 };
  const onSignal = (signal) => {
    for (const child of children) child.kill(signal);
    cleanUp();
    process.exit(codes[signal]);
  };
  for (const signal of Object.keys(codes)) process.on(signal, onSignal);
  try {
    return await work();
  } finally {
    for (const signal of Object.keys(codes)) process.off(signal, onSignal);
  }
}
