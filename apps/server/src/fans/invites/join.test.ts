import { createHash } from 'node:crypto';
import { acceptInvite } from '@stagedoor/contract/fans/invites';
import { inbox } from '@stagedoor/contract/inbox/conversations';
import {
  endFanSession,
  type FanSession,
  joinByInvitation,
  showInvitation,
} from '@stagedoor/contract/platform/fan-app';
import {
  endFanSessions,
  eraseFan,
  listFanMessages,
  putFan,
} from '@stagedoor/contract/platform/platform';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  buildConversation,
  buildFanMessage,
  buildReply,
  setWebhook,
} from '../../../test/factories.ts';
import { httpClient } from '../../../test/http-client.ts';
import { sharedApp } from '../../../test/test-app.ts';
import { openInviteDesk } from '../../../test/worlds/invites.ts';

const app = await sharedApp();
const desk = await openInviteDesk(app);
const { staff, invited, accept, find, age } = desk;
await setWebhook(app);

const join = (token: string, first_name = 'Ana') =>
  app.anonymous.call(joinByInvitation, { params: { token }, body: { first_name } });
const refusal = (token: string) =>
  app.anonymous.refused(joinByInvitation, { params: { token }, body: { first_name: 'Ana' } });

/** Returns the fan of a session's token, or undefined. */
const fanOf = ({ token }: FanSession) =>
  app.db.kysely
    .selectFrom('fan_sessions as s')
    .innerJoin('fans as f', 'f.id', 's.fan_id')
    .innerJoin('conversations as c', 'c.fan_id', 'f.id')
    .select(['f.id', 'f.external_id', 'f.first_name', 'f.email', 'c.id as conversation_id'])
    .where('s.token_hash', '=', createHash('sha256').update(token).digest())
    .executeTakeFirst();

/** Builds a fan who joined with an invitation. */
async function joined() {
  const invitation = await invited();
  const session = (await join(invitation.token)).body.data;
  const fan = await fanOf(session);
  if (fan === undefined) throw new Error('the session has no fan');
  return { ...invitation, session, fan };
}

/** Checks whether a session's token is still valid by ending the session. */
const lives = async ({ token }: FanSession) =>
  (await httpClient(app.url, token).raw(endFanSession.method, endFanSession.path)).status === 204;

const fansUnder = (email: string) =>
  app.db.kysely.selectFrom('fans').select('id').where('email', '=', email).execute();
const eventFor = async (inviteId: string) => {
  const { rows } = await sql`
    select type, conversation_id from webhook_events where ref = ${JSON.stringify({ invite_id: inviteId })}::jsonb
      and type = 'invite.accepted'`.execute(app.db.kysely);
  return rows;
};

test('joining creates a fan with the invited address, the benefit, a session and an accepted invitation', async () => {
  const { id, email, token } = await invited('24_hours_free');
  const { status, body } = await join(token, '  Ana  ');
  expect(status).toBe(201);
  const fan = await fanOf(body.data);
  expect(fan).toMatchObject({ external_id: `invite:${id}`, first_name: 'Ana', email });
  const invite = await find(email);
  expect(invite).toMatchObject({ state: 'accepted', error: null, opened_at: expect.any(String) });
  const { rows } = await sql<{ hours: number }>`
    select extract(epoch from b.ends_at - i.accepted_at)::float / 3600 as hours
    from fan_benefits b, invites i where b.fan_id = ${fan?.id} and i.id = ${id}`.execute(
    app.db.kysely,
  );
  expect(rows[0]?.hours).toBeCloseTo(24, 2);
  expect(await lives(body.data)).toBe(true);
});

test('staff see the fan at once, at the top of the inbox, and can write first', async () => {
  const { token } = await invited();
  await buildConversation(app);
  await sql`update conversations set unread_count = 0`.execute(app.db.kysely);
  const socket = await app.connectSocket(staff.token);
  const fan = await fanOf((await join(token, 'Noa')).body.data);
  const { conversation } = await socket.nextEvent('conversation_updated');
  expect(conversation).toMatchObject({
    id: fan?.conversation_id,
    last_seq: 0,
    unread_count: 0,
    last_message_at: expect.any(String),
    last_message_content: null,
    waiting_since: null,
    fan: { first_name: 'Noa', subscription: { status: 'trial', ends_at: expect.any(String) } },
  });
  const list = (await staff.client.call(inbox, { query: { filter: 'all' } })).body.data;
  expect(list[0]).toEqual(conversation);
  const reply = await buildReply(staff, conversation.id, { content: 'Welcome!' });
  const { body } = await app.platform.call(listFanMessages, {
    params: { fan: fan?.external_id ?? '' },
  });
  expect(body.data).toMatchObject([{ id: reply.id, seq: 1, content: 'Welcome!' }]);
});

