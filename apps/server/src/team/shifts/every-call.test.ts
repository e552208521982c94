import type { Endpoint } from '@stagedoor/contract/endpoint';
import { endpoints } from '@stagedoor/contract/endpoints';
import { acceptHandover, handOver } from '@stagedoor/contract/messaging/handovers';
import { scheduleMessage } from '@stagedoor/contract/messaging/scheduled';
import { createStaffNote } from '@stagedoor/contract/messaging/staff-notes';
import {
  actEvents,
  type ClientEventName,
  clientEvents,
  presenceEvents,
} from '@stagedoor/contract/realtime';
import { clockIn } from '@stagedoor/contract/team/shifts';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, expect, test, vi } from 'vitest';
import { buildConversation, buildStaff, type Staff, unique } from '../../../test/factories.ts';
import { valid } from '../../../test/fuzz/from-schema.ts';
import { send, wireOf } from '../../../test/fuzz/send.ts';
import { openFuzzWorld } from '../../../test/fuzz/world.ts';
import { startTestApp } from '../../../test/test-app.ts';

const app = await startTestApp();
const world = await openFuzzWorld();
afterAll(() => Promise.all([app.close(), world.close()]));

type Name = keyof typeof endpoints;
const staffCalls = (Object.entries(endpoints) as [Name, Endpoint][]).filter(
  ([, { auth }]) => auth === 'admin',
);
type Payloads = Record<ClientEventName, object>;
const eventsIn = (id: string, messageId: string): Payloads => ({
  send_message: { conversation_id: id, content: 'Hi', tempId: unique('temp') },
  toggle_reaction: { conversation_id: id, message_id: messageId, emoji: '🔥' },
  join_conversation: { conversation_id: id },
  typing_start: { conversation_id: id },
  typing_stop: { conversation_id: id },
  leave_conversation: { conversation_id: id },
});

test('off shift, staff below manager can read, and change their own data; every other call and event is refused with one code', async () => {
  const mango = await buildStaff(app, { role: 'moderator' });
  await sql`update team_settings set access_only_on_shift = true`.execute(app.db.kysely);
  for (const [name, endpoint] of staffCalls) {
    // Some calls end their session.
    const mine = app.staff(await app.insertSession(mango.admin.id));
    const path = endpoint.path.replaceAll(/\{\w+\}/g, 'x');
    const reply = await mine.raw(endpoint.method, path, {
      ...(endpoint.method !== 'GET' && !endpoint.upload && { body: {} }),
    });
    const isWork = endpoint.method !== 'GET' && endpoint.isWork !== false;
    const { code = null } = reply.text.startsWith('{') ? JSON.parse(reply.text) : {};
    if (isWork) expect([reply.status, code], name).toEqual([403, 'off_shift']);
    else expect(code, name).not.toBe('off_shift');
    if (endpoint.isAct) expect(isWork, `${name} is work`).toBe(true);
  }

  const { id, messages } = await buildConversation(app);
  const socket = await app.connectSocket(mango.token);
  for (const [name, payload] of Object.entries(eventsIn(id, messages[0]?.id ?? '')))
    socket.socket.emit(name as 'typing_start', payload as never);
  const work = Object.keys(clientEvents).filter((name) => !presenceEvents.has(name));
  await vi.waitFor(() => expect(socket.received('message_error')).toHaveLength(work.length), {
    timeout: 30_000,
  });
  const codes = socket.received('message_error').map(({ code }) => code);
  expect(new Set(codes)).toEqual(new Set(['off_shift']));
  expect([...actEvents].filter((name) => presenceEvents.has(name))).toEqual([]);
  socket.close();
}, 180_000);

/** The kind of thing that a path parameter refers to, by the path and the parameter’s name; by default a conversation. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/ tagId$/, 'fanTag'],
  [/ noteId$/, 'staffNote'],
  [/ customerId$/, 'customer'],
  [/admin\/messages\//, 'message'],
  [/statements\/\{id\}/, 'statement'],
  [/admin\/scheduled\//, 'scheduled'],
  [/campaigns\//, 'campaign'],
  [/templates\//, 'template'],
  [/products\//, 'product'],
  [/folders\//, 'folder'],
  [/global-tags\//, 'globalTag'],
  [/segments\//, 'segment'],
  [/admins\//, 'admin'],
  [/keys\//, 'key'],
];

/** Sends a request that is valid according to the schemas. @returns whether it succeeded */
async function attempt(endpoint: Endpoint, { token }: Staff, seed: number): Promise<boolean> {
  const sample = (schema: Endpoint['body']) =>
    schema && fc.sample(valid(schema), { numRuns: 1, seed })[0];
  const params = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const kind = KINDS.find(([path]) => path.test(`${endpoint.path} ${name}`))?.[1];
    return [name, `@${kind ?? 'conversation'}/${seed % 3}`];
  });
  const wire = wireOf(world, endpoint, {
    actor: 'creator',
    params: Object.fromEntries(params) as Record<string, string>,
    pathTail: '',
    query: Object.entries(sample(endpoint.query) ?? {}).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as const],
    ),
    queryTail: '',
    headers: { authorization: `Bearer ${token}` },
    body: endpoint.body ? { kind: 'json', value: sample(endpoint.body) } : { kind: 'none' },
  });
  const { status } = await send(world, endpoint.method, wire);
  return status >= 200 && status < 300;
}

