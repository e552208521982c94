import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createPlatformClient, PlatformError } from './client.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Starts a server that sends these responses in turn, then keeps repeating the last one, and a client for it. */
async function scripted(...answers: [Answer, ...Answer[]]) {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const answer = answers[Math.min(bodies.push(body), answers.length) - 1] ?? answers[0];
      answer(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return { bodies, url, client: createPlatformClient({ url, key: 'the-secret-key' }) };
}

const json =
  (status: number, body: object, headers: Record<string, string> = {}): Answer =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
const sent = json(201, { data: { id: 'm1' } });
const busy = json(503, { error: 'Later', code: 'unavailable' });
const broken: Answer = (request) => request.socket.destroy();
const silent: Answer = () => undefined;

test('a message whose response was lost is retried with the same client_id', async () => {
  const { client, bodies } = await scripted(broken, busy, sent);
  expect(await client.sendMessage('ana', { content: 'Hi' })).toEqual({ id: 'm1' });
  expect(bodies).toHaveLength(3);
  expect(new Set(bodies).size).toBe(1);
  expect(JSON.parse(bodies[0] ?? '')).toMatchObject({
    content: 'Hi',
    client_id: expect.anything(),
  });
});

test('a reaction whose response was lost is not retried, because that could remove it', async () => {
  const { client, bodies } = await scripted(broken);
  await expect(client.react('ana', 'm1', '🔥')).rejects.toMatchObject({
    code: 'network',
    status: null,
  });
  expect(bodies).toHaveLength(1);
});

test('a rate-limited call is retried after the server’s Retry-After', async () => {
  const limited = json(429, { error: 'Wait', code: 'rate_limited' }, { 'retry-after': '1' });
  const { client, bodies } = await scripted(limited, json(200, { data: { action: 'added' } }));
  const started = performance.now();
  expect(await client.react('ana', 'm1', '🔥')).toEqual({ action: 'added' });
  expect(performance.now() - started).toBeGreaterThan(900);
  expect(bodies).toHaveLength(2);
});

test('a call fails immediately if the server asks to wait an hour', async () => {
  const limited = json(429, { error: 'Wait', code: 'rate_limited' }, { 'retry-after': '3600' });
  const { client, bodies } = await scripted(limited);
  await expect(client.getCreator()).rejects.toMatchObject({
    code: 'rate_limited',
    retryAfter: 3600,
  });
  expect(bodies).toHaveLength(1);
});

test('a refusal throws an error with its code, status and fields, and without the key', async () => {
  const refusal = {
    error: 'The request is not valid',
    code: 'invalid_request',
    fields: { content: 'Too long' },
  };
  const { client, bodies } = await scripted(json(400, refusal, { 'x-request-id': 'r-1' }));
  const error = await client
    .sendMessage('ana', { content: 'x' })
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(PlatformError);
  expect(error).toMatchObject({
    message: 'The request is not valid',
    code: 'invalid_request',
    status: 400,
    fields: { content: 'Too long' },
    requestId: 'r-1',
  });
  expect(JSON.stringify(error) + String(error)).not.toContain('the-secret-key');
  expect(bodies).toHaveLength(1);
});

test('an erasure succeeds if its first response was lost', async () => {
  const gone = json(404, { error: 'Fan not found', code: 'fan_not_found' });
  await (await scripted(broken, gone)).client.eraseFan('ana');
  await expect((await scripted(gone)).client.eraseFan('ana')).rejects.toMatchObject({
    code: 'fan_not_found',
  });
});

test('a response that isn’t from Stagedoor gets its own error', async () => {
  const page: Answer = (_request, response) => response.writeHead(404).end('<h1>Nothing here</h1>');
  const { client } = await scripted(page);
  await expect(client.getCreator()).rejects.toMatchObject({
    code: 'unexpected_reply',
    status: 404,
  });
});

test('a call without a response times out', async () => {
  const { url } = await scripted(silent);
  const client = createPlatformClient({ url, key: 'key', timeoutMs: 50, retries: 1 });
  await expect(client.getCreator()).rejects.toMatchObject({ code: 'timeout' });
});

test('an aborted call throws the reason of its signal, even between two attempts', async () => {
  const reason = new Error('the fan has left');
  for (const answer of [silent, json(503, {}, { 'retry-after': '30' })]) {
    const { client, bodies } = await scripted(answer);
    const abort = new AbortController();
    const call = client.getCreator({ signal: abort.signal });
    await expect.poll(() => bodies).toHaveLength(1);
    abort.abort(reason);
    await expect(call).rejects.toBe(reason);
    expect(bodies).toHaveLength(1);
  }
});

test('with retries: 0, each call is made once', async () => {
  const { url, bodies } = await scripted(busy);
  const client = createPlatformClient({ url, key: 'key', retries: 0 });
  await expect(client.getCreator()).rejects.toMatchObject({ code: 'unavailable' });
  expect(bodies).toHaveLength(1);
});
