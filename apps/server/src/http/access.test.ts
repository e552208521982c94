import type { Endpoint } from '@stagedoor/contract/endpoint';
import { endpoints } from '@stagedoor/contract/endpoints';
import { endFanSession, openFanSession } from '@stagedoor/contract/platform/fan-app';
import { createFanSession } from '@stagedoor/contract/platform/platform';
import { createPlatformKey, revokePlatformKey } from '@stagedoor/contract/platform/platform-keys';
import { type ClientEventName, clientEvents } from '@stagedoor/contract/realtime';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { buildConversation, buildFan, buildStaff, unique } from '../../test/factories.ts';
import { httpClient, type RawReply } from '../../test/http-client.ts';
import { PLATFORM_KEY, sharedApp } from '../../test/test-app.ts';
import { signInFan } from '../../test/worlds/fan-world.ts';

// Calls come from different addresses, so that their wrong credentials aren't counted together.
const app = await sharedApp({ config: { trustProxy: true } });
let callers = 0;
const newCaller = () => ({ 'x-forwarded-for': `10.0.${(++callers >> 8) & 255}.${callers & 255}` });
const { id: conversationId, messages, fan } = await buildConversation(app);

/** Who may call: anyone, any admin, one who may send, one who manages admins, one who may do both, the platform, payroll, or a fan. */
type Access =
  | 'anyone'
  | 'admin'
  | 'writer'
  | 'manager'
  | 'mass writer'
  | 'platform'
  | 'payroll'
  | 'fan';
type EndpointName = keyof typeof endpoints;

