import type { Endpoint } from '@stagedoor/contract/endpoint';
import { getFanHome } from '@stagedoor/contract/platform/fan-app';
import { getCreator } from '@stagedoor/contract/platform/platform';
import { currentAdmin } from '@stagedoor/contract/team/auth';
import { Manager } from 'socket.io-client';
import { expect, test } from 'vitest';
import { buildStaff } from '../../test/factories.ts';
import { httpClient } from '../../test/http-client.ts';
import { PLATFORM_KEY, sharedApp } from '../../test/test-app.ts';
import { until } from '../../test/until.ts';
import { signInFan } from '../../test/worlds/fan-world.ts';

/** Failed credentials allowed per address and minute. */
const ALLOWED = 100;

const app = await sharedApp({ config: { trustProxy: true } });

let clients = 0;
/** Returns the header of a client address that no other test uses. */
const newClient = () => ({ 'x-forwarded-for': `10.9.0.${++clients}` });
type Client = ReturnType<typeof newClient>;

const KINDS: readonly Endpoint[] = [currentAdmin, getFanHome, getCreator];
const call = ({ path }: Endpoint, credential: string, headers: Client) =>
  httpClient(app.url, credential).raw('GET', path, { headers });

/** Sends this many wrong credentials of all kinds. @returns the statuses */
async function fail(times: number, headers: Client): Promise<Set<number>> {
  const attempt = (_: unknown, index: number) =>
    call(KINDS[index % KINDS.length] ?? currentAdmin, `wrong-${index}`, headers);
  const replies = await Promise.all(Array.from({ length: times }, attempt));
  return new Set(replies.map(({ status }) => status));
}

test('an address with too many wrong credentials gets 429, while its valid ones keep working', async () => {
  const [eager, other] = [newClient(), newClient()];
  const [staff, fan] = [await buildStaff(app), await signInFan(app)];
  expect(await fail(ALLOWED, eager)).toEqual(new Set([401]));
  for (const endpoint of KINDS) {
    const refusal = await call(endpoint, 'wrong', eager);
    expect(refusal.status).toBe(429);
    expect(JSON.parse(refusal.text)).toMatchObject({ code: 'rate_limited' });
    const wait = Number(refusal.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
  }
  expect((await call(currentAdmin, staff.token, eager)).status).toBe(200);
  expect((await call(getFanHome, fan.token, eager)).status).toBe(200);
  expect((await call(getCreator, PLATFORM_KEY, eager)).status).toBe(200);
  expect((await call(currentAdmin, 'wrong', other)).status).toBe(401);
});

test('wrong credentials on sockets and in calls are counted together', async () => {
  const [extraHeaders, other] = [newClient(), newClient()];
  const [staff, fan] = [await buildStaff(app), await signInFan(app)];
  await fail(ALLOWED - 2, extraHeaders);
  const refusals = [app.refusedHandshake, app.refusedFanHandshake];
  for (const refused of refusals) {
    const { data } = await refused('wrong', { extraHeaders });
    expect(data).toMatchObject({ code: 'unauthorized' });
  }
  for (const refused of refusals) {
    const { data } = await refused('wrong', { extraHeaders });
    expect(data).toMatchObject({ code: 'rate_limited', retry_after: expect.any(Number) });
  }
  await app.connectSocket(staff.token, { extraHeaders });
  await app.connectFanSocket(fan.token, { extraHeaders });
  expect((await app.refusedHandshake('wrong', { extraHeaders: other })).data).toMatchObject({
    code: 'unauthorized',
  });
});

test('a connection that keeps sending CONNECT packets is closed', async () => {
  const manager = new Manager(app.url, {
    transports: ['websocket'],
    reconnection: false,
    autoConnect: false,
    extraHeaders: newClient(),
  });
  let answers = 0;
  let isClosed = false;
  await new Promise<void>((resolve, reject) => {
    manager.open((error) => (error ? reject(error) : resolve()));
  });
  manager.engine.on('data', () => answers++);
  manager.engine.on('close', () => {
    isClosed = true;
  });
  for (let sent = 0; sent < 3 * ALLOWED; sent++) manager.engine.write('0{"token":"wrong"}');
  await until('the connection closed', () => isClosed);
  // Packets that the server had already read were answered.
  expect(answers).toBeGreaterThanOrEqual(ALLOWED);
});
