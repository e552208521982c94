import { listMessages } from '@stagedoor/contract/messages';
import { afterAll, expect, test } from 'vitest';
import { buildConversation, buildFanMessage, buildStaff } from '../../../test/factories.ts';
import { startTestApp } from '../../../test/test-app.ts';

const app = await startTestApp();
afterAll(() => app.close());
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

test('messages that arrive while one reads back move no page', async () => {
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

test('a conversation or a message that is not there is not found', async () => {
  const { id } = await buildConversation(app);
  const other = await buildConversation(app);
  for (const wrong of [crypto.randomUUID(), 'nonsense']) {
    const refusal = await client.refused(listMessages, { params: { id: wrong } });
    expect(refusal).toMatchObject({ status: 404, code: 'conversation_not_found' });
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