/** The full table of permissions. An endpoint that is missing here fails the test. */
const ACCESS: Record<EndpointName, Access> = {
  requestOtp: 'anyone',
  verifyOtp: 'anyone',
  signOut: 'admin',
  currentAdmin: 'admin',
  listSessions: 'admin',
  revokeSession: 'admin',
  startPasskeySignIn: 'anyone',
  finishPasskeySignIn: 'anyone',
  startPasskeyEnrolment: 'anyone',
  finishPasskeyEnrolment: 'anyone',
  listPasskeys: 'admin',
  startPasskeyAddition: 'admin',
  addPasskey: 'admin',
  renamePasskey: 'admin',
  removePasskey: 'admin',
  startPasskeyConfirmation: 'admin',
  confirmByPasskey: 'admin',
  inbox: 'admin',
  myConversations: 'admin',
  inboxStats: 'admin',
  searchConversations: 'admin',
  searchMessages: 'admin',
  getConversation: 'admin',
  markRead: 'writer',
  setStatus: 'writer',
  claimConversation: 'writer',
  assignConversation: 'writer',
  releaseConversation: 'writer',
  nextConversation: 'writer',
  markUnread: 'writer',
  snooze: 'writer',
  unsnooze: 'writer',
  listPins: 'admin',
  pin: 'admin',
  unpin: 'admin',
  bulk: 'writer',
  listViews: 'admin',
  listShifts: 'admin',
  createShift: 'manager',
  updateShift: 'manager',
  deleteShift: 'manager',
  clockIn: 'admin',
  clockOut: 'admin',
  shiftNow: 'admin',
  shiftFigures: 'admin',
  listFigureMessages: 'admin',
  askForTime: 'admin',
  grantTime: 'manager',
  saveView: 'admin',
  deleteView: 'admin',
  getNotes: 'admin',
  updateNotes: 'admin',
  getTags: 'admin',
  replaceTags: 'admin',
  removeTag: 'admin',
  getAdminFields: 'admin',
  updateAdminFields: 'admin',
  getFanFacts: 'admin',
  replaceFanLanguages: 'writer',
  listFanOffers: 'admin',
  listTips: 'admin',
  listStatements: 'admin',
  createStatement: 'admin',
  updateStatement: 'admin',
  deleteStatement: 'admin',
  listPromises: 'admin',
  listGlobalTags: 'admin',
  createGlobalTag: 'admin',
  updateGlobalTag: 'admin',
  deleteGlobalTag: 'admin',
  listMessages: 'admin',
  sendMessage: 'writer',
  unsendMessage: 'writer',
  listStaffNotes: 'admin',
  createStaffNote: 'admin',
  updateStaffNote: 'admin',
  deleteStaffNote: 'admin',
  listTeammates: 'admin',
  listMentions: 'admin',
  readMentions: 'admin',
  getShift: 'admin',
  handOver: 'writer',
  listHandovers: 'admin',
  acceptHandover: 'admin',
  getNotificationSettings: 'admin',
  updateNotificationSettings: 'admin',
  subscribeToPush: 'admin',
  unsubscribeFromPush: 'admin',
  listDrafts: 'admin',
  discardDrafts: 'admin',
  getDraft: 'admin',
  saveDraft: 'admin',
  discardDraft: 'admin',
  uploadFiles: 'writer',
  listTemplates: 'admin',
  createTemplate: 'writer',
  updateTemplate: 'writer',
  deleteTemplate: 'writer',
  noteTemplateUse: 'writer',
  uploadTemplateFiles: 'writer',
  takeTemplateFile: 'writer',
  listScheduledIn: 'admin',
  listScheduled: 'admin',
  scheduleMessage: 'writer',
  updateScheduled: 'writer',
  cancelScheduled: 'writer',
  sendScheduledNow: 'writer',
  getGuardRails: 'admin',
  updateGuardRails: 'manager',
  listProducts: 'admin',
  createProduct: 'manager',
  updateProduct: 'manager',
  deleteProduct: 'manager',
  listOffers: 'admin',
  listFolders: 'admin',
  createFolder: 'manager',
  updateFolder: 'manager',
  deleteFolder: 'manager',
  listSegments: 'admin',
  createSegment: 'manager',
  updateSegment: 'manager',
  deleteSegment: 'manager',
  previewSegment: 'admin',
  explainSegment: 'admin',
  createCampaign: 'mass writer',
  updateCampaign: 'mass writer',
  previewUnsavedCampaign: 'mass writer',
  uploadCampaignFiles: 'mass writer',
  listCampaigns: 'admin',
  getCampaign: 'admin',
  previewCampaign: 'mass writer',
  startCampaign: 'mass writer',
  pauseCampaign: 'mass writer',
  resumeCampaign: 'mass writer',
  cancelCampaign: 'mass writer',
  unsendCampaign: 'mass writer',
  listRecipients: 'admin',
  exportRecipients: 'admin',
  listAdmins: 'manager',
  addAdmin: 'manager',
  updateAdminPermissions: 'manager',
  updateAdminRole: 'manager',
  updateAdminCodename: 'manager',
  updateAdminColor: 'manager',
  removeAdmin: 'manager',
  listFruits: 'manager',
  listPasskeyRequirements: 'manager',
  setPasskeyRequirement: 'manager',
  resetPasskeys: 'manager',
  listAudit: 'manager',
  exportAudit: 'manager',
  getSettings: 'manager',
  updateSettings: 'manager',
  getCreatorProfile: 'admin',
  updateCreator: 'manager',
  uploadAvatar: 'manager',
  updateAvatar: 'manager',
  createInvites: 'admin',
  listInvites: 'admin',
  resendInvite: 'admin',
  putFan: 'platform',
  postFanMessage: 'platform',
  uploadFanFiles: 'platform',
  recordPurchase: 'platform',
  recordRefund: 'platform',
  recordTip: 'platform',
  listFanMessages: 'platform',
  postFanRead: 'platform',
  postFanReaction: 'platform',
  eraseFan: 'platform',
  createFanSession: 'platform',
  endFanSessions: 'platform',
  putSubscription: 'platform',
  getCreator: 'platform',
  acceptInvite: 'platform',
  openFanSession: 'anyone',
  endFanSession: 'fan',
  getFanHome: 'fan',
  listOwnMessages: 'fan',
  sendOwnMessage: 'fan',
  uploadOwnFiles: 'fan',
  readOwnMessages: 'fan',
  reactAsFan: 'fan',
  startCheckout: 'fan',
  payWithTestCard: 'fan',
  startTipCheckout: 'fan',
  tipWithTestCard: 'fan',
  showInvitation: 'anyone',
  openInvitation: 'anyone',
  joinByInvitation: 'anyone',
  listPlatformKeys: 'manager',
  createPlatformKey: 'manager',
  revokePlatformKey: 'manager',
  getWebhook: 'manager',
  testWebhook: 'manager',
  listDeliveries: 'manager',
  getDelivery: 'manager',
  redeliver: 'manager',
  analyticsOverview: 'manager',
  listSales: 'manager',
  listDoublePayments: 'manager',
  refundDoublePayment: 'manager',
  exportAnalytics: 'manager',
  listEarnings: 'admin',
  contestEarning: 'admin',
  listContests: 'admin',
  acceptContest: 'manager',
  rejectContest: 'manager',
  listCommissionRules: 'manager',
  addCommissionRule: 'manager',
  tryCommissionRule: 'manager',
  listPeriods: 'admin',
  closePeriod: 'manager',
  exportPayslip: 'admin',
  listClosedPeriods: 'payroll',
};

