import { endpoints } from '@stagedoor/contract/endpoints';
import { getConversation } from '@stagedoor/contract/inbox/conversations';
import {
  eraseFan,
  getCreator,
  listFanMessages,
  type PlatformFan,
  postFanMessage,
  postFanReaction,
  postFanRead,
  putFan,
  uploadFanFiles,
} from '@stagedoor/contract/platform/platform';
import { createPlatformKey } from '@stagedoor/contract/platform/platform-keys';
import { expect, test } from 'vitest';
import {
  buildConversation,
  buildFan,
  buildFanMessage,
  buildReply,
  buildStaff,
  unique,
} from '../../../test/factories.ts';
import { filesForm, uploadAsFan } from '../../../test/files.ts';
import { httpClient } from '../../../test/http-client.ts';
import { untilWaiting, whileLocked } from '../../../test/on-database.ts';
import { CREATOR_NAME, PLATFORM_KEY, sharedApp, startTestApp } from '../../../test/test-app.ts';
import { saveFan } from '../../fans/fans/fans.store.ts';

const app = await sharedApp();
const { platform } = app;

const put = (fan: string, body: Record<string, unknown>) =>
  platform.call(putFan, { params: { fan }, body });
const write = (
  fan: PlatformFan,
  body: { client_id: string; content: string; reply_to_message_id?: string },
) => platform.call(postFanMessage, { params: { fan: fan.external_id }, body });

test('a fan is created with a conversation, and then updated', async () => {
  const external_id = unique('Fan.1:a_b');
  const created = await put(external_id, {
    first_name: 'Ana',
    last_name: 'Silva',
    username: 'ana',
    email: ' Ana@Fans.Example ',
    avatar_url: 'https://cdn.example/ana.png',
    timezone: 'Europe/Lisbon',
  });
  expect(created.status).toBe(201);
  const fan = created.body.data;
  expect(fan).toEqual({
    id: fan.id,
    external_id,
    conversation_id: fan.conversation_id,
    first_name: 'Ana',
    last_name: 'Silva',
    username: 'ana',
    email: 'ana@fans.example',
    avatar_url: 'https://cdn.example/ana.png',
    timezone: 'Europe/Lisbon',
    created_at: fan.created_at,
  });
  const updated = await put(external_id, { first_name: 'Anna' });
  expect(updated.status).toBe(200);
  expect(updated.body.data).toEqual({ ...fan, first_name: 'Anna' });
});

test('a field that is left out keeps its value, and null clears it', async () => {
  const fan = await buildFan(app, {
    first_name: 'Ana',
    last_name: 'Silva',
    email: 'a@fans.example',
  });
  const { body } = await put(fan.external_id, { last_name: null, email: null });
  expect(body.data).toEqual({ ...fan, last_name: null, email: null });
  expect((await put(fan.external_id, {})).body.data).toEqual(body.data);
});

test('a put without changes raises no version and emits nothing', async () => {
  const fan = await buildFan(app, { first_name: 'Ana', timezone: 'Europe/Lisbon' });
  const { client, token } = await buildStaff(app);
  const version = async () =>
    (await client.call(getConversation, { params: { id: fan.conversation_id } })).body.data.version;
  const before = await version();
  const socket = await app.connectSocket(token);
  for (const body of [{}, { first_name: 'Ana' }, { timezone: 'Europe/Lisbon', last_name: null }]) {
    expect(await put(fan.external_id, body)).toMatchObject({ status: 200, body: { data: fan } });
  }
  expect(await version()).toBe(before);
  // An earlier event would have arrived before this one.
  await put(fan.external_id, { first_name: 'Anna' });
  const received = await socket.nextEvent(
    'conversation_updated',
    ({ conversation }) => conversation.id === fan.conversation_id,
  );
  expect(received.conversation).toMatchObject({ version: before + 1, fan: { first_name: 'Anna' } });
});

