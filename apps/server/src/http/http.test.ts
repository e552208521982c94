import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { Validator } from '@seriousme/openapi-schema-validator';
import { endpoints } from '@stagedoor/contract/endpoints';
import { inbox } from '@stagedoor/contract/inbox/conversations';
import { getCreator, putFan, recordRefund } from '@stagedoor/contract/platform/platform';
import { analyticsOverview } from '@stagedoor/contract/selling/analytics';
import { currentAdmin } from '@stagedoor/contract/team/auth';
import pg from 'pg';
import { expect, test } from 'vitest';
import { buildStaff, unique } from '../../test/factories.ts';
import { rawRequest } from '../../test/raw-request.ts';
import { sharedApp, startTestApp, type TestApp } from '../../test/test-app.ts';

const app = await sharedApp();
const staff = await buildStaff(app);

test('every endpoint of the contract is served, and nothing else is bound', () => {
  expect([...app.app.router.bound].map(({ path }) => path).toSorted()).toEqual(
    Object.values(endpoints)
      .map(({ path }) => path)
      .toSorted(),
  );
  expect(new Set(app.app.router.bound)).toEqual(new Set(Object.values(endpoints)));
});

test('no endpoint can be bound twice', () => {
  const { router } = app.app;
  expect(() => router.bind(getCreator, () => Promise.reject(new Error('unused')))).toThrow(
    'registered twice',
  );
});

test('the documentation lists every endpoint with its summary and kind of credential', async () => {
  const served = await app.anonymous.raw('GET', '/api/docs/json');
  const { paths } = JSON.parse(served.text) as {
    paths: Record<string, Record<string, { summary: string; security?: object[] }>>;
  };
  for (const endpoint of Object.values(endpoints)) {
    const documented = paths[endpoint.path]?.[endpoint.method.toLowerCase()];
    expect(documented?.summary, endpoint.path).toBe(endpoint.summary);
    expect(documented?.security).toEqual(
      endpoint.auth === 'none' ? undefined : [{ [endpoint.auth]: [] }],
    );
  }
  const count = Object.values(paths).reduce((sum, methods) => sum + Object.keys(methods).length, 0);
  expect(count).toBe(Object.keys(endpoints).length);
  expect(JSON.stringify(app.app.openapi())).toBe(JSON.stringify(JSON.parse(served.text)));
});

test('a third-party validator accepts the documentation', async () => {
  const served = await app.anonymous.raw('GET', '/api/docs/json');
  const document = JSON.parse(served.text) as Record<string, unknown>;
  const result = await new Validator().validate(document);
  expect(result.errors ?? []).toEqual([]);
  expect(result.valid).toBe(true);
});

test('each reply forbids browsers to run scripts, frame it and sniff its type', async () => {
  for (const target of [inbox.path, '/api/nothing', '/api/health', '/nothing']) {
    const { headers } = await app.anonymous.raw('GET', target);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('content-security-policy')).not.toContain('unsafe');
    expect(headers.get('content-security-policy')).toContain(
      "require-trusted-types-for 'script';trusted-types service-worker",
    );
    expect(headers.get('permissions-policy')).toMatch(/camera=\(\).*geolocation=\(\).*microphone/);
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.get('x-frame-options')).toMatch(/^(SAMEORIGIN|DENY)$/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('strict-transport-security')).toBeNull();
    expect(headers.get('access-control-allow-origin')).toBeNull();
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  }
});

test('the documentation pages load and run only our own files', async () => {
  for (const target of ['/api/docs', '/api/docs/', '/api/platform/docs/']) {
    const { headers } = await app.anonymous.raw('GET', target);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy, target).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self' 'sha256-/,
    );
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(policy).toContain("frame-ancestors 'none'");
  }
});

