import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';

/** A step of a guide, in reading order. */
export type GuideStep =
  /** An example and the outcome that the guide shows; null if it shows none. */
  | { kind: 'sh' | 'js'; code: string; line: number; shown: unknown }
  /** Something that another person does between two examples. */
  | { kind: 'meanwhile'; what: string; line: number };

/**
 * Reads the examples of a guide in Markdown: blocks of `sh` and `js`, each followed by a `json` block if its outcome is shown,
 * and comments of the form `<!-- meanwhile: … -->`.
 */
export function readGuide(markdown: string): GuideStep[] {
  const steps: GuideStep[] = [];
  const pattern = /^```(sh|js|json)\n([\s\S]*?)^```$|^<!-- meanwhile: (.*) -->$/gm;
  for (const match of markdown.matchAll(pattern)) {
    const [, kind, code = '', what] = match;
    const line = markdown.slice(0, match.index).split('\n').length;
    if (what !== undefined) steps.push({ kind: 'meanwhile', what, line });
    else if (kind === 'sh' || kind === 'js') steps.push({ kind, code, line, shown: null });
    else {
      const last = steps.at(-1);
      if (last === undefined || last.kind === 'meanwhile') {
        throw new Error(`the outcome at line ${line} follows no example`);
      }
      last.shown = { json: JSON.parse(code) as unknown };
    }
  }
  return steps;
}

const ISO_TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/**
 * Returns the differences between the outcome in a guide and the actual one. In the guide, `…` in a text matches any text, a time
 * matches any time, and a field named `…` matches any further fields.
 * @returns one line per difference
 */
export function differences(shown: unknown, came: unknown, at = ''): string[] {
  if (typeof shown === 'string' && typeof came === 'string') {
    const agrees = ISO_TIME.test(shown) ? ISO_TIME.test(came) : patternOf(shown).test(came);
    return agrees ? [] : [`${at}: ${came} is shown as ${shown}`];
  }
  if (!isObject(shown) || !isObject(came)) {
    return Object.is(shown, came) ? [] : [`${at}: ${inspect(came)} is shown as ${inspect(shown)}`];
  }
  const { '…': more, ...fields } = shown;
  const missing = Object.keys(came).filter((key) => !(key in fields) && more === undefined);
  return [
    ...missing.map((key) => `${at}.${key} is not shown`),
    ...Object.entries(fields).flatMap(([key, value]) =>
      differences(value, came[key], `${at}.${key}`),
    ),
  ];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const patternOf = (shown: string) =>
  new RegExp(
    `^${shown
      .split('…')
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
    's',
  );

type Modules = Readonly<Record<string, object>>;

/**
 * Runs a JavaScript example, which may use `await`, with these modules to import and these names in scope.
 * @returns the lines that the example logged; if the example keeps running, it adds lines to the array
 */
export async function runJs(
  code: string,
  modules: Modules,
  names: Readonly<Record<string, unknown>>,
): Promise<string[]> {
  const lines: string[] = [];
  const log = (...values: unknown[]) =>
    lines.push(
      values.map((value) => (typeof value === 'string' ? value : inspect(value))).join(' '),
    );
  const body = code.replaceAll(
    /^import (\{[^}]*\}) from '([^']+)';$/gm,
    (_whole, imported: string, from: string) => `const ${imported} = modules['${from}'];`,
  );
  const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor as new (
    ...source: string[]
  ) => (...values: unknown[]) => Promise<void>;
  const around = { ...names, modules, console: { log } };
  await new AsyncFunction(...Object.keys(around), body)(...Object.values(around));
  return lines;
}

/** A shell that runs examples one after the other. */
export class Shell {
  readonly #bash: ChildProcessWithoutNullStreams;

  constructor(cwd: string, env: Readonly<Record<string, string>>) {
    this.#bash = spawn('bash', ['--noprofile', '--norc'], {
      cwd,
      env: { PATH: process.env.PATH, ...env },
    });
    // An example fails if any of its commands fails.
    this.#bash.stdin.write(`set -o pipefail\ntrap 'failed=1' ERR\n`);
  }

  /** @returns the output @throws Error when a command failed */
  run(code: string): Promise<string> {
    const end = randomUUID();
    const { stdin, stdout, stderr } = this.#bash;
    return new Promise((resolve, reject) => {
      let printed = '';
      let complaints = '';
      const complain = (chunk: Buffer) => {
        complaints += chunk;
      };
      const read = (chunk: Buffer) => {
        printed += chunk;
        const [output, failed] = printed.split(`\n${end} `);
        if (failed === undefined || output === undefined || !failed.endsWith('\n')) return;
        stdout.off('data', read);
        stderr.off('data', complain);
        if (failed === '0\n') resolve(output);
        else reject(new Error(`the shell says ${complaints}${output}`));
      };
      stdout.on('data', read);
      stderr.on('data', complain);
      stdin.write(`failed=0\n${code}\necho; echo "${end} $failed"\n`);
    });
  }

  close(): void {
    this.#bash.stdin.end();
  }
}