test('consoles get a changed profile even if the node died before it emitted the event', async () => {
  const fan = await buildFan(app);
  const { token } = await buildStaff(app);
  const socket = await app.connectSocket(token);
  // Commits without emitting, like a node that dies right after.
  const notEmitted = async () => undefined;
  await saveFan(app.db, notEmitted, fan.external_id, { first_name: 'Bea' });
  const received = await socket.nextEvent(
    'conversation_updated',
    ({ conversation }) => conversation.id === fan.conversation_id,
  );
  expect(received.conversation.fan.first_name).toBe('Bea');
});

test('a concurrent erasure and change of a fan both succeed', async () => {
  const fan = await buildFan(app);
  const params = { fan: fan.external_id };
  const lock = `select from conversations where id = '${fan.conversation_id}' for update`;
  const calls = await whileLocked(app.databaseUrl, lock, async () => {
    const erased = platform.call(eraseFan, { params });
    await untilWaiting(app, 1);
    const changed = platform.call(putFan, { params, body: { first_name: 'Anna' } });
    await untilWaiting(app, 2);
    return [erased, changed];
  });
  // Erased first, then created again.
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([204, 201]);
});

test('a fan who is erased during a send or an upload is not found', async () => {
  const fan = await buildFan(app);
  const params = { fan: fan.external_id };
  const file = { filename: 'notes.txt', data: Buffer.from('La la la') };
  const attachment_ids = (await uploadAsFan(app, fan, file)).map(({ id }) => id);
  const lock = `select from conversations where id = '${fan.conversation_id}' for update`;
  const [erased, ...calls] = await whileLocked(app.databaseUrl, lock, async () => {
    const erased = platform.call(eraseFan, { params });
    await untilWaiting(app, 1);
    const body = { client_id: 'late', content: '', attachment_ids };
    const sent = platform.refused(postFanMessage, { params, body });
    await untilWaiting(app, 2);
    const uploaded = platform.refused(uploadFanFiles, { params, body: filesForm([file]) });
    await untilWaiting(app, 3);
    return [erased, sent, uploaded] as const;
  });
  expect((await erased).status).toBe(204);
  const notFound = { status: 404, code: 'fan_not_found' };
  expect(await Promise.all(calls)).toMatchObject([notFound, notFound]);
});

test('the same new fan put eight times at once is one fan with one conversation, created once', async () => {
  for (let round = 0; round < 5; round++) {
    const external_id = unique('fan');
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, index) => put(external_id, { first_name: `Ana ${index}` })),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(
      new Set(replies.map(({ body }) => `${body.data.id} ${body.data.conversation_id}`)).size,
    ).toBe(1);
  }
});

test.each<[string, Record<string, unknown>]>([
  ['an unknown field', { nickname: 'x' }],
  ['staff’s own fields', { admin_tags: [] }],
  ['a number for a name', { first_name: 1 }],
  ['201 characters of name', { first_name: 'x'.repeat(201) }],
  ['a NUL', { username: 'a\0b' }],
  ['an invalid email address', { email: 'nobody' }],
  ['a script for a picture', { avatar_url: 'javascript:alert(1)' }],
  ['a file for a picture', { avatar_url: 'file:///etc/passwd' }],
  ['a time zone that is none', { timezone: 'Mars/Olympus' }],
  ['an ambiguous abbreviation', { timezone: 'BST' }],
  ['an ambiguous abbreviation in lower case', { timezone: 'ist' }],
  ['a time zone that PostgreSQL doesn’t know', { timezone: 'SystemV/EST5' }],
])('a fan with %s is refused and not created', async (_what, body) => {
  const fan = unique('fan');
  const refusal = await platform.refused(putFan, { params: { fan }, body });
  expect(refusal).toMatchObject({ status: 400, code: 'invalid_request' });
  expect((await platform.refused(listFanMessages, { params: { fan } })).status).toBe(404);
});

test('a picture’s URL that is too long is refused for its length', async () => {
  const avatar_url = `https://cdn.example/${'x'.repeat(2048)}`;
  const refusal = await platform.refused(putFan, { params: { fan: 'x' }, body: { avatar_url } });
  expect(refusal.fields).toEqual({ avatar_url: 'Must be at most 2048 characters' });
});

test.each(['a b', 'ünïcode', 'a/b', 'x'.repeat(129), 'a%00b'])(
  'an invalid fan id %j is refused',
  async (fan) => {
    const refusal = await platform.refused(putFan, { params: { fan }, body: {} });
    expect(refusal).toMatchObject({ status: 400, code: 'invalid_request' });
  },
);

