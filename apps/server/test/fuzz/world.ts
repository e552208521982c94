import { createHash, randomBytes } from 'node:crypto';
import type { Endpoint } from '@stagedoor/contract/endpoint';
import { replaceTags } from '@stagedoor/contract/fans/fans';
import { createInvites } from '@stagedoor/contract/fans/invites';
import { createStatement } from '@stagedoor/contract/fans/statements';
import { createGlobalTag } from '@stagedoor/contract/fans/tags';
import { scheduleMessage } from '@stagedoor/contract/messaging/scheduled';
import { createStaffNote } from '@stagedoor/contract/messaging/staff-notes';
import { createTemplate } from '@stagedoor/contract/messaging/templates';
import { getFanHome, openFanSession } from '@stagedoor/contract/platform/fan-app';
import { type PlatformFan, recordPurchase } from '@stagedoor/contract/platform/platform';
import { createPlatformKey } from '@stagedoor/contract/platform/platform-keys';
import { createCampaign } from '@stagedoor/contract/selling/campaigns';
import { createSegment } from '@stagedoor/contract/selling/segments';
import { currentAdmin } from '@stagedoor/contract/team/auth';
import { sql } from 'kysely';
import type { Logger } from '../../src/log.ts';
import {
  buildAdmin,
  buildConversation,
  buildFan,
  buildReply,
  buildStaff,
  type Staff,
  unique,
} from '../factories.ts';
import { SAMPLES, uploadAsFan, uploadAsStaff } from '../files.ts';
import { httpClient } from '../http-client.ts';
import { startWebhookReceiver } from '../servers/webhook-receiver.ts';
import { PLATFORM_KEY, startTestApp, type TestApp } from '../test-app.ts';
import { until } from '../until.ts';
import { buildFolder, buildOffer, buildProduct } from '../worlds/catalogue.ts';
import { buildFanLink } from '../worlds/fan-world.ts';
import { saleOf } from '../worlds/market.ts';
import type { Actor } from './requests.ts';
import { nextAddress, type Target } from './send.ts';
import type { Reference } from './values.ts';

/** The actors who sign in to the console. */
const STAFF = {
  silenced: { role: 'support', can_manage_messages: false },
  support: { role: 'support' },
  moderator: { role: 'moderator' },
  manager: { role: 'manager' },
  creator: { role: 'creator' },
} as const;
type StaffActor = keyof typeof STAFF;
const staffActors = Object.keys(STAFF) as StaffActor[];
const isStaff = (actor: Actor): actor is StaffActor => actor in STAFF;

interface SignedInFan {
  readonly fan: PlatformFan;
  readonly token: string;
}

/** Signs a new fan in to the fan client, from a new client address. */
export async function letIn(app: TestApp): Promise<SignedInFan> {
  const fan = await buildFan(app);
  const { method, path } = openFanSession;
  const opened = await app.anonymous.raw(method, path, {
    body: { link: await buildFanLink(app, fan) },
    headers: { 'x-forwarded-for': nextAddress() },
  });
  const { data } = openFanSession.replies[201].parse(JSON.parse(opened.text));
  return { fan, token: data.token };
}

/** Ids of existing things, by kind. */
type Things = Record<Reference, string[]>;
interface Fans {
  readonly fan: SignedInFan;
  readonly otherFan: SignedInFan;
}

/** An installation with things of every kind, so that any request can refer to them. */
export interface FuzzWorld extends Target {
  readonly app: TestApp;
  readonly staff: Readonly<Record<StaffActor, Staff>>;
  fan(actor: 'fan' | 'otherFan'): SignedInFan;
  /** Replaces the things of a kind after requests changed or removed them. */
  renew(kind: Reference): Promise<void>;
  /** Restores the sessions of actors that a request signed out. */
  renewActors(thrownOutBy: Endpoint['auth']): Promise<void>;
  close(): Promise<void>;
}

