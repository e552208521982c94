import * as crypto from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import * as http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as consumers from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { sendMessage } from '@stagedoor/contract/messaging/messages';
import * as client from '@stagedoor/platform-client';
import * as webhooks from '@stagedoor/platform-client/webhooks';
import { afterAll, expect, test } from 'vitest';
import { buildStaff, unique } from './factories.ts';
import { freePort } from './free-port.ts';
import { differences, readGuide, runJs, Shell } from './guide.ts';
import { QUICK } from './servers/webhook-receiver.ts';
import { PLATFORM_KEY, startTestApp } from './test-app.ts';
import { until } from './until.ts';
import { buildOffer, buildProduct } from './worlds/catalogue.ts';
import { openInviteDesk } from './worlds/invites.ts';

const GUIDE = fileURLToPath(new URL('../../../docs/platform.md', import.meta.url));
const SECRET = `whsec_${Buffer.from('the secret of the guide').toString('base64')}`;

const receiverPort = await freePort();
const app = await startTestApp({
  webhook: { url: `http://127.0.0.1:${receiverPort}/`, secret: SECRET, timing: QUICK },
});
const folder = await mkdtemp(path.join(tmpdir(), 'stagedoor-guide-'));
const servers: http.Server[] = [];
const env: Record<string, string> = {
  STAGEDOOR_URL: app.url,
  STAGEDOOR_KEY: PLATFORM_KEY,
  STAGEDOOR_WEBHOOK_SECRET: SECRET,
  RECEIVER_PORT: String(receiverPort),
};
const shell = new Shell(folder, env);
afterAll(async () => {
  shell.close();
  for (const server of servers) server.close();
  await app.close();
  await rm(folder, { recursive: true });
});

const modules = {
  'node:crypto': crypto,
  'node:stream/consumers': consumers,
  'node:http': {
    createServer: (listener: http.RequestListener) => {
      const server = http.createServer(listener);
      servers.push(server);
      return server;
    },
  },
  '@stagedoor/platform-client': client,
  '@stagedoor/platform-client/webhooks': webhooks,
};
const stagedoor = client.createPlatformClient({ url: app.url, key: PLATFORM_KEY });

const manager = await buildStaff(app, { role: 'manager' });
const conversationOfAna = async () => (await stagedoor.putFan('ana-7')).conversation_id;
const write = async (content: string) =>
  manager.client.call(sendMessage, {
    headers: { 'idempotency-key': unique('temp') },
    body: { conversation_id: await conversationOfAna(), content },
  });
/** The log of the last receiver in an example. */
let received: string[] = [];

/** Actions of other people in the guide. */
const MEANWHILE: Record<string, () => Promise<unknown>> = {
  'the creator answers': () => write('See you in Lisbon!'),
  'the creator offers a picture': async () =>
    buildOffer(
      manager,
      await conversationOfAna(),
      [await buildProduct(manager, { title: 'Backstage' })],
      9.99,
    ),
  'the creator invites a fan': async () => {
    const { token } = await (await openInviteDesk(app)).invited();
    env.INVITE_TOKEN = token;
  },
  'the receiver gets missed and new events': async () => {
    await write('Bring your friend!');
    await until('the newest arrived', () => received.includes('To ana-7: Bring your friend!'));
    const [first, ...later] = received;
    expect(first).toBe('To ana-7: See you in Lisbon!');
    expect(later).toHaveLength(2);
    const forged = { method: 'POST', headers: { 'webhook-id': 'evt_1' }, body: '{}' };
    expect((await fetch(`http://127.0.0.1:${receiverPort}/`, forged)).status).toBe(401);
  },
};

test('the guide for platforms works as written, from its first example to its last', async () => {
  const steps = readGuide(await readFile(GUIDE, 'utf8'));
  expect(steps.filter(({ kind }) => kind === 'sh').length).toBeGreaterThan(5);
  for (const step of steps) {
    const where = `line ${step.line} of the guide`;
    if (step.kind === 'meanwhile') {
      const others = MEANWHILE[step.what];
      if (others === undefined) throw new Error(`${where}: MEANWHILE lacks "${step.what}"`);
      await others();
      continue;
    }
    const names = {
      process: { env },
      ...(!step.code.includes('const stagedoor') && { stagedoor }),
    };
    const outcome = await (step.kind === 'sh'
      ? shell.run(step.code)
      : runJs(step.code, modules, names).then((lines) => {
          received = lines;
          return lines.join('\n');
        })
    ).catch((error: unknown) => {
      throw new Error(where, { cause: error });
    });
    if (step.shown === null) continue;
    const { json } = step.shown as { json: unknown };
    expect(differences(json, JSON.parse(outcome)), `${where}: ${outcome}`).toEqual([]);
  }
});