test('of twenty simultaneous joins, one creates the fan, and all return that fan', async () => {
  const { id, email, token } = await invited('1_month_free');
  const replies = await Promise.all(Array.from({ length: 20 }, (_, i) => join(token, `Ana ${i}`)));
  const statuses = replies.map(({ status }) => status).toSorted((a, b) => a - b);
  expect(statuses).toEqual([...Array.from({ length: 19 }, () => 200), 201]);
  const fans = await Promise.all(replies.map(({ body }) => fanOf(body.data)));
  expect(new Set(fans.map((fan) => fan?.id)).size).toBe(1);
  expect(await fansUnder(email)).toHaveLength(1);
  expect(await eventFor(id)).toEqual([
    { type: 'invite.accepted', conversation_id: fans[0]?.conversation_id },
  ]);
  const { rows } = await sql<{ once: boolean }>`
    select b.ends_at < now() + interval '40 days' as once from fan_benefits b where fan_id = ${fans[0]?.id}`.execute(
    app.db.kysely,
  );
  expect(rows).toEqual([{ once: true }]);
});

test('joining again with the same link returns the same fan under the first name, with another session', async () => {
  const { token, session, fan } = await joined();
  const again = await join(token, 'Somebody Else');
  expect(again.status).toBe(200);
  expect(again.body.data.token).not.toBe(session.token);
  expect(await fanOf(again.body.data)).toEqual(fan);
  expect((await app.anonymous.call(showInvitation, { params: { token } })).body.data.joined).toBe(
    true,
  );
  expect([await lives(session), await lives(again.body.data)]).toEqual([true, true]);
});

test('a fan who signed out can return with the same link until it expires', async () => {
  const { email, token, session, fan } = await joined();
  expect(await lives(session)).toBe(true);
  expect(await fanOf((await join(token)).body.data)).toEqual(fan);
  await age(email, 'expires_at', sql`interval '1 millisecond'`);
  expect(await refusal(token)).toMatchObject({ status: 410, code: 'invite_expired' });
});

test('a link keeps twenty sessions open; one more ends the oldest', async () => {
  const { token, session } = await joined();
  const later = [];
  for (let device = 2; device <= 20; device++) later.push((await join(token)).body.data);
  expect(await fanOf(session)).toBeDefined();
  later.push((await join(token)).body.data);
  expect(await fanOf(session)).toBeUndefined();
  expect((await Promise.all(later.map(fanOf))).every((fan) => fan !== undefined)).toBe(true);
});

test('joining never gives access to an existing fan with the invited address: it creates another fan with their own conversation', async () => {
  const { email, token } = await invited();
  const { fan: known } = await buildConversation(app, { fan: { email }, messages: ['A secret'] });
  const fan = await fanOf((await join(token)).body.data);
  expect(fan?.id).not.toBe(known.id);
  expect(fan?.conversation_id).not.toBe(known.conversation_id);
  const { body } = await app.platform.call(listFanMessages, {
    params: { fan: fan?.external_id ?? '' },
  });
  expect(body.data).toEqual([]);
  expect(await fansUnder(email)).toHaveLength(2);
});

test('joining never gives access to a platform fan with the id that joining would use', async () => {
  const { id, token } = await invited();
  await app.platform.call(putFan, { params: { fan: `invite:${id}` }, body: {} });
  expect(await refusal(token)).toMatchObject({ status: 409, code: 'invite_used' });
});

test('nobody can join with an invitation that the platform accepted', async () => {
  const { email, token } = await invited();
  const { fan } = await buildConversation(app);
  await accept(token, fan.external_id);
  expect(await refusal(token)).toMatchObject({ status: 409, code: 'invite_used' });
  expect(await fansUnder(email)).toEqual([]);
});

