import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { endpoints } from '@stagedoor/contract/endpoints';
import { ErrorReply } from '@stagedoor/contract/errors';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { campaign, explore } from '../../test/fuzz/campaign.ts';
import { type FuzzReply, send, type Target } from '../../test/fuzz/send.ts';
import { hostileText } from '../../test/fuzz/values.ts';
import { sharedApp } from '../../test/test-app.ts';
import { developmentMailbox } from '../mail/development-mailbox.ts';

const root = await mkdtemp(path.join(tmpdir(), 'stagedoor-pages-'));
for (const client of ['web', 'fan']) {
  await mkdir(path.join(root, client));
  await writeFile(path.join(root, client, 'index.html'), '<!doctype html><title>Page</title>');
}
const mailbox = developmentMailbox();
afterAll(() => rm(root, { recursive: true }));
const app = await sharedApp({
  webRoot: path.join(root, 'web'),
  fanRoot: path.join(root, 'fan'),
  mailer: mailbox,
  payments: { secretKey: 'sk_test_routes', webhookSecret: 'whsec_routes' },
});

/** All routes besides the contract's endpoints, with a stranger's request and its status. */
const OTHERS: Readonly<Record<string, { readonly ask: string; readonly status: number }>> = {
  'GET /api/media/*': { ask: '/api/media/x', status: 403 },
  'GET /api/avatars/:name': { ask: '/api/avatars/x', status: 404 },
  'GET /api/health': { ask: '/api/health', status: 200 },
  'GET /metrics': { ask: '/metrics', status: 200 },
  'POST /api/payments/stripe': { ask: '/api/payments/stripe', status: 400 },
  // Only for local programs that know the path; the test is one.
  'GET /dev/mailbox/:key': { ask: mailbox.path, status: 200 },
  'GET /dev/mailbox/:key/style.css': { ask: `${mailbox.path}/style.css`, status: 200 },
  'GET /invite/:token': { ask: '/invite/x', status: 302 },
  'GET /fan': { ask: '/fan', status: 302 },
  'GET /fan/*': { ask: '/fan/', status: 200 },
  'GET /fan/index.html': { ask: '/fan/index.html', status: 200 },
};
const DOCUMENTATION = /^(GET|HEAD) \/api\/(platform\/)?docs(\/|$)/;

test('the only routes are the contract’s endpoints and those listed here', () => {
  const declared = Object.values(endpoints).map(
    (endpoint) => `${endpoint.method} ${endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
  );
  const listed = new Set([...declared, ...Object.keys(OTHERS)]);
  const unlisted = [...app.app.routes].filter(
    (route) => !DOCUMENTATION.test(route) && !listed.has(route.replace(/^HEAD /, 'GET ')),
  );
  expect(unlisted).toEqual([]);
  expect([...listed].filter((route) => !app.app.routes.has(route))).toEqual([]);
});

test.each(Object.entries(OTHERS))('%s answers a stranger as it should', async (route, expected) => {
  const method = route.split(' ')[0] ?? '';
  const reply = await app.anonymous.raw(method, expected.ask, {
    ...(method === 'POST' && { body: '{}' }),
  });
  expect(reply.status, reply.text).toBe(expected.status);
});

const target: Target = {
  url: app.url,
  resolve: (text) => text,
  credentials: () => ({}),
  secrets: () => ({ always: [], toOthers: [] }),
};
const encoded = hostileText.map((text) =>
  encodeURIComponent(text.replaceAll(/\p{Cs}/gu, '?')).slice(0, 4_000),
);
/** Arbitrary texts in place of a link, name or token: encoded, token-like, and raw. */
const anyName = fc.oneof(
  encoded,
  fc.base64String({ maxLength: 200 }).map((text) => text.replaceAll(/[+/=]/g, '_')),
  fc.tuple(encoded, encoded).map(([one, two]) => `${one}.${two}`),
  fc.constantFrom('..%2f..%2fsecret', '%2e%2e/x', '%00', '%zz', 'A'.repeat(43), '.', ''),
);
const anyHeaders = fc.dictionary(
  fc.constantFrom(
    'range',
    'if-none-match',
    'if-range',
    'cookie',
    'authorization',
    'accept',
    'stripe-signature',
  ),
  fc.oneof(
    fc.constantFrom(
      'bytes=0-',
      'bytes=-1',
      'bytes=1-0,5-',
      '*',
      't=1,v1=00',
      't=,v1=',
      'stagedoor_media=x',
    ),
    hostileText.map((text) => text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 2_000)),
  ),
  { maxKeys: 3 },
);
const anyBody = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc.json().map((text) => Buffer.from(text)),
  fc.constantFrom(Buffer.from('{"type":"checkout.session.completed"}'), Buffer.alloc(300_000, 65)),
);

/** Returns what is wrong with a reply; null if nothing is. */
function faultOf({ status, type, text }: FuzzReply): string | null {
  if (status >= 500) return 'the server failed';
  if (status >= 400) {
    return ErrorReply.safeParse(JSON.parse(text)).success ? null : 'no error body';
  }
  return type.includes('html') && text.includes('alert(') ? 'it repeats markup' : null;
}

test.each([
  ['GET', '/api/media/'],
  ['GET', '/api/avatars/'],
  ['GET', '/invite/'],
  ['GET', '/fan/'],
  ['POST', '/api/payments/stripe'],
])(
  'any input to %s %s gets a valid reply',
  { timeout: 60_000 + campaign.runs * 500 },
  async (method, prefix) => {
    const inputs = fc.record({ name: anyName, headers: anyHeaders, body: anyBody });
    await explore(prefix, inputs, campaign, async ({ name, headers, body }) => {
      const post = method === 'POST';
      const length = { 'content-type': 'application/json', 'content-length': String(body.length) };
      const reply = await send(target, method, {
        path: post ? prefix : `${prefix}${name}`,
        headers: { ...headers, ...(post && length) },
        body: post ? body : null,
      });
      return faultOf(reply);
    });
    expect((await app.anonymous.raw('GET', '/api/health')).status).toBe(200);
  },
);
