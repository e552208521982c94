import {
  listPasskeys,
  setPasskeyRequirement,
  startPasskeyAddition,
} from '@stagedoor/contract/team/passkeys';
import { afterAll, describe, expect, test } from 'vitest';
import { buildStaff } from '../../../test/factories.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

const apps: TestApp[] = [];
afterAll(() => Promise.all(apps.map((app) => app.close())));

async function startAt(publicUrl: string | null): Promise<TestApp> {
  const app = await startTestApp({ config: { publicUrl } });
  apps.push(app);
  return app;
}

/** Requests the options for adding a passkey. */
async function attempt(app: TestApp, headers: Record<string, string> = {}) {
  const { client } = await buildStaff(app);
  const { path } = startPasskeyAddition;
  const reply = await client.raw('POST', path, { headers });
  const { data, error, code } = JSON.parse(reply.text) as Record<string, never>;
  const { origin } = (await client.call(listPasskeys)).body;
  return { origin, rpId: (data as { rp?: { id: string } } | undefined)?.rp?.id, error, code };
}

describe('passkeys belong to the domain of the public address', () => {
  test.each([
    ['https://inbox.example.com', 'inbox.example.com'],
    ['https://inbox.example.com:8443/', 'inbox.example.com'],
    ['http://localhost:8080', 'localhost'],
    ['http://inbox.localhost:8080', 'inbox.localhost'],
  ])('%s', async (publicUrl, rpId) => {
    const app = await startAt(publicUrl);
    const { origin } = new URL(publicUrl);
    expect(await attempt(app, { origin })).toMatchObject({ origin, rpId });
  });

  test.each([
    'http://inbox.example.com',
    'https://192.168.1.5',
    'https://[fd00::1]',
    'https://inbox',
  ])('%s is none, and says so before anyone requires one', async (publicUrl) => {
    const app = await startAt(publicUrl);
    const found = await attempt(app);
    expect(found).toMatchObject({ origin: null, code: 'passkeys_unavailable' });
    expect(found.error).toContain('PUBLIC_URL');
    const manager = await buildStaff(app, { role: 'manager' });
    const body = { role: 'support', required: true };
    const refusal = await manager.client.refused(setPasskeyRequirement, { body });
    expect(refusal.code).toBe('passkeys_unavailable');
  });
});

test('without a public address, passkeys work on localhost, and an error on an IP address names it', async () => {
  const app = await startAt(null);
  const { port } = new URL(app.url);
  const local = `http://localhost:${port}`;
  expect(await attempt(app, { origin: local })).toMatchObject({ origin: local, rpId: 'localhost' });
  const lost = await attempt(app, { origin: app.url });
  expect(lost).toMatchObject({ origin: local, code: 'passkeys_unavailable' });
  expect(lost.error).toContain(`Open the console at ${local} instead.`);
});
