import type { Endpoint } from '@stagedoor/contract/endpoint';
import { endpoints } from '@stagedoor/contract/endpoints';
import { getFanHome, listOwnMessages } from '@stagedoor/contract/platform/fan-app';
import { expect, test } from 'vitest';
import { buildConversation, buildStaff, type Staff } from '../../test/factories.ts';
import { fetchFile, uploadAsStaff } from '../../test/files.ts';
import { httpClient, type RawReply } from '../../test/http-client.ts';
import { sharedApp } from '../../test/test-app.ts';
import { buildPicture } from '../../test/worlds/catalogue.ts';
import { type SignedInFan, signInFan } from '../../test/worlds/fan-world.ts';

const app = await sharedApp();

/** Returns a bearer token and a cookie of someone who may call the endpoint. */
async function credentialsFor({ auth }: Endpoint) {
  if (auth === 'fan') return { bearer: (await signInFan(app)).token, cookie: undefined };
  if (auth === 'none') return { bearer: null, cookie: undefined };
  const { token, avatarCookie } = await buildStaff(app, { role: 'creator' });
  const byCookie = auth === 'avatar_cookie';
  return { bearer: byCookie ? null : token, cookie: byCookie ? avatarCookie : undefined };
}

/** Calls an endpoint with an invalid body, or for something that doesn't exist. */
async function ask(endpoint: Endpoint): Promise<RawReply> {
  const { bearer, cookie } = await credentialsFor(endpoint);
  const path = endpoint.path.replaceAll(/\{\w+\}/g, 'nothing');
  const body = endpoint.method === 'GET' ? undefined : '[]';
  return httpClient(app.url, bearer).raw(endpoint.method, path, { body, headers: { cookie } });
}

// The platform imports all its fans at once, and is trusted because of its key.
const limited = Object.entries(endpoints).filter(([, { auth }]) => auth !== 'platform');

test.each(limited)('%s has a rate limit', async (_name, endpoint) => {
  const { headers } = await ask(endpoint);
  const max = Number(headers.get('x-ratelimit-limit'));
  expect(max).toBeGreaterThan(0);
  expect(max).toBeLessThanOrEqual(endpoint.auth === 'none' ? 1_200 : 3_000);
});

test('too many calls get an error with a retry time, and other callers don’t', async () => {
  // Calls are counted before they are validated.
  const wrong = ({ client }: SignedInFan) =>
    client.raw('GET', listOwnMessages.path, { query: { limit: 'nonsense' } });
  const [eager, other] = [await signInFan(app), await signInFan(app)];
  const replies: RawReply[] = [];
  while (replies.at(-1)?.status !== 429 && replies.length < 1_000) {
    const batch = Array.from({ length: 50 }, () => wrong(eager));
    replies.push(...(await Promise.all(batch)).toSorted((a, b) => a.status - b.status));
  }
  const refusal = replies.at(-1);
  expect(refusal?.status).toBe(429);
  expect(JSON.parse(refusal?.text ?? '')).toEqual({
    error: expect.any(String),
    code: 'rate_limited',
  });
  const wait = Number(refusal?.headers.get('retry-after'));
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(60);
  expect((await wrong(other)).status).toBe(400);
  // Another endpoint has its own count.
  expect((await eager.client.call(getFanHome)).status).toBe(200);
});

test('each staff session has its own limit', async () => {
  const left = async ({ client }: Staff) =>
    Number((await client.raw('GET', endpoints.inbox.path)).headers.get('x-ratelimit-remaining'));
  const eager = await buildStaff(app);
  const many = await Promise.all(Array.from({ length: 10 }, () => left(eager)));
  expect(new Set(many).size).toBeGreaterThan(1);
  expect(await left(await buildStaff(app))).toBe(Math.max(...many));
});

test('file links and the creator’s picture have a rate limit', async () => {
  const { id } = await buildConversation(app);
  const file = { data: await buildPicture(), filename: 'a.png' };
  const [picture] = await uploadAsStaff(await buildStaff(app), id, file);
  const { headers } = await fetchFile(app, picture?.url);
  expect(headers.get('x-ratelimit-limit')).toBe('600');
  const avatar = await fetchFile(app, `/api/avatars/${'A'.repeat(43)}`);
  expect(avatar.headers.get('x-ratelimit-limit')).toBe('1200');
});
