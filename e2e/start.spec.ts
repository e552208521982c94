import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { getCreator } from '@stagedoor/contract/platform/platform';
import { requestOtp } from '@stagedoor/contract/team/auth';
import { httpClient } from '../apps/server/test/http-client.ts';
import { until } from '../apps/server/test/until.ts';
import { expect, test } from './support/journey.ts';
import { failToStart, OWNER_EMAIL, startServer } from './support/server.ts';

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

test('without a mail server only the banner says where the codes arrive', async () => {
  const server = await startServer({ env: { SMTP_URL: '' } });
  try {
    const page = await until(
      'the banner',
      () => /Sign-in codes {2}(http:\/\/\S+\/dev\/mailbox\/[\w-]{22})\n/.exec(server.output())?.[1],
    );
    await httpClient(server.url, null).call(requestOtp, { body: { email: OWNER_EMAIL } });
    await until('the code', async () => (await (await fetch(page)).text()).includes(OWNER_EMAIL));
    expect((await fetch(`${server.url}/dev/mailbox`)).status).toBe(404);
  } finally {
    await server.dispose();
  }
});

test('a server reachable by others has no development mailbox', async () => {
  const server = await startServer({
    env: { SMTP_URL: '', PUBLIC_URL: 'https://inbox.example.com' },
  });
  try {
    await until('the banner', () => server.output().includes('API docs'));
    expect(server.output()).toContain('Sign-in codes  not sent until SMTP_URL is set');
    expect(server.output()).not.toContain('/dev/mailbox');
    await httpClient(server.url, null).call(requestOtp, { body: { email: OWNER_EMAIL } });
  } finally {
    await server.dispose();
  }
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

test('without a platform key and a webhook secret both are generated, readable only by their own user', async () => {
  const server = await startServer({
    env: {
      PLATFORM_API_KEY: '',
      PLATFORM_WEBHOOK_URL: 'https://user:hunter2@platform.example/hooks',
    },
  });
  try {
    const generated = async (name: string) => {
      const file = path.join(server.dataDir, name);
      expect(server.output()).toContain(file);
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      return (await readFile(file, 'utf8')).trim();
    };
    expect(server.output()).toContain('to platform.example, signed with the secret in ');
    const secret = await generated('webhook-secret');
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const key = await generated('platform-key');
    for (const hidden of [secret, key, 'hunter2']) expect(server.output()).not.toContain(hidden);
    await httpClient(server.url, key).call(getCreator);
    await server.kill();
    await server.start();
    await httpClient(server.url, key).call(getCreator);
    expect(await server.stop()).toBe(0);
  } finally {
    await server.dispose();
  }
});