test('over TLS, replies carry HSTS', async () => {
  const secure = await startTestApp({ config: { publicUrl: 'https://console.example' } });
  const { headers } = await secure.anonymous.raw('GET', '/api/health');
  expect(headers.get('strict-transport-security')).toContain('max-age=31536000');
  await secure.close();
});

test('an unknown path or method is answered in the error shape', async () => {
  for (const [method, target] of [
    ['GET', '/api/nothing'],
    ['DELETE', inbox.path],
    ['GET', '/socket.io'],
    ['POST', '/'],
  ] as const) {
    const reply = await app.anonymous.raw(method, target);
    expect(reply.status, target).toBeGreaterThanOrEqual(400);
    expect(reply.status).toBeLessThan(500);
    if (target !== '/socket.io')
      expect(JSON.parse(reply.text)).toEqual({ error: 'Not found', code: 'not_found' });
  }
});

test.each<[string, string, number, string]>([
  ['broken JSON', '{"first_name":', 400, 'invalid_request'],
  ['no object', '[]', 400, 'invalid_request'],
  ['an own prototype', '{"__proto__":{"first_name":"x"}}', 400, 'invalid_request'],
  ['an own constructor', '{"constructor":{"prototype":{"x":1}}}', 400, 'invalid_request'],
  ['too much', `{"first_name":"${'x'.repeat(300_000)}"}`, 413, 'payload_too_large'],
])('a body with %s is rejected in the error shape', async (_what, body, status, code) => {
  const reply = await app.platform.raw('PUT', `/api/platform/fans/${unique('fan')}`, { body });
  expect(reply.status).toBe(status);
  expect(JSON.parse(reply.text)).toMatchObject({ code, error: expect.any(String) });
});

test.each([
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/xml',
])('a body as %s is rejected, so that no other site can make a browser send it', async (type) => {
  const reply = await app.platform.raw('PUT', `/api/platform/fans/${unique('fan')}`, {
    body: '{"first_name":"x"}',
    headers: { 'content-type': type },
  });
  expect(reply.status).toBe(415);
  expect(JSON.parse(reply.text)).toMatchObject({ code: 'unsupported_media_type' });
});

test('an invalid time is refused as invalid, not as out of range', async () => {
  const query = { start_date: '2026-11-28T00:00:00 02:00' };
  const asked = await staff.client.refused(analyticsOverview, { query });
  expect(asked.fields).toEqual({ start_date: 'Invalid ISO datetime' });
  const body = { payment_reference: 'x', refunded_at: 'yesterday' };
  const reported = await app.platform.refused(recordRefund, { body });
  expect(reported.fields).toEqual({ refunded_at: 'Invalid ISO datetime' });
});

test('a path that can’t be decoded is an invalid request', async () => {
  for (const target of ['/api/messages/admin/conversation/%zz', '/%c0%ae%c0%ae/etc', '/api/%']) {
    const reply = await rawRequest(app.url, {
      path: target,
      headers: { authorization: `Bearer ${staff.token}` },
    });
    expect(reply.status, target).toBe(400);
    expect(JSON.parse(reply.text)).toMatchObject({ code: 'invalid_request' });
  }
});

