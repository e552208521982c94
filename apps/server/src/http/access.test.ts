import type { Endpoint } from '@stagedoor/contract/endpoint';
import { endpoints } from '@stagedoor/contract/endpoints';
import { type ClientEventName, clientEvents } from '@stagedoor/contract/realtime';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { buildConversation, buildStaff, unique } from '../../test/factories.ts';
import { httpClient } from '../../test/http-client.ts';
import { PLATFORM_KEY, startTestApp } from '../../test/test-app.ts';

const app = await startTestApp();
afterAll(() => app.close());
const { id: conversationId, messages, fan } = await buildConversation(app);

/** Who may call: anyone, any admin, one with message privileges, one who manages admins, or the platform. */
type Access = 'anyone' | 'admin' | 'writer' | 'manager' | 'platform';
type EndpointName = keyof typeof endpoints;

/** The one table of who may do what. An endpoint that is missing here does not pass. */
const ACCESS: Record<EndpointName, Access> = {
  requestOtp: 'anyone',
  verifyOtp: 'anyone',
  signOut: 'admin',
  currentAdmin: 'admin',
  listSessions: 'admin',
  revokeSession: 'admin',
  inbox: 'admin',
  myConversations: 'admin',
  inboxStats: 'admin',
  searchConversations: 'admin',
  getConversation: 'admin',
  markRead: 'writer',
  setStatus: 'writer',
  claimConversation: 'writer',
  releaseConversation: 'writer',
  getNotes: 'admin',
  updateNotes: 'admin',
  getTags: 'admin',
  replaceTags: 'admin',
  removeTag: 'admin',
  getAdminFields: 'admin',
  updateAdminFields: 'admin',
  listGlobalTags: 'admin',
  createGlobalTag: 'admin',
  updateGlobalTag: 'admin',
  deleteGlobalTag: 'admin',
  listMessages: 'admin',
  sendMessage: 'writer',
  uploadFiles: 'writer',
  listProducts: 'admin',
  createProduct: 'manager',
  updateProduct: 'manager',
  deleteProduct: 'manager',
  listOffers: 'admin',
  listFolders: 'admin',
  createFolder: 'manager',
  updateFolder: 'manager',
  deleteFolder: 'manager',
  putFan: 'platform',
  postFanMessage: 'platform',
  uploadFanFiles: 'platform',
  recordPurchase: 'platform',
  recordRefund: 'platform',
  listFanMessages: 'platform',
  postFanRead: 'platform',
  postFanReaction: 'platform',
  getCreator: 'platform',
  analyticsOverview: 'manager',
  listSales: 'manager',
  exportAnalytics: 'manager',
};

const EVENT_ACCESS: Record<ClientEventName, Access> = {
  send_message: 'writer',
  toggle_reaction: 'writer',
};

const actors = {
  anonymous: { is: [], credential: async () => null },
  'an unknown token': { is: [], credential: async () => 'A'.repeat(43) },
  'an expired session': {
    is: [],
    credential: async () => {
      const { admin, token } = await buildStaff(app, { role: 'creator' });
      await sql`update sessions set last_used_at = now() - interval '13 hours'
        where admin_id = ${admin.id}`.execute(app.db.kysely);
      return token;
    },
  },
  'a deactivated admin': {
    is: [],
    credential: async () => (await buildStaff(app, { role: 'creator', is_active: false })).token,
  },
  'support without message privileges': {
    is: ['admin'],
    credential: async () => (await buildStaff(app, { can_manage_messages: false })).token,
  },
  'a creator without message privileges': {
    is: ['admin', 'manager'],
    credential: async () =>
      (await buildStaff(app, { role: 'creator', can_manage_messages: false })).token,
  },
  support: {
    is: ['admin', 'writer'],
    credential: async () => (await buildStaff(app, { role: 'support' })).token,
  },
  'a moderator': {
    is: ['admin', 'writer'],
    credential: async () => (await buildStaff(app, { role: 'moderator' })).token,
  },
  'a manager': {
    is: ['admin', 'writer', 'manager'],
    credential: async () => (await buildStaff(app, { role: 'manager' })).token,
  },
  'the creator': {
    is: ['admin', 'writer', 'manager'],
    credential: async () => (await buildStaff(app, { role: 'creator' })).token,
  },
  'the platform': { is: ['platform'], credential: async () => PLATFORM_KEY },
} satisfies Record<string, { is: Access[]; credential: () => Promise<string | null> }>;
type ActorName = keyof typeof actors;
const actorNames = Object.keys(actors) as ActorName[];

/** Refusals for who asks, not for what is asked. */
const DENIALS = new Set(['unauthorized', 'permission_required', 'message_privilege_required']);