/** @param log the server's log; none by default */
export async function openFuzzWorld(log?: Logger): Promise<FuzzWorld> {
  const receiver = await startWebhookReceiver();
  const app = await startTestApp({
    ...(log && { log }),
    config: { trustProxy: true },
    payments: 'test_card',
    webhook: { url: receiver.url, secret: receiver.secret },
  });
  const staff = Object.fromEntries(
    await Promise.all(staffActors.map(async (name) => [name, await buildStaff(app, STAFF[name])])),
  ) as Record<StaffActor, Staff>;
  const everyStaff: Staff[] = Object.values(staff);
  let fans = await buildFans();
  const builders = buildersOf(app, staff);
  const product = await buildProduct(staff.manager);
  const things: Partial<Things> = {
    ...(await buildPeople(app, staff, fans, product)),
    ...(await buildInvite(app, staff.support)),
  };
  for (const kind of Object.keys(builders) as Reference[]) await renew(kind);

  async function buildFans(): Promise<Fans> {
    return { fan: await letIn(app), otherFan: await letIn(app) };
  }

  async function renew(kind: Reference): Promise<void> {
    const build = builders[kind];
    if (build !== undefined) {
      things[kind] = [await build(), await build()];
      return;
    }
    fans = await buildFans();
    Object.assign(things, await buildPeople(app, staff, fans, product));
  }

  return {
    app,
    staff,
    url: app.url,
    fan: (actor) => fans[actor],
    resolve(text) {
      const [, kind, index] = /^@(\w+)\/(\d)$/.exec(text) ?? [];
      const found = things[kind as Reference];
      return found?.[Number(index) % found.length] ?? text;
    },
    credentials(actor, endpoint) {
      if (actor === 'nobody') return {};
      if (isStaff(actor)) {
        const { token, avatarCookie } = staff[actor];
        return endpoint.auth === 'avatar_cookie'
          ? { cookie: avatarCookie }
          : { authorization: `Bearer ${token}` };
      }
      const tokens = {
        stranger: 'A'.repeat(43),
        platform: PLATFORM_KEY,
        fan: fans.fan.token,
        otherFan: fans.otherFan.token,
      };
      return { authorization: `Bearer ${tokens[actor]}` };
    },
    secrets() {
      const tokens = [
        PLATFORM_KEY,
        fans.fan.token,
        fans.otherFan.token,
        ...everyStaff.flatMap(({ token, avatarCookie }) => [
          token,
          avatarCookie.replace(/^.*=/, ''),
        ]),
      ];
      return {
        always: tokens.flatMap(inEachForm),
        toOthers: everyStaff.flatMap(({ admin }) => [admin.email, admin.codename, admin.id]),
      };
    },
    renew,
    async renewActors(thrownOutBy) {
      // The actors have no authenticators, so roles must not require passkeys.
      await sql`delete from passkey_roles`.execute(app.db.kysely);
      for (const name of thrownOutBy === 'admin' ? staffActors : []) {
        if (await isInPlace(name, staff[name])) continue;
        staff[name] = await buildStaff(app, STAFF[name]);
        everyStaff.push(staff[name]);
      }
      for (const name of thrownOutBy === 'admin' ? [] : (['fan', 'otherFan'] as const)) {
        const me = await httpClient(app.url, fans[name].token).raw('GET', getFanHome.path);
        if (me.status !== 200) fans = { ...fans, [name]: await letIn(app) };
      }
    },
    async close() {
      await app.close();
      await receiver.close();
    },
  };
}

/** Checks whether the admin is signed in with the intended role and privileges. */
async function isInPlace(name: StaffActor, { client }: Staff): Promise<boolean> {
  const { status, text } = await client.raw('GET', currentAdmin.path);
  if (status !== 200) return false;
  const { data } = currentAdmin.replies[200].parse(JSON.parse(text));
  return (
    data.role === STAFF[name].role && data.permissions.can_manage_messages === (name !== 'silenced')
  );
}

/** Returns a token and its digests. Caches them, because some 20,000 replies are each searched for all of them. */
const inEachForm = (token: string): readonly string[] => {
  const known = FORMS.get(token);
  if (known) return known;
  const digest = createHash('sha256').update(token).digest();
  const forms = [
    token,
    ...(['hex', 'base64', 'base64url'] as const).map((form) => digest.toString(form)),
  ];
  FORMS.set(token, forms);
  return forms;
};
const FORMS = new Map<string, readonly string[]>();

/** Functions that build a thing of each kind. The missing kinds are built together with the fans they belong to. */
type Builders = Partial<Record<Reference, () => Promise<string>>>;