const EVENT_ACCESS: Record<ClientEventName, Access> = {
  send_message: 'writer',
  toggle_reaction: 'writer',
  join_conversation: 'admin',
  leave_conversation: 'admin',
  typing_start: 'writer',
  typing_stop: 'writer',
};

/** A caller's credentials: a bearer token or key, and the Cookie header of the same session. */
interface Credentials {
  readonly bearer: string | null;
  readonly cookie: string | null;
}

const staff = async (...overrides: Parameters<typeof buildStaff>[1][]): Promise<Credentials> => {
  const { token, avatarCookie } = await buildStaff(app, ...overrides);
  return { bearer: token, cookie: avatarCookie };
};

/** One for all calls, because the number of keys is limited. */
const payrollKey = staff({ role: 'manager' }).then(async ({ bearer }) => {
  const body = { name: 'Payroll', scope: 'payroll' as const };
  const made = await app.staff(bearer ?? '').call(createPlatformKey, { body });
  return made.body.data.key;
});

const actors = {
  anonymous: { is: [], credentials: async () => ({ bearer: null, cookie: null }) },
  'an unknown token': {
    is: [],
    credentials: async () => ({
      bearer: 'A'.repeat(43),
      cookie: `stagedoor_avatar=${'A'.repeat(43)}`,
    }),
  },
  'an expired session': {
    is: [],
    credentials: async () => {
      const { admin, token, avatarCookie } = await buildStaff(app, { role: 'creator' });
      await sql`update sessions set last_used_at = now() - interval '13 hours'
        where admin_id = ${admin.id}`.execute(app.db.kysely);
      return { bearer: token, cookie: avatarCookie };
    },
  },
  'a deactivated admin': {
    is: [],
    credentials: () => staff({ role: 'creator', is_active: false }),
  },
  'support without message privileges': {
    is: ['admin'],
    credentials: () => staff({ can_manage_messages: false }),
  },
  'a creator without message privileges': {
    is: ['admin', 'manager'],
    credentials: () => staff({ role: 'creator', can_manage_messages: false }),
  },
  support: { is: ['admin', 'writer'], credentials: () => staff({ role: 'support' }) },
  'a moderator': { is: ['admin', 'writer'], credentials: () => staff({ role: 'moderator' }) },
  'a manager': {
    is: ['admin', 'writer', 'manager'],
    credentials: () => staff({ role: 'manager' }),
  },
  'the creator': {
    is: ['admin', 'writer', 'manager'],
    credentials: () => staff({ role: 'creator' }),
  },
  'the platform': {
    is: ['platform'],
    credentials: async () => ({ bearer: PLATFORM_KEY, cookie: null }),
  },
  'a payroll key': {
    is: ['payroll'],
    credentials: async () => ({ bearer: await payrollKey, cookie: null }),
  },
  'a revoked platform key': {
    is: [],
    async credentials() {
      const { client } = await buildStaff(app, { role: 'manager' });
      const { body } = await client.call(createPlatformKey, { body: { name: 'Old' } });
      await client.call(revokePlatformKey, { params: { id: body.data.id } });
      return { bearer: body.data.key, cookie: null };
    },
  },
  'a fan who was signed out': {
    is: [],
    async credentials() {
      const { client, token } = await signInFan(app);
      await client.call(endFanSession);
      return { bearer: token, cookie: null };
    },
  },
  'a fan': {
    is: ['fan'],
    async credentials() {
      const { external_id } = await buildFan(app);
      const { body } = await app.platform.call(createFanSession, { params: { fan: external_id } });
      const opened = await app.anonymous.call(openFanSession, { body: { link: body.data.link } });
      return { bearer: opened.body.data.token, cookie: null };
    },
  },
} satisfies Record<string, { is: Access[]; credentials: () => Promise<Credentials> }>;
type ActorName = keyof typeof actors;
const actorNames = Object.keys(actors) as ActorName[];