/** Acts on the caller's own things, or on things in the future. These are prepared without an act of the caller. */
const PREPARED: Partial<Record<Name, (staff: Staff) => Promise<() => Promise<unknown>>>> = {
  async updateStaffNote(staff) {
    const { id } = await buildConversation(world.app);
    const { body } = await world.staff.support.client.call(createStaffNote, {
      params: { id },
      body: { client_id: unique('note'), content: 'Likes cats' },
    });
    const noteId = body.data.id;
    await world.app.db.kysely
      .updateTable('staff_notes')
      .set({ author_id: staff.admin.id })
      .where('id', '=', noteId)
      .execute();
    return () =>
      staff.client.call(endpoints.updateStaffNote, {
        params: { id, noteId },
        body: { content: 'Likes dogs' },
      });
  },
  async acceptHandover(staff) {
    const { id } = await buildConversation(world.app);
    const { client } = world.staff.support;
    await client.call(endpoints.claimConversation, { params: { id } });
    const items = [{ conversation_id: id, brief: '' }];
    const { body } = await client.call(handOver, {
      body: { client_id: unique('handover'), to: staff.admin.id, brief: '', items },
    });
    return () => staff.client.call(acceptHandover, { params: { id: body.data.id } });
  },
  async scheduleMessage(staff) {
    const { id } = await buildConversation(world.app);
    return () => schedule(staff, id);
  },
  async updateScheduled(staff) {
    const { id, version } = await scheduledFor(staff);
    return () =>
      staff.client.call(endpoints.updateScheduled, {
        params: { id },
        body: { version, content: 'Later still' },
      });
  },
  async sendScheduledNow(staff) {
    const { id } = await scheduledFor(staff);
    return () => staff.client.call(endpoints.sendScheduledNow, { params: { id } });
  },
};

const schedule = async ({ client }: Staff, id: string) =>
  (
    await client.call(scheduleMessage, {
      params: { id },
      body: { content: 'Later', send_at: new Date(Date.now() + 86_400_000).toISOString() },
    })
  ).body.data;

/** Builds a message that a teammate scheduled, and makes it the admin's. */
async function scheduledFor({ admin }: Staff) {
  const { id: conversationId } = await buildConversation(world.app);
  const message = await schedule(world.staff.support, conversationId);
  await world.app.db.kysely
    .updateTable('scheduled_messages')
    .set({ admin_id: admin.id })
    .where('id', '=', message.id)
    .execute();
  return message;
}

/** Enough attempts to also meet the conditions that the schemas don't state. */
const ATTEMPTS = 40;

test('each act keeps the clock running, and nothing else does', async () => {
  const { kysely } = world.app.db;
  const LONG_AGO = new Date(Date.now() - 60_000);
  /** Returns a new admin on the clock, whose last act was a minute ago. */
  const onClock = async () => {
    const staff = await buildStaff(world.app, { role: 'creator' });
    await kysely
      .insertInto('clocks')
      .values({ admin_id: staff.admin.id, started_at: LONG_AGO, last_act_at: LONG_AGO })
      .execute();
    return staff;
  };
  const hasActed = async ({ admin }: Staff) => {
    const { last_act_at } = await kysely
      .selectFrom('clocks')
      .select('last_act_at')
      .where('admin_id', '=', admin.id)
      .executeTakeFirstOrThrow();
    return last_act_at > LONG_AGO;
  };

  const acts = new Map<string, Staff>();
  for (const [name, endpoint] of staffCalls.filter(([, { isAct }]) => isAct)) {
    const staff = await onClock();
    acts.set(name, staff);
    const act = await PREPARED[name]?.(staff);
    let done = act !== undefined && (await act().then(() => true));
    for (let seed = 0; seed < ATTEMPTS && !done; seed++)
      done = await attempt(endpoint, staff, seed);
    expect(done, `${name} succeeds`).toBe(true);
  }
  const { id, messages } = await buildConversation(world.app);
  const presence = await onClock();
  for (const [name, payload] of Object.entries(eventsIn(id, messages[0]?.id ?? ''))) {
    const isAct = actEvents.has(name);
    const staff = isAct ? await onClock() : presence;
    if (isAct) acts.set(name, staff);
    const { socket } = await world.app.connectSocket(staff.token, {
      extraHeaders: { 'x-forwarded-for': '10.1.1.1' },
    });
    socket.emit(name as 'typing_start', payload as never);
  }
  for (const [name, staff] of acts)
    await vi.waitFor(async () => expect(await hasActed(staff), name).toBe(true), {
      timeout: 30_000,
    });

  const others = new Map<string, Staff>([['presence', presence]]);
  for (const [name, endpoint] of staffCalls.filter(([, { isAct }]) => !isAct)) {
    const staff = await onClock();
    others.set(name, staff);
    if (!(await attempt(endpoint, staff, 0))) await attempt(endpoint, staff, 1);
  }
  // A later act has been written, so the earlier ones have been, too.
  const last = await buildStaff(world.app);
  await last.client.call(clockIn);
  const before = await clockOf(last);
  await last.client.call(createStaffNote, {
    params: { id },
    body: { client_id: unique('note'), content: 'Likes birds' },
  });
  await vi.waitFor(async () => expect(await clockOf(last)).not.toEqual(before), {
    timeout: 30_000,
  });
  for (const [name, staff] of others) expect(await hasActed(staff), name).toBe(false);
}, 300_000);

const clockOf = ({ admin }: Staff) =>
  world.app.db.kysely
    .selectFrom('clocks')
    .select('last_act_at')
    .where('admin_id', '=', admin.id)
    .executeTakeFirstOrThrow();