function buildersOf(app: TestApp, staff: Readonly<Record<StaffActor, Staff>>): Builders {
  const doomed = () => buildAdmin(app, { role: 'moderator' });
  let pendings = 0;
  return {
    product: async () => (await buildProduct(staff.manager)).id,
    folder: async () => (await buildFolder(staff.manager)).id,
    async globalTag() {
      const body = { label: unique('library') };
      return (await staff.manager.client.call(createGlobalTag, { body })).body.data.id;
    },
    async statement() {
      const { id } = await buildConversation(app);
      const body = { text: unique('said'), due_at: '2031-01-01T00:00:00Z' };
      const made = await staff.support.client.call(createStatement, { params: { id }, body });
      return made.body.data.id;
    },
    async template() {
      const body = { name: unique('template'), content: 'Hi {first_name}', is_shared: true };
      return (await staff.manager.client.call(createTemplate, { body })).body.data.id;
    },
    async segment() {
      const body = { name: unique('segment'), rule: { all: [] } };
      return (await staff.manager.client.call(createSegment, { body })).body.data.id;
    },
    async campaign() {
      const body = {
        name: unique('campaign'),
        variants: [{ content: 'Hi {first_name|there}' }],
        audience: { rule: { all: [] } },
      };
      return (await staff.manager.client.call(createCampaign, { body })).body.data.id;
    },
    async scheduled() {
      const { conversation_id: id } = await buildFan(app);
      const body = { content: 'Later', send_at: new Date(Date.now() + 86_400_000).toISOString() };
      const { client } = staff.support;
      return (await client.call(scheduleMessage, { params: { id }, body })).body.data.id;
    },
    admin: async () => (await doomed()).id,
    email: async () => (await doomed()).email,
    session: async () => idOfSession(app, await app.insertSession((await doomed()).id)),
    async passkey() {
      // The passkey belongs to the support admin, who can remove it because their session was just confirmed.
      const ids = await sql<{ id: string }>`
        insert into passkeys (admin_id, name, credential_id, public_key, counter, transports, synced)
        values (${staff.support.admin.id}, 'Laptop', ${unique('credential')}, '', 0, '{}', false)
        returning id`.execute(app.db.kysely);
      await sql`update sessions set confirmed_at = now()
        where admin_id = ${staff.support.admin.id}`.execute(app.db.kysely);
      return ids.rows[0]?.id ?? '';
    },
    async pending() {
      const token = randomBytes(32).toString('base64url');
      await sql`insert into pending_sign_ins (admin_id, token_hash, step)
        values (${(await doomed()).id}, ${createHash('sha256').update(token).digest()},
          ${['passkey', 'enrol'][pendings++ % 2] ?? 'passkey'})`.execute(app.db.kysely);
      return token;
    },
    async key() {
      // Makes room, because the number of keys is limited.
      await sql`delete from platform_keys`.execute(app.db.kysely);
      const body = { name: unique('key') };
      return (await staff.manager.client.call(createPlatformKey, { body })).body.data.id;
    },
    delivery: () => anyDelivery(app),
  };
}

/** Builds fans with conversations and everything in them. */
async function buildPeople(
  app: TestApp,
  { support }: Readonly<Record<StaffActor, Staff>>,
  fans: Fans,
  product: { readonly id: string },
): Promise<Partial<Things>> {
  const pdf = { data: SAMPLES.pdf, filename: 'a.pdf' };
  const things: Partial<Things> = {};
  const add = (kind: Reference, ...ids: string[]) => {
    things[kind] = [...(things[kind] ?? []), ...ids];
  };
  const stranger = await buildConversation(app);
  for (const fan of [fans.fan.fan, fans.otherFan.fan, stranger.fan]) {
    const id = fan.conversation_id;
    const offer = await buildOffer(support, id, [product]);
    const reply = await buildReply(support, id);
    const [own] = await uploadAsFan(app, fan, pdf);
    const [ours] = await uploadAsStaff(support, id, pdf);
    const tags = await support.client.call(replaceTags, {
      params: { id },
      body: { tags: [{ label: unique('tag') }] },
    });
    const note = await support.client.call(createStaffNote, {
      params: { id },
      body: { client_id: unique('note'), content: 'Careful here' },
    });
    add('staffNote', note.body.data.id);
    add('conversation', id);
    add('customer', fan.id);
    add('fan', fan.external_id);
    add('message', offer.id, reply.id);
    add('attachment', ...offer.attachments.map((attachment) => attachment.id));
    add('upload', ...[own, ours].flatMap((file) => file?.id ?? []));
    add('link', await buildFanLink(app, fan));
    add('fanTag', ...tags.body.data.map((tag) => tag.id));
    if (fan !== stranger.fan) continue;
    const sale = saleOf(fan, offer, 9.99);
    await app.platform.call(recordPurchase, { body: sale });
    add('payment', sale.payment_reference, unique('payment'), unique('payment'));
  }
  return things;
}

async function idOfSession(app: TestApp, token: string): Promise<string> {
  const { id } = await app.db.kysely
    .selectFrom('sessions')
    .select('id')
    .where('token_hash', '=', createHash('sha256').update(token).digest())
    .executeTakeFirstOrThrow();
  return id;
}

/** Builds an invitation that was delivered; its link is only in its email. */
async function buildInvite(app: TestApp, { client }: Staff): Promise<Partial<Things>> {
  const email = `${unique('someone')}@fans.example`;
  await client.call(createInvites, { body: { emails: [email] } });
  const { mail } = await app.smtp.mailTo(email);
  const token = /\/invite\/([\w-]+)/.exec(mail.text ?? '')?.[1] ?? 'none';
  const { rows } = await sql<{ id: string }>`select id from invites where email = ${email}`.execute(
    app.db.kysely,
  );
  return { inviteToken: [token], invite: rows.map(({ id }) => id) };
}

const anyDelivery = async (app: TestApp): Promise<string> => {
  const { event_id } = await until('a delivery', () =>
    app.db.kysely
      .selectFrom('webhook_events')
      .select('event_id')
      .orderBy('id', 'desc')
      .executeTakeFirst(),
  );
  return event_id;
};