test('the platform can’t accept an invitation with which someone joined', async () => {
  const { token, fan } = await joined();
  const other = await desk.buildFan();
  const params = { token };
  expect(
    await app.platform.refused(acceptInvite, { params, body: { fan: other.external_id } }),
  ).toMatchObject({ status: 409, code: 'invite_used' });
  const { data } = (await accept(token, fan.external_id)).body;
  expect(data).toMatchObject({ fan: fan.external_id, benefit_type: '1_month_free' });
});

test('of a simultaneous acceptance by the platform and a join, one wins', async () => {
  for (let round = 0; round < 5; round++) {
    const { token } = await invited();
    const fan = await desk.buildFan();
    const replies = await Promise.all([
      app.platform.raw('POST', `/api/platform/invites/${token}/accept`, {
        body: { fan: fan.external_id },
      }),
      app.anonymous.raw('POST', `/api/fan/invitations/${token}/join`, {
        body: { first_name: 'Ana' },
      }),
    ]);
    const statuses = replies.map(({ status }) => status);
    expect([
      [200, 409],
      [409, 201],
    ]).toContainEqual(statuses);
  }
});

test('nobody can join with an unknown or expired link', async () => {
  expect(await refusal('nonsense')).toMatchObject({ status: 404, code: 'invite_not_found' });
  const { email, token } = await invited();
  await age(email, 'expires_at', sql`interval '1 millisecond'`);
  expect(await refusal(token)).toMatchObject({ status: 410, code: 'invite_expired' });
  expect(await fansUnder(email)).toEqual([]);
});

test.each([
  [{}, 'Please enter your name'],
  [{ first_name: '   ' }, 'Please enter your name'],
  [{ first_name: 'x'.repeat(101) }, undefined],
  [{ first_name: 'a\0b' }, undefined],
  [{ first_name: 'Ana', email: 'other@fans.example' }, undefined],
])('the form %j is refused, and the invitation stays valid', async (body, error) => {
  const { token } = await invited();
  const refused = await app.anonymous.refused(joinByInvitation, { params: { token }, body });
  expect(refused).toMatchObject({ status: 400, ...(error !== undefined && { error }) });
  expect((await join(token)).status).toBe(201);
});

test('when the platform ends all sessions, the link becomes invalid too', async () => {
  const { token, session, fan } = await joined();
  await app.platform.call(endFanSessions, { params: { fan: fan.external_id } });
  expect(await lives(session)).toBe(false);
  expect(await refusal(token)).toMatchObject({ status: 409, code: 'invite_used' });
});

test('erasing the fan leaves nothing behind, and the link stops working', async () => {
  const { email, token, session, fan } = await joined();
  await app.platform.call(eraseFan, { params: { fan: fan.external_id } });
  expect(await lives(session)).toBe(false);
  expect(await fansUnder(email)).toEqual([]);
  expect(await refusal(token)).toMatchObject({ status: 409, code: 'invite_used' });
  const { rows } = await sql`select from invites where email = ${email}`.execute(app.db.kysely);
  expect(rows).toEqual([]);
});

test('simultaneous joins, returns and an erasure all finish and leave no session without a fan', async () => {
  for (let round = 0; round < 4; round++) {
    const { token, fan } = await joined();
    const replies = await Promise.all([
      ...Array.from({ length: 4 }, () =>
        app.anonymous.raw('POST', `/api/fan/invitations/${token}/join`, {
          body: { first_name: 'Ana' },
        }),
      ),
      app.platform.raw('DELETE', `/api/platform/fans/${fan.external_id}`),
    ]);
    const statuses = replies.map(({ status }) => status);
    expect(statuses.at(-1)).toBe(204);
    for (const status of statuses.slice(0, -1)) expect([200, 409]).toContain(status);
    expect(await refusal(token)).toMatchObject({ status: 409 });
  }
});

test('the platform can then use the fan too: send their messages and change their profile', async () => {
  const { fan } = await joined();
  const { body } = await app.platform.call(putFan, {
    params: { fan: fan.external_id },
    body: { last_name: 'Silva' },
  });
  expect(body.data).toMatchObject({ id: fan.id, first_name: 'Ana', last_name: 'Silva' });
  await buildFanMessage(app, body.data);
});