/** Errors about the caller, not about the request. */
const DENIALS = new Set(['unauthorized', 'permission_required', 'message_privilege_required']);

function denial(access: Access, actor: ActorName): string | null {
  const is: readonly Access[] = actors[actor].is;
  if (access === 'anyone' || is.includes(access)) return null;
  // An admin is recognized but lacks a permission; other callers aren't recognized here.
  if (!is.includes('admin') || ['platform', 'payroll', 'fan'].includes(access))
    return 'unauthorized';
  if (access === 'mass writer' && is.includes('manager'))
    return is.includes('writer') ? null : 'message_privilege_required';
  return access === 'writer' ? 'message_privilege_required' : 'permission_required';
}

const CREDENTIAL = {
  id: 'x',
  rawId: 'x',
  type: 'public-key',
  response: { clientDataJSON: 'x', attestationObject: 'x' },
};
const ASSERTION = {
  ...CREDENTIAL,
  response: { clientDataJSON: 'x', authenticatorData: 'x', signature: 'x' },
};
/** Valid bodies, so that only the permission check can reject a call. */
const body: Partial<Record<EndpointName, unknown>> = {
  requestOtp: { email: 'nobody@staff.example' },
  verifyOtp: { email: 'nobody@staff.example', code: '000000' },
  startPasskeySignIn: { pending: 'x' },
  finishPasskeySignIn: { pending: 'x', response: ASSERTION },
  startPasskeyEnrolment: { pending: 'x' },
  finishPasskeyEnrolment: { pending: 'x', name: 'x', response: CREDENTIAL },
  addPasskey: { name: 'x', response: CREDENTIAL },
  renamePasskey: { name: 'x' },
  confirmByPasskey: { response: ASSERTION },
  setPasskeyRequirement: { role: 'support', required: false },
  setStatus: { status: 'archived' },
  assignConversation: { admin_id: null },
  snooze: { until: null },
  replaceFanLanguages: { languages: [] },
  bulk: { ids: ['x'], action: { kind: 'claim' } },
  createShift: {
    admin_id: conversationId,
    starts_at: '2026-11-23T09:00:00Z',
    ends_at: '2026-11-23T17:00:00Z',
  },
  updateShift: {},
  saveView: { name: 'x', filter: 'all', sort: 'newest', tag: null, search: '' },
  updateNotes: { notes: 'x' },
  replaceTags: { tags: [] },
  updateAdminFields: { admin_notes: 'x' },
  createStatement: { text: 'x' },
  updateStatement: { text: 'x' },
  createGlobalTag: { label: 'x' },
  updateGlobalTag: { label: 'x' },
  updateProduct: { title: 'x' },
  createFolder: { name: 'x' },
  updateFolder: { name: 'x' },
  saveDraft: { text: 'x' },
  sendMessage: { conversation_id: conversationId, content: 'x' },
  createSegment: { name: 'x', rule: { all: [] } },
  updateSegment: { name: 'x' },
  previewSegment: { rule: { all: [] } },
  explainSegment: { rule: { all: [] }, conversation_id: conversationId },
  createCampaign: { name: 'x', variants: [{ content: 'x' }], audience: { rule: { all: [] } } },
  contestEarning: { reason: 'x' },
  acceptContest: { parts: [{ admin_id: conversationId, amount: 1 }] },
  rejectContest: { reason: 'x' },
  addCommissionRule: { role: 'support', effective_from: '2100-01-01' },
  tryCommissionRule: { role: 'support', period_id: '2026-01-05' },
  updateCampaign: { name: 'x', variants: [{ content: 'x' }], audience: { rule: { all: [] } } },
  previewUnsavedCampaign: { variants: [{}], audience: { rule: { all: [] } } },
  createTemplate: { name: 'x', content: 'x', is_shared: false },
  updateTemplate: { version: 1, name: 'x' },
  takeTemplateFile: { conversation_id: conversationId, attachment_id: conversationId },
  scheduleMessage: { content: 'x', send_at: new Date(Date.now() + 3_600_000).toISOString() },
  updateScheduled: { version: 1, content: 'x' },
  updateGuardRails: { version: 0, banned_words: [], price_min: null, price_max: null },
  createStaffNote: { client_id: '1', content: 'x' },
  updateStaffNote: { content: 'x' },
  readMentions: {},
  handOver: { client_id: '1', to: null, items: [{ conversation_id: conversationId }] },
  updateNotificationSettings: {
    fan_messages: 'all',
    sales: true,
    mentions: true,
    shows_text: false,
    quiet: null,
    time_zone: 'UTC',
  },
  subscribeToPush: {
    endpoint: 'nonsense',
    keys: { p256dh: 'A'.repeat(87), auth: 'A'.repeat(22) },
  },
  addAdmin: { email: 'new@staff.example' },
  updateAdminPermissions: { can_manage_messages: true },
  updateAdminRole: { role: 'support' },
  updateAdminCodename: { codename: 'x' },
  updateAdminColor: { display_color: '#000000' },
  updateSettings: { version: 0 },
  updateAvatar: { userId: 'x', avatarUrl: 'x' },
  updateCreator: { display_name: 'x' },
  createInvites: { emails: ['nobody'] },
  putFan: {},
  postFanMessage: { client_id: '1', content: 'x' },
  recordTip: { fan: fan.external_id, amount: 5, payment_reference: 'access tip' },
  startTipCheckout: { amount: 5, client_id: '1' },
  tipWithTestCard: { amount: 5, client_id: 'tip', card_number: '4242424242424242' },
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
  acceptInvite: { fan: fan.external_id },
  putSubscription: { status: null },
  openFanSession: { link: 'x' },
  sendOwnMessage: { client_id: '1', content: 'x' },
  readOwnMessages: { up_to_message_id: messages[0]?.id },
  reactAsFan: { message_id: messages[0]?.id, emoji: '🔥' },
  startCheckout: { message_id: messages[0]?.id, attachment_id: conversationId },
  payWithTestCard: {
    message_id: messages[0]?.id,
    attachment_id: conversationId,
    client_id: '1',
    card_number: '4242424242424242',
  },
  joinByInvitation: { first_name: 'x' },
  createPlatformKey: { name: 'x' },
};
const query: Partial<Record<EndpointName, Record<string, string>>> = {
  searchConversations: { q: 'xy' },
  listShifts: { from: '2026-11-23T00:00:00Z', to: '2026-11-30T00:00:00Z' },
  shiftFigures: { from: '2026-11-23T00:00:00Z', to: '2026-11-30T00:00:00Z' },
  listFigureMessages: {
    from: '2026-11-23T00:00:00Z',
    to: '2026-11-30T00:00:00Z',
    figure: 'sales',
  },
  listFanOffers: { kind: 'open' },
  searchMessages: { q: 'xyz' },
  exportAnalytics: { report: 'sales' },
};
/** A separate fan to erase, because the other one is still needed. */
const erased = await buildFan(app);
const pathOf = ({ path, method }: Endpoint) =>
  path
    .replace('{fan}', method === 'DELETE' ? erased.external_id : fan.external_id)
    .replace(/\{(id|tagId|noteId|customerId|token)\}/g, conversationId);