test('an unknown fan is not found in any request', async () => {
  const params = { fan: unique('nobody') };
  const calls = [
    [postFanMessage, { params, body: { client_id: '1', content: 'x' } }],
    [listFanMessages, { params }],
    [postFanRead, { params, body: { up_to_message_id: 'x' } }],
    [postFanReaction, { params, body: { message_id: 'x', emoji: '🔥' } }],
  ] as const;
  for (const [endpoint, input] of calls) {
    expect(await platform.refused(endpoint, input)).toMatchObject({
      status: 404,
      code: 'fan_not_found',
    });
  }
});

test('a fan writes once per client id: a retry returns the same message, other content is a conflict', async () => {
  const fan = await buildFan(app);
  const client_id = unique('client');
  const first = await write(fan, { client_id, content: '  spaces stay ' });
  expect(first.status).toBe(201);
  expect(first.body.data).toMatchObject({
    conversation_id: fan.conversation_id,
    sender_id: fan.id,
    content: '  spaces stay ',
    seq: 1,
    read_at: null,
    attachments: [],
    reactions: [],
  });
  const again = await write(fan, { client_id, content: '  spaces stay ' });
  expect(again.status).toBe(200);
  expect(again.body).toEqual(first.body);
  const params = { fan: fan.external_id };
  for (const content of ['other', 'spaces stay']) {
    const refusal = await platform.refused(postFanMessage, {
      params,
      body: { client_id, content },
    });
    expect(refusal).toMatchObject({ status: 409, code: 'idempotency_conflict' });
  }
  const stored = await platform.call(listFanMessages, { params });
  expect(stored.body.data).toEqual([first.body.data]);
});

test('the same message posted eight times at once is stored once', async () => {
  const fan = await buildFan(app);
  const client_id = unique('client');
  const replies = await Promise.all(
    Array.from({ length: 8 }, () => write(fan, { client_id, content: 'once' })),
  );
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    ...Array<number>(7).fill(200),
    201,
  ]);
  expect(new Set(replies.map(({ body }) => body.data.id)).size).toBe(1);
});

test('two fans may use the same client id', async () => {
  const client_id = unique('client');
  const replies = [
    await write(await buildFan(app), { client_id, content: 'one' }),
    await write(await buildFan(app), { client_id, content: 'two' }),
  ];
  expect(replies.map(({ status }) => status)).toEqual([201, 201]);
});

test.each<[string, Record<string, unknown>, number, string]>([
  ['no client id', { content: 'x' }, 400, 'invalid_request'],
  ['an empty client id', { client_id: '', content: 'x' }, 400, 'invalid_request'],
  [
    '129 characters of client id',
    { client_id: 'x'.repeat(129), content: 'x' },
    400,
    'invalid_request',
  ],
  ['no content', { client_id: '1' }, 400, 'invalid_request'],
  ['blank content', { client_id: '1', content: ' \n' }, 400, 'invalid_request'],
  ['too much content', { client_id: '1', content: 'x'.repeat(10_001) }, 400, 'invalid_request'],
  ['an unknown field', { client_id: '1', content: 'x', read_at: 'now' }, 400, 'invalid_request'],
  [
    'an unknown upload',
    { client_id: '1', content: 'x', attachment_ids: ['a'] },
    400,
    'invalid_attachment',
  ],
  [
    'a quote that is not there',
    { client_id: '1', content: 'x', reply_to_message_id: 'a' },
    404,
    'message_not_found',
  ],
])('a fan’s message with %s is refused', async (_what, body, status, code) => {
  const fan = await buildFan(app);
  const params = { fan: fan.external_id };
  expect(await platform.refused(postFanMessage, { params, body })).toMatchObject({ status, code });
  expect((await platform.call(listFanMessages, { params })).body.data).toEqual([]);
});

