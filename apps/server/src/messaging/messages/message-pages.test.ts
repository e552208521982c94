import { listMessages } from '@stagedoor/contract/messaging/messages';
import { expect, test } from 'vitest';
import { buildConversation, buildFanMessage, buildStaff } from '../../../test/factories.ts';
import { sharedApp } from '../../../test/test-app.ts';

const app = await sharedApp();
const { client } = await buildStaff(app);
const texts = (count: number) =>
  Array.from({ length: count }, (_, index) => `Message ${index + 1}`);

test('the first page has the newest fifty, ascending, and says whether older ones exist', async () => {
  const { id } = await buildConversation(app, { messages: texts(53) });
  const { body } = await client.call(listMessages, { params: { id } });
  expect(body.data.map(({ seq }) => seq)).toEqual(
    Array.from({ length: 50 }, (_, index) => index + 4),
  );
  expect(body.has_more).toBe(true);
  const older = await client.call(listMessages, {
    params: { id },
    query: { before: body.data[0]?.id ?? '' },
  });
  expect(older.body.data.map(({ seq }) => seq)).toEqual([1, 2, 3]);
  expect(older.body.has_more).toBe(false);
});

test('a page that ends exactly at the first message says that there are no older ones', async () => {
  const { id } = await buildConversation(app, { messages: texts(4) });
  const { body } = await client.call(listMessages, { params: { id }, query: { limit: 4 } });
  expect(body.data).toHaveLength(4);
  expect(body.has_more).toBe(false);
});

test('messages that arrive while reading back do not shift the pages', async () => {
  const { id, fan, messages } = await buildConversation(app, { messages: texts(9) });
  const seen: number[] = [];
  let before: string | undefined;
  for (let more = true; more; ) {
    const { body } = await client.call(listMessages, {
      params: { id },
      query: { limit: 2, ...(before !== undefined && { before }) },
    });
    seen.unshift(...body.data.map(({ seq }) => seq));
    before = body.data[0]?.id;
    more = body.has_more;
    await buildFanMessage(app, fan);
  }
  expect(seen).toEqual(messages.map((_, index) => index + 1));
});

test('an empty conversation has an empty page', async () => {
  const { id } = await buildConversation(app, { messages: [] });
  const { body } = await client.call(listMessages, { params: { id } });
  expect(body).toMatchObject({ data: [], has_more: false });
});

test('an unknown conversation or message is not found', async () => {
  const { id } = await buildConversation(app);
  const other = await buildConversation(app);
  for (const wrong of [crypto.randomUUID(), 'nonsense']) {
    for (const query of [{}, { before: crypto.randomUUID() }, { before: 'nonsense' }]) {
      const refusal = await client.refused(listMessages, { params: { id: wrong }, query });
      expect(refusal).toMatchObject({ status: 404, code: 'conversation_not_found' });
    }
  }
  for (const before of [other.messages[0]?.id, crypto.randomUUID(), 'nonsense']) {
    const refusal = await client.refused(listMessages, { params: { id }, query: { before } });
    expect(refusal).toMatchObject({ status: 404, code: 'message_not_found' });
  }
});

test.each([0, 201, -1, 'x'])('a limit of %j is refused', async (limit) => {
  const { id } = await buildConversation(app, { messages: [] });
  const refusal = await client.refused(listMessages, { params: { id }, query: { limit } });
  expect(refusal).toMatchObject({ status: 400, code: 'invalid_request' });
});

const seqs = (page: { data: { seq: number }[] }) => page.data.map(({ seq }) => seq);
const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

test('a page around a message has 25 on either side, and says whether there are more', async () => {
  const { id, messages } = await buildConversation(app, { messages: texts(80) });
  const around = async (seq: number) =>
    (await client.call(listMessages, { params: { id }, query: { around: messages[seq - 1]?.id } }))
      .body;
  const middle = await around(40);
  expect(seqs(middle)).toEqual(range(15, 65));
  expect(middle).toMatchObject({ has_more: true, has_older: true, has_newer: true });
  const first = await around(1);
  expect(seqs(first)).toEqual(range(1, 26));
  expect(first).toMatchObject({ has_older: false, has_newer: true });
  const edge = await around(26);
  expect(seqs(edge)).toEqual(range(1, 51));
  expect(edge).toMatchObject({ has_older: false, has_newer: true });
  const last = await around(80);
  expect(seqs(last)).toEqual(range(55, 80));
  expect(last).toMatchObject({ has_older: true, has_newer: false });
  expect(seqs(await around(55))).toEqual(range(30, 80));
});

test('paging both ways from a message reaches both ends, each message once', async () => {
  const { id, messages } = await buildConversation(app, { messages: texts(70) });
  const page = async (query: {
    around?: string;
    before?: string;
    after?: string;
    limit?: number;
  }) => (await client.call(listMessages, { params: { id }, query })).body;
  const start = await page({ around: messages[34]?.id ?? '' });
  const found = [...start.data];
  let older = start.has_older;
  while (older) {
    const before = await page({ before: found[0]?.id ?? '', limit: 4 });
    expect(before.has_newer).toBe(true);
    found.unshift(...before.data);
    older = before.has_older;
  }
  let newer = start.has_newer;
  while (newer) {
    const after = await page({ after: found.at(-1)?.id ?? '', limit: 4 });
    expect(after.has_older).toBe(true);
    found.push(...after.data);
    newer = after.has_newer;
  }
  expect(found.map(({ seq }) => seq)).toEqual(range(1, 70));
});

test('the newest page has nothing newer, and after the last message there is nothing', async () => {
  const { id, messages } = await buildConversation(app, { messages: texts(2) });
  const { body } = await client.call(listMessages, { params: { id } });
  expect(body).toMatchObject({ has_older: false, has_newer: false });
  const end = await client.call(listMessages, {
    params: { id },
    query: { after: messages[1]?.id },
  });
  expect(end.body).toMatchObject({ data: [], has_older: true, has_newer: false });
});

test.each(['around', 'after'] as const)(
  'a message of another conversation is not found by %s',
  async (name) => {
    const { id } = await buildConversation(app);
    const other = await buildConversation(app);
    for (const wrong of [other.messages[0]?.id, crypto.randomUUID(), 'nonsense']) {
      const query = { [name]: wrong };
      const refusal = await client.refused(listMessages, { params: { id }, query });
      expect(refusal).toMatchObject({ status: 404, code: 'message_not_found' });
    }
    const query = { [name]: other.messages[0]?.id };
    for (const nowhere of [crypto.randomUUID(), 'nonsense']) {
      const refusal = await client.refused(listMessages, { params: { id: nowhere }, query });
      expect(refusal).toMatchObject({ status: 404, code: 'conversation_not_found' });
    }
  },
);

test('before, after and around can’t be combined', async () => {
  const { id, messages } = await buildConversation(app);
  const one = messages[0]?.id ?? '';
  const query = { around: one, before: one };
  const refusal = await client.refused(listMessages, { params: { id }, query });
  expect(refusal).toMatchObject({ status: 400, code: 'invalid_request' });
});