const names = Object.keys(endpoints) as EndpointName[];

function call(name: EndpointName, { bearer, cookie }: Credentials): Promise<RawReply> {
  const endpoint: Endpoint = endpoints[name];
  return httpClient(app.url, bearer).raw(endpoint.method, pathOf(endpoint), {
    body: endpoint.upload && endpoint.auth === 'avatar_cookie' ? new FormData() : body[name],
    ...(query[name] && { query: query[name] }),
    headers: { ...newCaller(), ...(cookie !== null && { cookie }) },
  });
}

/** Returns an error's code; null for a success, and for a reply that isn't JSON. */
function codeOf({ text, headers }: RawReply): string | null {
  if (!headers.get('content-type')?.startsWith('application/json')) return null;
  return (JSON.parse(text) as { code?: string }).code ?? null;
}

describe.each(names)('%s', (name) => {
  const endpoint: Endpoint = endpoints[name];
  test.each(actorNames)('allows or denies %s according to the table', async (actor) => {
    const { bearer, cookie } = await actors[actor].credentials();
    const reply =
      endpoint.auth === 'avatar_cookie'
        ? await call(name, { bearer: null, cookie })
        : await call(name, { bearer, cookie: null });
    const code = codeOf(reply);
    const expected = denial(ACCESS[name], actor);
    expect(code !== null && DENIALS.has(code) ? code : null, reply.text).toBe(expected);
    if (expected !== null) expect(reply.status).toBe(expected === 'unauthorized' ? 401 : 403);
    else expect(reply.status).toBeLessThan(500);
  });

  test('accepts only its own kind of credentials', async () => {
    if (endpoint.auth === 'none') return;
    const { bearer, cookie } = await staff({ role: 'creator' });
    const fansOwn = endpoint.auth === 'fan' ? await actors['a fan'].credentials() : null;
    const own = fansOwn ?? { bearer: endpoint.auth === 'admin' ? bearer : null, cookie };
    const other =
      endpoint.auth === 'avatar_cookie' ? { bearer, cookie: null } : { bearer: null, cookie };
    expect(await call(name, other)).toMatchObject({ status: 401 });
    if (endpoint.auth !== 'platform') expect((await call(name, own)).status).not.toBe(401);
  });

  test('rejects a stranger before it reads the request', async () => {
    if (endpoint.auth === 'none') return;
    const reply = await app.anonymous.raw(endpoint.method, pathOf(endpoint), {
      ...(endpoint.method !== 'GET' && { body: '{"broken' }),
      query: { limit: 'nonsense' },
    });
    expect(reply.status).toBe(401);
  });
});

