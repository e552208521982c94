import { type Endpoint, post } from '@stagedoor/contract/endpoint';
import { hexColor, text } from '@stagedoor/contract/primitives';
import { afterAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { AppError } from '../../src/errors.ts';
import { createRouter, type Handler, reply } from '../../src/http/route.ts';
import { createHttpServer } from '../../src/http/server.ts';
import { createLogger } from '../../src/log.ts';
import { fuzzEndpoint } from './campaign.ts';
import type { Target } from './send.ts';

/** Starts a server with a single endpoint, which is broken in some way. */
async function broken<E extends Endpoint>(
  bound: E,
  handler: Handler<E>,
  declared: Endpoint = bound,
  patience?: number,
) {
  const http = await createHttpServer({
    log: createLogger('silent'),
    trustProxy: true,
    secure: false,
    webRoot: null,
  });
  closing.push(() => http.close());
  createRouter(http, {
    admin: async () => null,
    avatarCookie: async () => null,
    platform: async () => false,
    fan: async () => null,
    failed: async () => new AppError('unauthorized'),
    acted: () => undefined,
    changed: () => undefined,
    publicOrigin: null,
  }).bind(bound, handler);
  const target: Target = {
    url: await http.listen({ host: '127.0.0.1', port: 0 }),
    resolve: (given) => given,
    credentials: () => ({}),
    patience,
    secrets: () => ({ always: [TOKEN], toOthers: [EMAIL] }),
  };
  return fuzzEndpoint(target, 'broken', declared, { runs: 300, seed: 42 });
}

const TOKEN = 'a-token-that-nobody-may-see';
const EMAIL = 'someone@staff.example';
const closing: (() => Promise<unknown>)[] = [];
afterAll(() => Promise.all(closing.map((close) => close())));

const paint = post('/api/paint', {
  summary: 'Paints.',
  auth: 'none',
  body: z.strictObject({ color: hexColor, name: text(100), layers: z.optional(z.int()) }),
  replies: { 200: z.object({ said: z.string() }) },
});

test('an endpoint that does what it declares passes', async () => {
  const statuses = await broken(paint, async ({ body }) => reply(200, { said: body.name }));
  // Both valid and invalid inputs reach it.
  expect(statuses.get(200)).toBeGreaterThan(50);
  expect(statuses.get(400)).toBeGreaterThan(50);
});

test('an endpoint that fails on some inputs is caught, with the smallest one and how to repeat it', async () => {
  const failing = broken(paint, async ({ body }) => {
    if ((body.layers ?? 0) > 1_000) throw new Error('the paint is dripping');
    return reply(200, { said: body.name });
  });
  await expect(failing).rejects.toThrow(
    /the server failed[\s\S]*"layers":1001\b[\s\S]*FUZZ_SEED=42[\s\S]*npm run fuzz -- --seed 42/,
  );
});

test.each<[string, string]>([
  ['a token', TOKEN],
  ['staff’s address, to a stranger', EMAIL],
  ['a stack', 'Error: no\n    at paint (/srv/paint.js:10:5)'],
  ['SQL', 'select * from paints where id = $1'],
  ['the database’s words', 'insert violates unique constraint "paints_pkey"'],
])('an endpoint that leaks %s is caught', async (_what, said) => {
  const leaking = broken(paint, async ({ body }) =>
    reply(200, { said: body.layers === undefined ? body.name : said }),
  );
  await expect(leaking).rejects.toThrow(/gives away|shows insides/);
});

test('an endpoint that refuses with an undeclared error is caught', async () => {
  const refusing = broken(paint, async () => {
    throw new AppError('folder_not_found');
  });
  await expect(refusing).rejects.toThrow('an error folder_not_found that it does not declare');
});

test('an endpoint that admits strangers is caught', async () => {
  const handler: Handler<typeof paint> = async ({ body }) => reply(200, { said: body.name });
  const guarded = { ...paint, auth: 'platform' } as const;
  await expect(broken(paint, handler, guarded)).rejects.toThrow('it let in a stranger');
});

test('an endpoint with an undeclared reply is caught', async () => {
  const handler: Handler<typeof paint> = async ({ body }) => reply(200, { said: body.name });
  const other = { ...paint, replies: { 201: z.null() } };
  await expect(broken(paint, handler, other)).rejects.toThrow('a status 200');
  const numbers = { ...paint, replies: { 200: z.object({ said: z.number() }) } };
  await expect(broken(paint, handler, numbers)).rejects.toThrow('not the declared body');
});

test('an endpoint that does not answer is caught', async () => {
  const handler: Handler<typeof paint> = ({ body }) =>
    body.layers === undefined
      ? Promise.resolve(reply(200, { said: body.name }))
      : new Promise(() => {});
  const hanging = broken(paint, handler, paint, 500);
  await expect(hanging).rejects.toThrow('no answer in 500 ms');
});
