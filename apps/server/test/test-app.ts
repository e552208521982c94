import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FAN_NAMESPACE } from '@stagedoor/contract/platform/fan-realtime';
import { requestOtp, verifyOtp } from '@stagedoor/contract/team/auth';
import { afterAll } from 'vitest';
import { type App, type AppParts, startApp } from '../src/app.ts';
import { openDatabase } from '../src/db/database.ts';
import { createLogger } from '../src/log.ts';
import { smtpMailer } from '../src/mail/mailer.ts';
import { openLocalStorage } from '../src/storage/local-storage.ts';
import type { ObjectStorage } from '../src/storage/storage.ts';
import { ensureCreator } from '../src/team/creator/creator.store.ts';
import { type Backend, backendOf } from './backend.ts';
import { createTestDatabase } from './database.ts';
import { type SmtpSink, startSmtpSink } from './servers/smtp-sink.ts';
import {
  connectFanSocket,
  connectSocket,
  type FanSocket,
  type HandshakeOptions,
  refusedHandshake,
  type StaffSocket,
} from './socket-client.ts';

export const PLATFORM_KEY = 'platform-key-of-the-tests-as-long-as-any';
export const CREATOR_NAME = 'Aurora';

/** The default settings, except for a free port. */
export const TEST_CONFIG: AppParts['config'] = {
  host: '127.0.0.1',
  port: 0,
  publicUrl: null,
  trustProxy: false,
  dataDir: tmpdir(),
  metricsToken: null,
  retention: { messages: null, audit: null, invites: 365, deliveries: 7 },
};

type Overrides = Partial<Omit<AppParts, 'db' | 'config'>> & {
  config?: Partial<AppParts['config']>;
  /** An existing database, which is kept; a new one by default. */
  databaseUrl?: string;
  replicaUrl?: string;
};

/** A whole server with its own port and database, and clients for it. */
export interface TestApp extends Backend {
  readonly app: App;
  readonly databaseUrl: string;
  /** The server's storage. */
  readonly storage: ObjectStorage;
  /** Returns every file in the server's storage, including unfinished ones, as paths relative to its folder. */
  storedFiles(): Promise<string[]>;
  readonly smtp: SmtpSink;
  /** Signs in with an emailed code, as people do. @returns the token */
  signIn(email: string): Promise<string>;
  connectSocket(token: string, options?: HandshakeOptions): Promise<StaffSocket>;
  connectFanSocket(token: string, options?: HandshakeOptions): Promise<FanSocket>;
  refusedHandshake(
    token: string | undefined,
    options?: HandshakeOptions,
  ): ReturnType<typeof refusedHandshake>;
  refusedFanHandshake(
    token: string | undefined,
    options?: HandshakeOptions,
  ): ReturnType<typeof refusedHandshake>;
  close(): Promise<void>;
}

const defaultParts = () => ({
  log: createLogger('silent'),
  codeKey: randomBytes(32),
  mediaKey: randomBytes(32),
  inviteKey: randomBytes(32),
  platformKey: PLATFORM_KEY,
  webhook: null,
  webRoot: null,
  fanRoot: null,
});

const mailerTo = (smtp: SmtpSink) => smtpMailer(smtp.url, 'Stagedoor <no-reply@stagedoor.test>');

/** Starts the server as the program does, with a real email server, on its own port. */
export async function startTestApp({
  databaseUrl,
  replicaUrl,
  ...overrides
}: Overrides = {}): Promise<TestApp> {
  const database =
    databaseUrl === undefined
      ? await createTestDatabase()
      : { url: databaseUrl, drop: async () => undefined };
  const smtp = await startSmtpSink();
  // Ignores broken connections: some tests take the database away.
  const replica = replicaUrl === undefined ? null : { url: replicaUrl, changed: () => undefined };
  const db = openDatabase({ connectionString: database.url }, () => undefined, replica);
  await ensureCreator(db, CREATOR_NAME);
  const files = await mkdtemp(path.join(tmpdir(), 'stagedoor-files-'));
  const storage = overrides.storage ?? (await openLocalStorage(files));
  const mailer = overrides.mailer ?? mailerTo(smtp);
  const app = await startApp({
    ...defaultParts(),
    db,
    ...overrides,
    storage,
    mailer,
    config: { ...TEST_CONFIG, ...overrides.config },
  });
  const url = app.address;
  const sockets = new Set<{ close(): void }>();
  const backend = backendOf({ url, db, platformKey: PLATFORM_KEY });

  return {
    ...backend,
    app,
    databaseUrl: database.url,
    storage,
    async storedFiles() {
      const entries = await readdir(files, { recursive: true, withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(files, path.join(entry.parentPath, entry.name)));
    },
    smtp,
    async signIn(email) {
      const mails = smtp.received.filter((mail) => mail.to.includes(email)).length;
      await backend.anonymous.call(requestOtp, { body: { email } });
      const code = await smtp.codeFor(email, mails);
      const { body } = await backend.anonymous.call(verifyOtp, { body: { email, code } });
      return body.token;
    },
    async connectSocket(token, options) {
      const socket = await connectSocket(url, token, options);
      sockets.add(socket);
      return socket;
    },
    async connectFanSocket(token, options) {
      const socket = await connectFanSocket(url, token, options);
      sockets.add(socket);
      return socket;
    },
    refusedHandshake: (token, options) => refusedHandshake(url, token, options),
    refusedFanHandshake: (token, options) => refusedHandshake(url, token, options, FAN_NAMESPACE),
    async close() {
      for (const socket of sockets) socket.close();
      await app.close();
      mailer.close();
      storage.close();
      await rm(files, { recursive: true, force: true });
      await smtp.close();
      await db.close();
      await database.drop();
    },
  };
}

/** Starts the server for all tests of a file, and closes it after the last one. */
export async function sharedApp(overrides?: Overrides): Promise<TestApp> {
  const app = await startTestApp(overrides);
  afterAll(() => app.close());
  return app;
}

/** Starts another process on a server's database and files. Returns a function that stops it. */
export async function startSecondProcess(
  { db, storage, smtp }: TestApp,
  parts: Partial<AppParts>,
): Promise<() => Promise<void>> {
  const mailer = mailerTo(smtp);
  const second = await startApp({
    ...defaultParts(),
    config: TEST_CONFIG,
    db,
    storage,
    mailer,
    platformKey: null,
    ...parts,
  });
  return async () => {
    await second.close();
    mailer.close();
  };
}
