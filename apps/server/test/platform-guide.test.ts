import * as crypto from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as consumers from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { sendMessage } from '@stagedoor/contract/messages';
import * as client from '@stagedoor/platform-client';
import * as webhooks from '@stagedoor/platform-client/webhooks';
import { Webhook } from 'standardwebhooks';
import { afterAll, expect, test } from 'vitest';
import { buildOffer, buildProduct } from './catalogue.ts';
import { buildStaff, unique } from './factories.ts';
import { differences, readGuide, runJs, Shell } from './guide.ts';
import { openInviteDesk } from './invites.ts';
import { PLATFORM_KEY, startTestApp } from './test-app.ts';
import { until } from './until.ts';

const GUIDE = fileURLToPath(new URL('../../../docs/platform.md', import.meta.url));
const SECRET = `whsec_${Buffer.from('the secret of the guide').toString('base64')}`;

const app = await startTestApp();
const folder = await mkdtemp(path.join(tmpdir(), 'stagedoor-guide-'));
const servers: http.Server[] = [];
const env: Record<string, string> = {
  STAGEDOOR_URL: app.url,
  STAGEDOOR_KEY: PLATFORM_KEY,
  STAGEDOOR_WEBHOOK_SECRET: SECRET,
  RECEIVER_PORT: '0',
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
/** What the last receiver of an example has logged. */
let received: string[] = [];

/** What the guide's other people do. */
const MEANWHILE: Record<string, () => Promise<unknown>> = {
  'the creator answers': async () =>
    manager.client.call(sendMessage, {
      headers: { 'idempotency-key': unique('temp') },
      body: { conversation_id: await conversationOfAna(), content: 'See you in Lisbon!' },
    }),
  'the creator offers a picture': async () =>
    buildOffer(
      manager,
      await conversationOfAna(),
      [await buildProduct(manager, { title: 'Backstage' })],
      9.99,
    ),
  'the creator invites somebody': async () => {
    const { token } = await (await openInviteDesk(app)).invited();
    env.INVITE_TOKEN = token;
  },
  'an event comes': async () => {
    const address = servers.at(-1)?.address() as AddressInfo;
    const body = JSON.stringify({
      type: 'message.created',
      timestamp: new Date().toISOString(),
      data: { fan: 'ana-7', message: { content: 'See you in Lisbon!' } },
    });
    const now = new Date();
    const headers = {
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': new Webhook(SECRET).sign('evt_1', now, body),
    };
    const deliver = async (changed = {}) =>
      (
        await fetch(`http://127.0.0.1:${address.port}`, {
          method: 'POST',
          headers: { ...headers, ...changed },
          body,
        })
      ).status;
    expect(await deliver({ 'webhook-id': 'evt_2' })).toBe(401);
    expect([await deliver(), await deliver()]).toEqual([204, 204]);
    await until('the receiver tells of it', () => received.length > 0);
    expect(received).toEqual(['To ana-7: See you in Lisbon!']);
  },
};

test('the guide for platforms works as it is written, from its first example to its last', async () => {
  const steps = readGuide(await readFile(GUIDE, 'utf8'));
  expect(steps.filter(({ kind }) => kind === 'sh').length).toBeGreaterThan(5);
  for (const step of steps) {
    const place = `line ${step.line} of the guide`;
    if (step.kind === 'meanwhile') {
      const others = MEANWHILE[step.what];
      if (others === undefined) throw new Error(`${place}: nobody knows how "${step.what}" goes`);
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
      throw new Error(place, { cause: error });
    });
    if (step.shown === null) continue;
    const { json } = step.shown as { json: unknown };
    expect(differences(json, JSON.parse(outcome)), `${place}: ${outcome}`).toEqual([]);
  }
});