test('every endpoint is in the table', () => {
  expect(Object.keys(ACCESS).toSorted()).toEqual(names.toSorted());
  expect(Object.keys(EVENT_ACCESS).toSorted()).toEqual(Object.keys(clientEvents).toSorted());
});

describe.each(Object.keys(clientEvents) as ClientEventName[])('event %s', (event) => {
  test.each(actorNames)('allows or denies %s according to the table', async (actor) => {
    const token = (await actors[actor].credentials()).bearer ?? undefined;
    const is: readonly Access[] = actors[actor].is;
    if (!is.includes('admin')) {
      const refusal = await app.refusedHandshake(token, { extraHeaders: newCaller() });
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
    else if (event === 'toggle_reaction')
      socket.socket.emit('toggle_reaction', payloads.toggle_reaction);
    else {
      socket.socket.emit('join_conversation', { conversation_id: conversationId });
      await socket.nextEvent('presence', ({ whole }) => !whole);
      socket.socket.emit(event, { conversation_id: conversationId });
    }
    const expected = denial(EVENT_ACCESS[event], actor);
    if (expected !== null) {
      expect(await socket.nextEvent('message_error')).toMatchObject({ code: expected });
    } else if (event === 'send_message') await socket.nextEvent('message_sent');
    else if (event === 'toggle_reaction') await socket.nextEvent('reaction_toggled');
    else {
      // Presence events get no answer except an error.
      socket.socket.emit('send_message', { ...payloads.send_message, conversation_id: 'nowhere' });
      await socket.nextEvent('message_error', (error) => error.tempId === tempId);
      expect(socket.received('message_error')).toHaveLength(1);
    }
    socket.close();
  });
});

describe('the fans’ sockets', () => {
  test.each(actorNames)('are open to fans only: %s', async (actor) => {
    const token = (await actors[actor].credentials()).bearer ?? undefined;
    const is: readonly Access[] = actors[actor].is;
    if (is.includes('fan')) (await app.connectFanSocket(token ?? '')).close();
    else {
      const refusal = await app.refusedFanHandshake(token, { extraHeaders: newCaller() });
      expect(refusal.data).toMatchObject({ code: 'unauthorized' });
    }
  });
});
