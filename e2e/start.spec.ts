import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { getCreator } from '@stagedoor/contract/platform/platform';
import { requestOtp } from '@stagedoor/contract/team/auth';
import { httpClient } from '../apps/server/test/http-client.ts';
import { until } from '../apps/server/test/until.ts';
import { createTestDatabase } from './database.ts';
import { test as base, expect } from './support/journey.ts';
import { failToStart, OWNER_EMAIL, type ServerProcess, startServer } from './support/server.ts';

/** Starts a server with settings, on a database of its own. */
const test = base.extend<{ start: (env: Record<string, string>) => Promise<ServerProcess> }>({
  start: async ({ browserName: _browserName }, use) => {
    const database = await createTestDatabase();
    const started: ServerProcess[] = [];
    await use(async (env) => {
      const server = await startServer({ databaseUrl: database.url, env });
      started.push(server);
      return server;
    });
    for (const server of started) await server.dispose();
    await database.drop();
  },
});

test('invalid settings stop the start, each with one clear line', async () => {
  const { code, output } = await failToStart({ PORT: 'eighty', SMTP_HOST: 'x', DATABSE_URL: 'x' });
  expect(code).toBe(1);
  expect(output.trim().split('\n').toSorted()).toEqual([
    'Setting DATABSE_URL is unknown. Did you mean DATABASE_URL?',
    'Setting PORT must be a whole number from 0 to 65535',
    'Setting SMTP_HOST is unknown',
  ]);
});

test('production does not start without a mail server', async () => {
  const { code, output } = await failToStart({
    NODE_ENV: 'production',
    OWNER_EMAIL: 'owner@staff.example',
  });
  expect(code).toBe(1);
  expect(output.trim()).toMatch(/^Setting SMTP_URL must be set when NODE_ENV is production[^\n]*$/);
});

test('without a mail server only the banner says where the codes arrive', async ({ start }) => {
  const server = await start({ SMTP_URL: '' });
  const page = await until(
    'the banner',
    () => /Sign-in codes {2}(http:\/\/\S+\/dev\/mailbox\/[\w-]{22})\n/.exec(server.output())?.[1],
  );
  await httpClient(server.url, null).call(requestOtp, { body: { email: OWNER_EMAIL } });
  await until('the code', async () => (await (await fetch(page)).text()).includes(OWNER_EMAIL));
  expect((await fetch(`${server.url}/dev/mailbox`)).status).toBe(404);
});

test('a server reachable by others has no development mailbox', async ({ start }) => {
  const server = await start({ SMTP_URL: '', PUBLIC_URL: 'https://inbox.example.com' });
  await until('the banner', () => server.output().includes('API docs'));
  expect(server.output()).toContain('Sign-in codes  not sent until SMTP_URL is set');
  expect(server.output()).not.toContain('/dev/mailbox');
  await httpClient(server.url, null).call(requestOtp, { body: { email: OWNER_EMAIL } });
});

test('a second process on the same data is refused, and the first keeps running', async () => {
  const first = await startServer();
  try {
    const { code, output } = await failToStart({ DATA_DIR: first.dataDir, SAMPLE_DATA: 'off' });
    expect(code).toBe(1);
    expect(output).toMatch(/another Stagedoor/i);
    expect((await fetch(`${first.url}/api/health`)).status).toBe(200);
  } finally {
    await first.dispose();
  }
});

test('webhooks without a secret get a generated one, in the format that receivers expect', async ({
  start,
}) => {
  const server = await start({
    PLATFORM_WEBHOOK_URL: 'https://user:hunter2@platform.example/hooks',
  });
  const file = path.join(server.dataDir, 'webhook-secret');
  expect(server.output()).toContain(`to platform.example, signed with the secret in ${file}`);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const secret = (await readFile(file, 'utf8')).trim();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(server.output()).not.toContain(secret);
  expect(server.output()).not.toContain('hunter2');
});

test('without a platform key one is generated, readable only by its own user', async ({
  start,
}) => {
  const server = await start({ PLATFORM_API_KEY: '' });
  const file = path.join(server.dataDir, 'platform-key');
  expect(server.output()).toContain(file);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const key = (await readFile(file, 'utf8')).trim();
  expect(server.output()).not.toContain(key);
  await httpClient(server.url, key).call(getCreator);
  await server.kill();
  await server.start();
  await httpClient(server.url, key).call(getCreator);
  expect(await server.stop()).toBe(0);
});