test('a fan can’t quote, read or react to a message of another fan’s conversation', async () => {
  const other = await buildConversation(app);
  const theirs = other.messages[0]?.id ?? '';
  const fan = await buildFan(app);
  const params = { fan: fan.external_id };
  const refusals = [
    await platform.refused(postFanMessage, {
      params,
      body: { client_id: '1', content: 'x', reply_to_message_id: theirs },
    }),
    await platform.refused(listFanMessages, { params, query: { before: theirs } }),
    await platform.refused(postFanRead, { params, body: { up_to_message_id: theirs } }),
    await platform.refused(postFanReaction, { params, body: { message_id: theirs, emoji: '🔥' } }),
  ];
  for (const refusal of refusals) {
    expect(refusal).toMatchObject({ status: 404, code: 'message_not_found' });
  }
});

test('the fan’s messages come newest first, in pages of fifty', async () => {
  const { fan } = await buildConversation(app, {
    messages: Array.from({ length: 55 }, (_, index) => `Message ${index + 1}`),
  });
  const params = { fan: fan.external_id };
  const first = await platform.call(listFanMessages, { params });
  expect(first.body.data.map(({ seq }) => seq)).toEqual(
    Array.from({ length: 50 }, (_, index) => 55 - index),
  );
  const before = first.body.data.at(-1)?.id ?? '';
  const rest = await platform.call(listFanMessages, { params, query: { before, limit: 100 } });
  expect(rest.body.data.map(({ seq }) => seq)).toEqual([5, 4, 3, 2, 1]);
  for (const query of [{ limit: 0 }, { limit: 101 }, { limit: 'x' }, { offset: 1 }]) {
    expect((await platform.refused(listFanMessages, { params, query })).status).toBe(400);
  }
});

test('unknown fields are refused in reads and reactions too', async () => {
  const { fan, messages } = await buildConversation(app);
  const params = { fan: fan.external_id };
  const message_id = messages[0]?.id;
  const wrong = [
    [postFanRead, {}],
    [postFanRead, { up_to_message_id: message_id, read_at: 'now' }],
    [postFanReaction, { message_id }],
    [postFanReaction, { message_id, emoji: '👎' }],
    [postFanReaction, { message_id, emoji: '🔥', user_id: 'x' }],
  ] as const;
  for (const [endpoint, body] of wrong) {
    const refusal = await platform.refused(endpoint, { params, body });
    expect(refusal).toMatchObject({ status: 400, code: 'invalid_request' });
  }
});

/** A valid body for each call that needs one. */
const BODIES: Record<string, object> = {
  acceptInvite: { fan: 'ana' },
  putFan: {},
  postFanMessage: { client_id: '1', content: 'x' },
  postFanReaction: { message_id: 'x', emoji: '🔥' },
  postFanRead: { up_to_message_id: 'x' },
  putSubscription: { status: null },
  recordPurchase: {
    fan: 'ana',
    message_id: 'x',
    attachment_id: 'x',
    amount: 1,
    payment_reference: 'x',
  },
  recordRefund: { payment_reference: 'x' },
  recordTip: { fan: 'ana', amount: 1, payment_reference: 'x' },
};

test.each(Object.entries(endpoints).filter(([, { auth }]) => auth === 'platform'))(
  '%s refuses an unknown field in its query and body',
  async (name, endpoint) => {
    const fan = await buildFan(app);
    const manager = await buildStaff(app, { role: 'manager' });
    const scope = 'scope' in endpoint ? endpoint.scope : 'platform';
    const { body } = await manager.client.call(createPlatformKey, { body: { name, scope } });
    const client = httpClient(app.url, body.data.key);
    const params = { fan: fan.external_id, token: 'x' };
    const extra = { dry_run: true };
    const wrong = [{ params, query: extra, body: BODIES[name] }];
    if (endpoint.method !== 'GET' && !('upload' in endpoint)) {
      wrong.push({ params, query: {} as typeof extra, body: { ...BODIES[name], ...extra } });
    }
    for (const input of wrong) {
      const refusal = await client.refused(endpoint, input);
      expect(refusal).toMatchObject({ status: 400, code: 'invalid_request' });
      expect(refusal.fields).toEqual({ '': 'Unrecognized key: "dry_run"' });
    }
    if ('upload' in endpoint) {
      const refusal = await client.refused(endpoint, { params, body: extra });
      expect(refusal).toMatchObject({ status: 415, code: 'unsupported_media_type' });
    }
    expect((await put(fan.external_id, {})).status).toBe(200);
  },
);

