import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createFanSession } from '@stagedoor/contract/platform/platform';
import { afterAll, expect, test } from 'vitest';
import { buildFan } from '../../../test/factories.ts';
import { rawRequest } from '../../../test/raw-request.ts';
import { startTestApp } from '../../../test/test-app.ts';
import { openInviteDesk } from '../../../test/worlds/invites.ts';

const root = await mkdtemp(path.join(tmpdir(), 'stagedoor-clients-'));
const FILES = {
  'web/index.html': '<!doctype html><title>Console</title>',
  'fan/index.html': '<!doctype html><title>Fan client</title>',
  'fan/assets/app-1234.js': 'console.log(1)',
  'fan/sw.js': 'console.log(2)',
  'fan/embed.js': 'console.log(3)',
  'fan/manifest.webmanifest': '{}',
  'secret.txt': 'secret',
};
for (const [name, content] of Object.entries(FILES)) {
  await mkdir(path.dirname(path.join(root, name)), { recursive: true });
  await writeFile(path.join(root, name), content);
}
const app = await startTestApp({
  webRoot: path.join(root, 'web'),
  fanRoot: path.join(root, 'fan'),
});
const bare = await startTestApp({ webRoot: path.join(root, 'web') });
afterAll(async () => {
  await Promise.all([app.close(), bare.close()]);
  await rm(root, { recursive: true });
});

const get = (target: string) => app.anonymous.raw('GET', target);
const framing = ({ headers }: { headers: Headers }) => ({
  ancestors: /frame-ancestors ([^;]*)/.exec(headers.get('content-security-policy') ?? '')?.[1],
  options: headers.get('x-frame-options'),
  resource: headers.get('cross-origin-resource-policy'),
});
const CLOSED = { ancestors: "'none'", options: 'DENY', resource: 'same-origin' };

/** Returns the URL of a session link. */
async function sessionUrl(embedOrigin?: string): Promise<URL> {
  const { external_id } = await buildFan(app);
  const { body } = await app.platform.call(createFanSession, {
    params: { fan: external_id },
    body: embedOrigin === undefined ? null : { embed_origin: embedOrigin },
  });
  return new URL(body.data.url);
}
const open = ({ pathname, search }: URL) => get(pathname + search);

test('every path below /fan/ that is not a file returns the fan client’s page', async () => {
  for (const target of ['/fan/', '/fan/?x=1', '/fan/welcome', '/fan/a/b', '/fan/index.html']) {
    const page = await get(target);
    expect(page.status, target).toBe(200);
    expect(page.text).toContain('<title>Fan client</title>');
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.headers.get('cache-control')).toBe('no-cache');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(framing(page)).toEqual(CLOSED);
  }
  const head = await rawRequest(app.url, { method: 'HEAD', path: '/fan/welcome' });
  expect([head.status, head.text]).toEqual([200, '']);
});

test('files with a hash in their name are cached forever, others are revalidated', async () => {
  const script = await get('/fan/assets/app-1234.js');
  expect(script.headers.get('content-type')).toContain('javascript');
  expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  for (const target of ['/fan/sw.js', '/fan/manifest.webmanifest', '/fan/embed.js']) {
    const { status, headers } = await get(target);
    expect([status, headers.get('cache-control')], target).toEqual([200, 'no-cache']);
  }
});

test('assets of other builds and files outside the folder are not served', async () => {
  const gone = await get('/fan/assets/gone.js');
  expect(gone.status).toBe(404);
  expect(JSON.parse(gone.text)).toMatchObject({ code: 'not_found' });
  for (const target of [
    '/fan/../secret.txt',
    '/fan/..%2f..%2fsecret.txt',
    '/fan/%2e%2e/secret.txt',
  ]) {
    expect((await rawRequest(app.url, { path: target })).text, target).not.toContain('secret');
  }
  expect((await app.anonymous.raw('POST', '/fan/')).status).toBe(404);
});

test('the console is still served elsewhere, and /fan redirects to /fan/', async () => {
  expect((await get('/fans')).text).toContain('<title>Console</title>');
  const short = await get('/fan?embed=x');
  expect([short.status, short.headers.get('location')]).toEqual([302, '/fan/?embed=x']);
});

test('its pages load and run only our own resources', async () => {
  const policy = (await get('/fan/')).headers.get('content-security-policy') ?? '';
  expect(policy.split(';').toSorted()).toEqual(
    [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "font-src 'self'",
      "img-src 'self' data: blob:",
      "media-src 'self' blob:",
      "connect-src 'self'",
      "manifest-src 'self'",
      "worker-src 'self'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      'trusted-types service-worker',
    ].toSorted(),
  );
});

test('a session link allows embedding by exactly the origin that the platform named', async () => {
  const url = await sessionUrl('https://fans.example');
  expect(framing(await open(url))).toEqual({
    ancestors: 'https://fans.example',
    options: null,
    resource: 'cross-origin',
  });
  expect(framing(await open(await sessionUrl()))).toEqual(CLOSED);
});

test('an embedding without a signature, or signed for another origin, is not allowed', async () => {
  const url = await sessionUrl('https://fans.example');
  const embed = url.searchParams.get('embed') ?? '';
  const [, signature] = embed.split(' ');
  const forged = [
    'https://fans.example',
    `https://evil.example ${signature}`,
    `https://fans.example https://evil.example ${signature}`,
    `${embed} https://evil.example`,
    `${embed};script-src *`,
    `* ${signature}`,
    ` ${signature}`,
    '',
  ];
  for (const parameter of forged) {
    const page = await get(`/fan/?embed=${encodeURIComponent(parameter)}`);
    expect(framing(page), parameter).toEqual(CLOSED);
  }
  const twice = `/fan/?embed=${encodeURIComponent(embed)}&embed=${encodeURIComponent(embed)}`;
  expect(framing(await get(twice))).toEqual(CLOSED);
});

test('other sites may load the embed script and no other file', async () => {
  expect(framing(await get('/fan/embed.js')).resource).toBe('cross-origin');
  for (const target of ['/fan/sw.js', '/fan/assets/app-1234.js', '/fan/']) {
    expect(framing(await get(target)).resource, target).toBe('same-origin');
  }
});

test('an invitation’s link redirects to the welcome page, and opening it changes nothing', async () => {
  const { invited, find } = await openInviteDesk(app);
  const { email, token } = await invited();
  for (const method of ['GET', 'HEAD', 'GET']) {
    const reply = await app.anonymous.raw(method, `/invite/${token}`);
    expect(reply.status).toBe(302);
    expect(reply.headers.get('location')).toBe(`/fan/welcome#invite=${token}`);
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect(reply.headers.get('x-robots-tag')).toBe('noindex, nofollow');
    expect(reply.text).toBe('');
  }
  expect(await find(email)).toMatchObject({ state: 'sent', opened_at: null });
});

test('any text in place of a token stays behind the #', async () => {
  for (const token of ['%23x', 'a%2fb', '%0d%0aX-Evil:%201', '%2e%2e']) {
    const { headers } = await rawRequest(app.url, { path: `/invite/${token}` });
    expect(String(headers.location), token).toMatch(/^\/fan\/welcome#invite=[\w.%-]+$/);
  }
});

test('without a built fan client its paths and invitation links are not found', async () => {
  for (const target of ['/fan', '/fan/', '/fan/welcome', '/fan/embed.js', '/invite/x']) {
    const reply = await bare.anonymous.raw('GET', target);
    expect(reply.status, target).toBe(404);
    expect(JSON.parse(reply.text)).toMatchObject({ code: 'not_found' });
  }
});
