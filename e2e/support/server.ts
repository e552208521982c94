import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../../apps/server/test/free-port.ts';
import { spawnProgram } from '../../apps/server/test/servers/server-process.ts';
import { type SmtpSink, startSmtpSink } from '../../apps/server/test/servers/smtp-sink.ts';
import { until } from '../../apps/server/test/until.ts';

export const PLATFORM_KEY = 'platform-key-of-the-journeys-as-long-as-any';
export const OWNER_EMAIL = 'owner@staff.example';
/** Time limit for a server to start. On a busy machine, it may first have to create its embedded database. Milliseconds. */
const START_WITHIN = 240_000;

/** The server program as it runs in production, in a separate process. */
export interface ServerProcess {
  readonly url: string;
  readonly smtp: SmtpSink;
  /** Contains the embedded database, if there is one. */
  readonly dataDir: string;
  /** Returns everything it has printed since its first start. */
  output(): string;
  /** Starts it again with the same address and data, and waits until it is ready. */
  start(): Promise<void>;
  /** Kills it without notice, like a crash. */
  kill(): Promise<void>;
  /**
   * Stops it.
   * @returns its exit code
   */
  stop(): Promise<number | null>;
  /** Stops it and removes its data. */
  dispose(): Promise<void>;
}

interface ServerOptions {
  /** The URL of a migrated database; without it the server runs its embedded one. */
  readonly databaseUrl?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The `main.js` of another build. */
  readonly main?: string;
}

export async function startServer(options: ServerOptions = {}): Promise<ServerProcess> {
  const smtp = await startSmtpSink();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'stagedoor-journey-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  /** Its runs so far, each with its output. */
  const runs: ReturnType<typeof spawnProgram>[] = [];
  const output = () => runs.map((run) => run.output()).join('');
  let child: ChildProcess | null = null;

  const ended = async (signal: NodeJS.Signals): Promise<number | null> => {
    const running = child;
    child = null;
    if (running === null || running.exitCode !== null) return running?.exitCode ?? null;
    const exit = once(running, 'exit');
    running.kill(signal);
    const [code] = (await exit) as [number | null];
    return code;
  };

  const server: ServerProcess = {
    url,
    smtp,
    dataDir,
    output,
    async start() {
      const run = spawnProgram(
        {
          HOST: '127.0.0.1',
          PORT: String(port),
          DATA_DIR: dataDir,
          SAMPLE_DATA: 'off',
          SMTP_URL: smtp.url,
          MAIL_FROM: 'Stagedoor <no-reply@stagedoor.test>',
          OWNER_EMAIL,
          CREATOR_NAME: 'Aurora',
          PLATFORM_API_KEY: PLATFORM_KEY,
          LOG_LEVEL: 'warn',
          ...(options.databaseUrl !== undefined && { DATABASE_URL: options.databaseUrl }),
          ...options.env,
        },
        options.main,
      );
      runs.push(run);
      child = run.child;
      await until(
        'the server serves',
        async () => {
          if (run.child.exitCode !== null)
            throw new Error(`the server did not start:\n${output()}`);
          return (await fetch(`${url}/api/health`).catch(() => null))?.ok;
        },
        START_WITHIN,
      );
    },
    kill: async () => void (await ended('SIGKILL')),
    stop: () => ended('SIGTERM'),
    async dispose() {
      await ended('SIGTERM');
      await smtp.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  try {
    await server.start();
  } catch (error) {
    await server.dispose();
    throw error;
  }
  return server;
}

/**
 * Starts the program with settings that it must reject.
 * @returns its exit code and output
 */
export async function failToStart(
  env: Readonly<Record<string, string>>,
): Promise<{ code: number | null; output: string }> {
  const { child, output } = spawnProgram({ PORT: '0', ...env });
  const late = setTimeout(() => child.kill('SIGKILL'), START_WITHIN);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(late);
  return { code, output: output() };
}