test('the creator has a name for fans', async () => {
  const { body } = await platform.call(getCreator);
  expect(body.data).toMatchObject({ display_name: CREATOR_NAME, avatar_url: null });
});

test('to a fan all staff are the creator: no reply says which of them wrote or reacted', async () => {
  const staff = [await buildStaff(app), await buildStaff(app, { role: 'manager' })];
  const { id, fan, messages } = await buildConversation(app);
  const message_id = messages[0]?.id ?? '';
  const params = { fan: fan.external_id };
  const replies = [];
  for (const one of staff) {
    replies.push(await buildReply(one, id, { reply_to_message_id: message_id }));
    const socket = await app.connectSocket(one.token);
    socket.socket.emit('toggle_reaction', { conversation_id: id, message_id, emoji: '🔥' });
    await socket.nextEvent('reaction_toggled', ({ user_id }) => user_id === one.admin.id);
  }
  const quoting = {
    client_id: unique('client'),
    content: 'x',
    reply_to_message_id: replies[0]?.id ?? '',
  };
  const seen = [
    await put(fan.external_id, {}),
    await write(fan, quoting),
    await write(fan, quoting),
    await platform.call(listFanMessages, { params }),
    await platform.call(postFanRead, { params, body: { up_to_message_id: replies[1]?.id ?? '' } }),
    await platform.call(postFanReaction, { params, body: { message_id, emoji: '👍' } }),
    await platform.refused(postFanReaction, { params, body: { message_id: 'x', emoji: '👍' } }),
    await platform.call(getCreator),
  ];
  const everything = seen
    .map(({ text, headers }) => text + JSON.stringify([...headers]))
    .join('\n');
  for (const { admin } of staff) {
    for (const secret of [admin.id, admin.email, admin.codename, '"author"']) {
      expect(everything).not.toContain(secret);
    }
  }
  const { body } = await platform.call(listFanMessages, { params });
  const creator = (await platform.call(getCreator)).body.data;
  expect(body.data.at(-1)?.reactions.map(({ user_id, emoji }) => [user_id, emoji])).toEqual(
    expect.arrayContaining([
      [creator.id, '🔥'],
      [fan.id, '👍'],
    ]),
  );
  expect(body.data.at(-1)?.reactions).toHaveLength(2);
  expect(
    body.data.find(({ reply_to }) => reply_to?.sender.id === creator.id)?.reply_to?.sender.username,
  ).toBe(CREATOR_NAME);
});

test.each([
  ['no key', null],
  ['a wrong key', `${PLATFORM_KEY}x`],
  ['a part of the key', PLATFORM_KEY.slice(0, -1)],
  ['the key in other case', PLATFORM_KEY.toUpperCase()],
])('with %s a request is refused before anything else is checked', async (_what, key) => {
  const client = httpClient(app.url, key);
  const calls = [
    [putFan, { params: { fan: 'a b' }, body: { nope: 1 } }],
    [listFanMessages, { params: { fan: 'nobody' } }],
    [getCreator, {}],
  ] as const;
  for (const [endpoint, input] of calls) {
    expect(await client.refused(endpoint, input)).toMatchObject({
      status: 401,
      code: 'unauthorized',
    });
  }
});

test('an installation without a platform key accepts no key', async () => {
  const shut = await startTestApp({ platformKey: null });
  for (const key of [PLATFORM_KEY, 'null', 'undefined']) {
    expect((await httpClient(shut.url, key).refused(getCreator)).status).toBe(401);
  }
  await shut.close();
});

test('a message of an archived conversation’s fan leaves it archived and counts as unread', async () => {
  const { id, fan } = await buildConversation(app, { messages: [], status: 'archived' });
  const socket = await app.connectSocket((await buildStaff(app)).token);
  await buildFanMessage(app, fan);
  const { conversation } = await socket.nextEvent(
    'new_message',
    (event) => event.conversation_id === id,
  );
  expect(conversation).toMatchObject({ status: 'archived', unread_count: 1 });
});