function denial(access: Access, actor: ActorName): string | null {
  const is: readonly Access[] = actors[actor].is;
  if (access === 'anyone' || is.includes(access)) return null;
  // An admin is known, and lacks something; all others are not even known here.
  if (!is.includes('admin') || access === 'platform') return 'unauthorized';
  return access === 'writer' ? 'message_privilege_required' : 'permission_required';
}

/** A call of the right shape, so that nothing but who asks can refuse it. */
const body: Partial<Record<EndpointName, unknown>> = {
  requestOtp: { email: 'nobody@staff.example' },
  verifyOtp: { email: 'nobody@staff.example', code: '000000' },
  setStatus: { status: 'archived' },
  updateNotes: { notes: 'x' },
  replaceTags: { tags: [] },
  updateAdminFields: { admin_notes: 'x' },
  createGlobalTag: { label: 'x' },
  updateGlobalTag: { label: 'x' },
  updateProduct: { title: 'x' },
  createFolder: { name: 'x' },
  updateFolder: { name: 'x' },
  sendMessage: { conversation_id: conversationId, content: 'x' },
  putFan: {},
  postFanMessage: { client_id: '1', content: 'x' },
  recordPurchase: {
    fan: fan.external_id,
    message_id: messages[0]?.id,
    attachment_id: conversationId,
    amount: 1,
    payment_reference: '1',
  },
  recordRefund: { payment_reference: '1' },
  postFanRead: { up_to_message_id: messages[0]?.id },
  postFanReaction: { message_id: messages[0]?.id, emoji: '🔥' },
};
const query: Partial<Record<EndpointName, Record<string, string>>> = {
  searchConversations: { q: 'xy' },
  exportAnalytics: { report: 'sales' },
};
const pathOf = ({ path }: Endpoint) =>
  path.replace('{fan}', fan.external_id).replace(/\{(id|tagId|customerId)\}/g, conversationId);

const names = Object.keys(endpoints) as EndpointName[];

describe.each(names)('%s', (name) => {
  const endpoint: Endpoint = endpoints[name];
  test.each(actorNames)('lets in, or refuses, %s as the table says', async (actor) => {
    const client = httpClient(app.url, await actors[actor].credential());
    const reply = await client.raw(endpoint.method, pathOf(endpoint), {
      body: body[name],
      ...(query[name] && { query: query[name] }),
    });
    const isFile = endpoint.download !== undefined && reply.status === 200;
    const code = isFile ? null : ((JSON.parse(reply.text) as { code?: string }).code ?? null);
    const expected = denial(ACCESS[name], actor);
    expect(code !== null && DENIALS.has(code) ? code : null, reply.text).toBe(expected);
    if (expected !== null) expect(reply.status).toBe(expected === 'unauthorized' ? 401 : 403);
    else expect(reply.status).toBeLessThan(500);
  });

  test('refuses a stranger before it looks at the request', async () => {
    if (endpoint.auth === 'none') return;
    const reply = await app.anonymous.raw(endpoint.method, pathOf(endpoint), {
      ...(endpoint.method !== 'GET' && { body: '{"broken' }),
      query: { limit: 'nonsense' },
    });
    expect(reply.status).toBe(401);
  });
});

test('every endpoint has its line in the table', () => {
  expect(Object.keys(ACCESS).toSorted()).toEqual(names.toSorted());
  expect(Object.keys(EVENT_ACCESS).toSorted()).toEqual(Object.keys(clientEvents).toSorted());
});

describe.each(Object.keys(clientEvents) as ClientEventName[])('event %s', (event) => {
  test.each(actorNames)('is taken from, or refused to, %s as the table says', async (actor) => {
    const token = (await actors[actor].credential()) ?? undefined;
    const is: readonly Access[] = actors[actor].is;
    if (!is.includes('admin')) {
      const refusal = await app.refusedHandshake(token);
      expect(refusal.data).toMatchObject({ code: 'unauthorized' });
      return;
    }
    const socket = await app.connectSocket(token ?? '');
    const tempId = unique('temp');
    const payloads = {
      send_message: { conversation_id: conversationId, content: 'x', tempId },
      toggle_reaction: {
        conversation_id: conversationId,
        message_id: messages[0]?.id ?? '',
        emoji: '🔥',
      },
    } as const;
    if (event === 'send_message') socket.socket.emit('send_message', payloads.send_message);
    else socket.socket.emit('toggle_reaction', payloads.toggle_reaction);
    const expected = denial(EVENT_ACCESS[event], actor);
    if (expected !== null) {
      expect(await socket.nextEvent('message_error')).toMatchObject({ code: expected });
    } else if (event === 'send_message') await socket.nextEvent('message_sent');
    else await socket.nextEvent('reaction_toggled');
    socket.close();
  });
});
