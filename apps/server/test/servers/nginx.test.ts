import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { Agent, type RequestOptions, request } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Endpoint } from '@stagedoor/contract/endpoint';
import { endpoints } from '@stagedoor/contract/endpoints';
import { ErrorReply } from '@stagedoor/contract/errors';
import { inbox } from '@stagedoor/contract/inbox/conversations';
import { uploadFiles } from '@stagedoor/contract/media';
import { createProduct } from '@stagedoor/contract/selling/products';
import { requestOtp, verifyOtp } from '@stagedoor/contract/team/auth';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SIGN_IN_LIMIT } from '../../src/team/auth/auth.routes.ts';
import { buildConversation, buildFanMessage, buildStaff } from '../factories.ts';
import { filesForm } from '../files.ts';
import { freePort } from '../free-port.ts';
import { leftOut } from '../left-out.ts';
import { startTestApp, type TestApp } from '../test-app.ts';
import { type Nginx, nginxMissing, startNginx } from './nginx.ts';

const skips = leftOut('The configuration of nginx is', nginxMissing());

describe.skipIf(skips)('behind nginx with the configuration that we ship', () => {
  let app: TestApp;
  let nginx: Nginx;
  let agent: Agent;

  // A new server for each test, because all tests have the same address and so share its rate limits.
  beforeEach(async () => {
    const port = await freePort();
    app = await startTestApp({
      config: { publicUrl: `https://localhost:${port}`, trustProxy: '127.0.0.1' },
    });
    nginx = await startNginx(port, app.url);
    agent = new Agent({ ca: nginx.certificate });
  });
  afterEach(async () => {
    agent?.destroy();
    await nginx?.stop();
    await app?.close();
  });

  /** Sends a request over TLS, as a browser does. */
  function call(
    path: string,
    options: RequestOptions = {},
    body?: string | Buffer,
  ): Promise<{ status: number; headers: Record<string, unknown>; text: string }> {
    return new Promise((resolve, reject) => {
      const sent = request(new URL(path, nginx.url), { agent, ...options }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        );
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }

  const post = (path: string, body: unknown, headers = {}, options: RequestOptions = {}) =>
    call(
      path,
      { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, ...options },
      JSON.stringify(body),
    );

  test('sign-in works, HSTS is set, and a socket gets events', async () => {
    const { admin } = await buildStaff(app);
    const { email } = admin;
    expect((await post(requestOtp.path, { email })).status).toBe(200);
    const code = await app.smtp.codeFor(email);
    const signedIn = await post(verifyOtp.path, { email, code });
    expect(signedIn.headers['strict-transport-security']).toContain('max-age');
    expect(String(signedIn.headers['set-cookie'])).toContain('Secure');
    const { token } = JSON.parse(signedIn.text);
    const shown = await call(inbox.path, { headers: { authorization: `Bearer ${token}` } });
    expect(shown.status).toBe(200);
    const { connectSocket } = await import('../socket-client.ts');
    const socket = await connectSocket(nginx.url, token, {
      ca: nginx.certificate,
      transports: ['websocket'],
      extraHeaders: { origin: nginx.url },
    } as never);
    const { fan } = await buildConversation(app, { messages: [] });
    await buildFanMessage(app, fan, { content: 'through nginx' });
    const { message } = await socket.nextEvent('new_message');
    expect(message.content).toBe('through nginx');
    socket.close();
  });

  test('files pass, and bodies that are too large are refused in the API’s error shape', async () => {
    const staff = await buildStaff(app);
    const { id } = await buildConversation(app);
    const form = new Response(
      filesForm([{ data: Buffer.alloc(3_000_000, 7), filename: 'three.bin' }], {
        conversation_id: id,
      }),
    );
    const headers = {
      authorization: `Bearer ${staff.token}`,
      'content-type': form.headers.get('content-type') ?? '',
    };
    const bytes = Buffer.from(await form.arrayBuffer());
    const upload = await call(uploadFiles.path, { method: 'POST', headers }, bytes);
    expect([upload.status, upload.text.slice(0, 200)]).toEqual([200, expect.any(String)]);
    const tooLarge = [
      await post(requestOtp.path, { email: 'x'.repeat(2_000_000) }),
      await call(uploadFiles.path, {
        method: 'POST',
        headers: { ...headers, 'content-length': '700000000' },
      }).catch(() => null),
    ];
    for (const reply of tooLarge) {
      if (reply === null) continue;
      expect(reply.status).toBe(413);
      expect(ErrorReply.parse(JSON.parse(reply.text)).code).toBe('payload_too_large');
    }
  });

  test('only nginx sets the client’s address: a forged one does not get its own rate limit', async () => {
    const attempt = (from: string, forged: number) =>
      post(
        verifyOtp.path,
        { email: 'nobody@staff.example', code: '000000' },
        {
          'x-forwarded-for': `203.0.113.${forged % 250}`,
          forwarded: `for=203.0.113.${forged % 250}`,
          'x-real-ip': `203.0.113.${forged % 250}`,
        },
        {
          localAddress: from,
          hostname: from === '127.0.0.1' ? from : '127.0.0.2',
          servername: 'localhost',
        },
      );
    const statuses: number[] = [];
    for (let tries = 0; tries <= SIGN_IN_LIMIT.max; tries++) {
      statuses.push((await attempt('127.0.0.1', tries)).status);
    }
    expect(statuses.at(-1)).toBe(429);
    expect(statuses).toContain(401);
    // Other clients are not limited.
    expect((await attempt('127.0.0.2', 1)).status).toBe(401);
  });

  test('the metrics are not public, and secrets in paths are not logged', async () => {
    expect((await call('/metrics')).status).toBe(404);
    await call('/api/media/a-secret-link?and=more');
    await call('/invite/a-secret-token');
    const log = await nginx.accessLog();
    expect(log).toContain('"GET /api/media/-"');
    expect(log).not.toContain('secret');
  });

  test('while the server is down the reply has the API’s error shape', async () => {
    const away = await startNginx(await freePort(), `http://127.0.0.1:${await freePort()}`);
    const own = new Agent({ ca: away.certificate });
    const reply = await call(inbox.path, { agent: own, port: new URL(away.url).port });
    expect(reply.status).toBe(503);
    expect(ErrorReply.parse(JSON.parse(reply.text)).code).toBe('unavailable');
    own.destroy();
    await away.stop();
  });

  test('a built file that only one of the processes has is always found', async () => {
    const root = await mkdtemp(path.join(tmpdir(), 'stagedoor-web-'));
    await mkdir(path.join(root, 'assets'));
    await writeFile(path.join(root, 'index.html'), '<!doctype html>');
    await writeFile(path.join(root, 'assets', 'app-new.js'), 'console.log(1)');
    const upgraded = await startTestApp({ webRoot: root, fanRoot: root });
    const both = await startNginx(await freePort(), app.url, upgraded.url);
    const own = new Agent({ ca: both.certificate });
    const get = async (target: string) =>
      (await call(target, { agent: own, port: new URL(both.url).port })).status;
    for (const folder of ['/assets', '/fan/assets']) {
      const asked = [await get(`${folder}/app-new.js`), await get(`${folder}/app-new.js`)];
      expect([folder, ...asked]).toEqual([folder, 200, 200]);
      expect(await get(`${folder}/app-gone.js`)).toBe(404);
    }
    own.destroy();
    await both.stop();
    await upgraded.close();
    await rm(root, { recursive: true });
  });
});

test('nginx lets large bodies pass on every path that accepts files', async () => {
  const site = await readFile(new URL('../../../../deploy/nginx.conf', import.meta.url), 'utf8');
  const large = new RegExp(/location ~ (\S+) \{/.exec(site)?.[1] ?? '^$');
  const uploads = Object.values<Endpoint>(endpoints).filter(({ upload }) => upload);
  expect(uploads.length).toBeGreaterThan(3);
  for (const { path } of uploads.filter((each) => each !== createProduct))
    expect(path.replaceAll(/\{\w+\}/g, 'x')).toMatch(large);
  expect(site).toContain(`location = ${createProduct.path} {`);
});