test('a request with too long headers, or that isn’t HTTP, is rejected in the error shape', async () => {
  const long = await rawRequest(app.url, { path: `${inbox.path}?tag=${'x'.repeat(20_000)}` });
  expect(long.status).toBe(413);
  expect(JSON.parse(long.text)).toMatchObject({ code: 'payload_too_large' });
  const answer = await new Promise<string>((resolve, reject) => {
    const { hostname, port } = new URL(app.url);
    const socket = connect(Number(port), hostname, () => socket.write('HELLO\r\n\r\n'));
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString();
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({
    code: 'invalid_request',
  });
});

test('only bearer credentials are accepted', async () => {
  const wrong = [
    `Basic ${Buffer.from(`x:${staff.token}`).toString('base64')}`,
    staff.token,
    `Bearer ${staff.token} ${staff.token}`,
    'Bearer ',
    `Token ${staff.token}`,
  ];
  for (const authorization of wrong) {
    const reply = await rawRequest(app.url, {
      path: currentAdmin.path,
      headers: { authorization },
    });
    expect(reply.status, authorization).toBe(401);
  }
  const query = await app.anonymous.raw('GET', currentAdmin.path, {
    query: { token: staff.token },
  });
  expect(query.status).toBe(401);
});

/** Blocks all connections to the database, as if PostgreSQL had stopped, or allows them again. */
async function databaseIs(there: boolean, of: TestApp): Promise<void> {
  const url = new URL(of.databaseUrl);
  const name = url.pathname.slice(1);
  url.pathname = '/postgres';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query(`alter database ${name} with allow_connections ${there}`);
  if (!there) {
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1',
      [name],
    );
  }
  await client.end();
}

test('while the database is down the server reports it, keeps everyone signed in, and recovers by itself', async () => {
  const own = await startTestApp();
  const { token, client } = await buildStaff(own);
  const socket = await own.connectSocket(token);
  expect((await own.anonymous.raw('GET', '/api/health')).status).toBe(200);
  await databaseIs(false, own);
  const health = await own.anonymous.raw('GET', '/api/health');
  expect(health.status).toBe(503);
  expect(JSON.parse(health.text)).toMatchObject({ code: 'unavailable' });
  // Not 401, because clients sign out on that.
  expect(await client.refused(inbox)).toMatchObject({ status: 503, code: 'unavailable' });
  expect((await own.refusedHandshake(token)).data).toMatchObject({ code: 'unavailable' });
  socket.socket.emit('send_message', { conversation_id: 'x', content: 'x', tempId: 'temp-1' });
  expect(await socket.nextEvent('message_error')).toMatchObject({
    code: 'unavailable',
    tempId: 'temp-1',
  });
  expect((await own.platform.refused(putFan, { params: { fan: 'x' }, body: {} })).status).toBe(503);

  await databaseIs(true, own);
  await expect.poll(async () => (await own.anonymous.raw('GET', '/api/health')).status).toBe(200);
  expect((await client.call(inbox)).status).toBe(200);
  expect(socket.socket.connected).toBe(true);
  await own.close();
});

test('the metrics count requests by route and open sockets, and name no person', async () => {
  const own = await startTestApp();
  const { client, token, admin } = await buildStaff(own);
  await client.call(inbox);
  await client.raw('GET', `${currentAdmin.path}?secret=hush`);
  await own.connectSocket(token);
  const { text, headers } = await own.anonymous.raw('GET', '/metrics');
  expect(headers.get('content-type')).toContain('text/plain');
  expect(text).toContain(
    `stagedoor_http_request_seconds_count{method="GET",route="${inbox.path}",status="200"} 1`,
  );
  expect(text).toContain('stagedoor_sockets 1');
  for (const secret of [admin.email, admin.id, token, 'hush']) expect(text).not.toContain(secret);
  await own.close();
});

test('API replies are never cached, whether they succeed or fail', async () => {
  const { client } = await buildStaff(app);
  for (const reply of [
    await client.call(inbox),
    await client.call(currentAdmin),
    await app.anonymous.refused(inbox),
    await app.anonymous.raw('GET', '/api/nothing'),
    await app.anonymous.raw('GET', '/api/media/x'),
    await app.anonymous.raw('GET', '/api/health'),
    await app.anonymous.raw('POST', inbox.path, { body: 'no JSON' }),
  ]) {
    expect(reply.headers.get('cache-control')).toBe('no-store');
  }
});

test('files are sent as compressed by the build, to clients that accept it', async () => {
  const webRoot = await mkdtemp(path.join(tmpdir(), 'stagedoor-web-'));
  await mkdir(path.join(webRoot, 'assets'));
  await writeFile(path.join(webRoot, 'index.html'), '<!doctype html><title>Console</title>');
  const script = 'console.log(1);'.repeat(100);
  await writeFile(path.join(webRoot, 'assets', 'app-1234.js'), script);
  await writeFile(path.join(webRoot, 'assets', 'app-1234.js.gz'), gzipSync(script));
  await writeFile(path.join(webRoot, 'assets', 'app-1234.js.br'), brotliCompressSync(script));
  const own = await startTestApp({ webRoot });
  for (const [accepted, encoding] of [
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['identity', null],
  ] as const) {
    const reply = await fetch(`${own.url}/assets/app-1234.js`, {
      headers: { 'accept-encoding': accepted },
    });
    expect(reply.headers.get('content-encoding')).toBe(encoding);
    expect(reply.headers.get('content-type')).toContain('javascript');
    expect(reply.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(reply.headers.get('vary')).toMatch(/accept-encoding/i);
    expect(await reply.text()).toBe(script);
  }
  await own.close();
  await rm(webRoot, { recursive: true });
});

test('the built console is served on all of its paths, and nothing outside its folder', async () => {
  const parent = await mkdtemp(path.join(tmpdir(), 'stagedoor-web-'));
  // The parent has the same name as the folder of the hashed files.
  const root = path.join(parent, 'assets');
  await mkdir(root);
  await writeFile(path.join(root, 'secret.txt'), 'secret');
  const webRoot = path.join(root, 'dist');
  await mkdir(path.join(webRoot, 'assets'), { recursive: true });
  await writeFile(path.join(webRoot, 'index.html'), '<!doctype html><title>Console</title>');
  await writeFile(path.join(webRoot, 'assets', 'app-1234.js'), 'console.log(1)');
  const own = await startTestApp({ webRoot });
  for (const target of [
    '/',
    '/inbox',
    '/inbox/some-id',
    '/messages/x',
    '/login',
    '/anything/else',
  ]) {
    const page = await own.anonymous.raw('GET', target);
    expect(page.status, target).toBe(200);
    expect(page.text).toContain('<title>Console</title>');
    expect(page.headers.get('cache-control')).toBe('no-cache');
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
  }
  const script = await own.anonymous.raw('GET', '/assets/app-1234.js');
  expect(script.headers.get('content-type')).toContain('javascript');
  expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  for (const target of ['/assets/gone.js', '/api/nothing', '/socket.io/x/y', '/dev/mailbox']) {
    const reply = await own.anonymous.raw('GET', target);
    expect(reply.text, target).not.toContain('<title>');
    expect(reply.status).toBeGreaterThanOrEqual(400);
  }
  for (const target of ['//api/nothing', '/API/nothing', '///Api', '/Assets/gone.js']) {
    const reply = await rawRequest(own.url, { path: target });
    expect(reply.status, target).toBe(404);
    expect(JSON.parse(reply.text)).toEqual({ error: 'Not found', code: 'not_found' });
  }
  for (const target of [
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/assets/../../secret.txt',
    '/%2e%2e/secret.txt',
    '//etc/passwd',
  ]) {
    const reply = await rawRequest(own.url, { path: target });
    expect(reply.text, target).not.toContain('secret');
    expect(reply.text).not.toContain('root:');
  }
  await own.close();
  await rm(parent, { recursive: true });
});

test('while closing, the server answers requests that have already arrived', async () => {
  const own = await startTestApp();
  const { client, token } = await buildStaff(own);
  const socket = await own.connectSocket(token);
  const underway = Array.from({ length: 20 }, () => client.raw('GET', inbox.path));
  await Promise.race(underway);
  const closing = own.close();
  const replies = await Promise.allSettled(underway);
  const statuses = replies.flatMap((reply) =>
    reply.status === 'fulfilled' ? reply.value.status : [],
  );
  expect(statuses.length).toBeGreaterThan(0);
  expect(new Set(statuses)).toEqual(new Set([200]));
  await closing;
  await socket.closed;
});
