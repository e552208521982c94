import { getConversation } from '@stagedoor/contract/inbox/conversations';
import { listMessages, sendMessage } from '@stagedoor/contract/messaging/messages';
import { postFanMessage } from '@stagedoor/contract/platform/platform';
import { updateProduct } from '@stagedoor/contract/selling/products';
import { expect, test } from 'vitest';
import {
  buildConversation,
  buildFanMessage,
  buildReply,
  buildStaff,
  unique,
} from '../../../test/factories.ts';
import { fetchFile, SAMPLES, uploadAsFan, uploadAsStaff } from '../../../test/files.ts';
import { sharedApp } from '../../../test/test-app.ts';
import { buildPicture, buildProduct } from '../../../test/worlds/catalogue.ts';

const app = await sharedApp();
const staff = await buildStaff(app);
const teammate = await buildStaff(app);
const manager = await buildStaff(app, { role: 'manager' });
const socket = await app.connectSocket(teammate.token);

const picture = await buildPicture();
const photo = { data: picture, filename: 'photo.png' };
const voice = { data: SAMPLES.ogg, filename: 'voice.ogg' };
const pdf = { data: SAMPLES.pdf, filename: 'contract.pdf' };

async function uploaded(conversationId: string, file = photo): Promise<string> {
  const [attachment] = await uploadAsStaff(staff, conversationId, file);
  return attachment?.id ?? '';
}

const newest = async (id: string) =>
  (await teammate.client.call(listMessages, { params: { id } })).body.data.at(-1);
const preview = async (id: string) =>
  (await staff.client.call(getConversation, { params: { id } })).body.data.last_message_content;

test('an album with a voice file and a PDF is one message, in order, live and on later fetches', async () => {
  const { id } = await buildConversation(app);
  const files = await uploadAsStaff(
    staff,
    id,
    photo,
    voice,
    { ...photo, filename: 'two.png' },
    pdf,
  );
  const sent = await buildReply(staff, id, {
    content: 'For you',
    attachments: files.map((file) => ({ id: file.id })),
  });
  const shape = [
    ['image', 'photo.png'],
    ['audio', 'voice.ogg'],
    ['image', 'two.png'],
    ['file', 'contract.pdf'],
  ];
  const { message: live } = await socket.nextEvent('new_message', (e) => e.message.id === sent.id);
  const listed = await newest(id);
  for (const message of [sent, live, listed]) {
    expect(message?.attachments.map(({ type, filename }) => [type, filename])).toEqual(shape);
    expect(message?.attachments.map((a) => a.id)).toEqual(files.map((file) => file.id));
  }
  const bytes = (await fetchFile(app, listed?.attachments[1]?.url)).bytes;
  expect(bytes.equals(SAMPLES.ogg)).toBe(true);
  expect(await preview(id)).toBe('For you');
});

test.each([
  ['a picture', photo, '📷 Photo'],
  ['a video', { data: SAMPLES.mp4, filename: 'a.mp4' }, '🎥 Video'],
  ['a voice file', voice, '🎵 Audio'],
  ['a PDF', pdf, '📎 Attachment'],
])('without text, the inbox labels %s by its type', async (_what, file, label) => {
  const { id } = await buildConversation(app);
  const attachments = [{ id: await uploaded(id, file) }];
  expect((await buildReply(staff, id, { content: '', attachments })).content).toBe('');
  expect(await preview(id)).toBe(label);
});

test('an upload is found by its id in upper case', async () => {
  const { id } = await buildConversation(app);
  const file = await uploaded(id);
  const sent = await buildReply(staff, id.toUpperCase(), {
    attachments: [{ id: file.toUpperCase() }],
  });
  expect(sent).toMatchObject({ conversation_id: id, attachments: [{ filename: 'photo.png' }] });
});

test('a message of attachments alone may have the placeholder or a blank as its text', async () => {
  const { id } = await buildConversation(app);
  const one = [{ id: await uploaded(id) }];
  expect((await buildReply(staff, id, { content: '  ', attachments: one })).content).toBe(' ');
  const two = [{ id: await uploaded(id) }];
  const named = await buildReply(staff, id, { content: '[Attachment]', attachments: two });
  expect(named.content).toBe('[Attachment]');
  expect(await preview(id)).toBe('📷 Photo');
});

test('a product is sent at the message’s price, as a copy', async () => {
  const { id } = await buildConversation(app);
  const product = await buildProduct(manager, {
    title: 'Sunset',
    description: 'Warm',
    price: '9.99',
  });
  const attachments = [{ product_id: product.id, price: 12.5, is_paid: true as const }];
  const sent = await buildReply(staff, id, { content: ' ', attachments });
  await manager.client.call(updateProduct, {
    params: { id: product.id },
    body: { title: 'Dawn', price: 99 },
  });
  expect(await preview(id)).toBe('🔒 Sunset · $12.50');
  for (const message of [sent, await newest(id)]) {
    expect(message?.attachments[0]).toMatchObject({
      type: 'image',
      is_paid: true,
      product_id: product.id,
      price: 12.5,
      title: 'Sunset',
      description: 'Warm',
      full_s3_key: product.full_s3_key,
      preview_s3_key: product.preview_s3_key,
      purchased_at: null,
    });
  }
  const sends = await app.db.kysely
    .selectFrom('product_sends')
    .selectAll()
    .where('message_id', '=', sent.id)
    .execute();
  expect(sends).toMatchObject([
    {
      attachment_id: sent.attachments[0]?.id,
      product_id: product.id,
      admin_id: staff.admin.id,
      price_cents: 1250,
    },
  ]);
});

test('a retry returns the same message, even if its product is no longer for sale', async () => {
  const { id } = await buildConversation(app);
  const product = await buildProduct(manager);
  const body = {
    conversation_id: id,
    content: '',
    attachments: [
      { id: await uploaded(id) },
      { product_id: product.id, price: 5, is_paid: true as const },
    ],
  };
  const headers = { 'idempotency-key': unique('temp') };
  const first = await staff.client.call(sendMessage, { headers, body });
  await manager.client.call(updateProduct, {
    params: { id: product.id },
    body: { is_active: false },
  });
  const again = await staff.client.call(sendMessage, { headers, body });
  expect([first.status, again.status]).toEqual([201, 200]);
  // Compares only ids, because links change with time.
  const ids = [first, again].map(({ body: { data } }) => [
    data.id,
    data.attachments.map((a) => a.id),
  ]);
  expect(ids[1]).toEqual(ids[0]);
  expect(again.body.data.attachments).toHaveLength(2);
  const other = { ...body, attachments: body.attachments.slice(0, 1) };
  expect(await staff.client.refused(sendMessage, { headers, body: other })).toMatchObject({
    status: 409,
    code: 'idempotency_conflict',
  });
});

test('sixteen identical concurrent sends with an upload store one message and all return it', async () => {
  const { id } = await buildConversation(app, { messages: [] });
  const body = { conversation_id: id, attachments: [{ id: await uploaded(id) }] };
  const headers = { 'idempotency-key': unique('temp') };
  const replies = await Promise.all(
    Array.from({ length: 16 }, () => staff.client.call(sendMessage, { headers, body })),
  );
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(new Set(replies.map((reply) => reply.body.data.id)).size).toBe(1);
});

test('only one of sixteen concurrent messages gets the same upload, and the others change nothing', async () => {
  const { id } = await buildConversation(app, { messages: [] });
  const wanted = await uploaded(id);
  const replies = await Promise.all(
    Array.from({ length: 16 }, async () =>
      staff.client.raw('POST', sendMessage.path, {
        body: { conversation_id: id, attachments: [{ id: wanted }, { id: await uploaded(id) }] },
      }),
    ),
  );
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
  for (const { status, text } of replies) {
    if (status !== 201)
      expect([status, JSON.parse(text).code]).toEqual([400, 'invalid_attachment']);
  }
  const { body } = await staff.client.call(getConversation, { params: { id } });
  expect((await newest(id))?.seq).toBe(1);
  const taken = await app.db.kysely
    .selectFrom('uploads')
    .select('id')
    .where('conversation_id', '=', id)
    .where('message_id', 'is not', null)
    .execute();
  expect(taken).toHaveLength(2);
  expect(body.data.last_message_content).toBe('📷 Photo');
});

test('an upload that is another admin’s, in another conversation, used, repeated or unknown can’t be sent', async () => {
  const { id, fan } = await buildConversation(app);
  const { id: elsewhere } = await buildConversation(app);
  const [others] = await uploadAsStaff(teammate, id, photo);
  const [fans] = await uploadAsFan(app, fan, photo);
  const used = await uploaded(id);
  await buildReply(staff, id, { attachments: [{ id: used }] });
  const twice = await uploaded(id);
  const product = await buildProduct(manager);
  for (const ids of [
    [others?.id ?? ''],
    [fans?.id ?? ''],
    [await uploaded(elsewhere)],
    [used],
    [twice, twice],
    [crypto.randomUUID()],
    ['../../etc/passwd'],
    [product.id],
    [product.full_s3_key],
  ]) {
    const refusal = await staff.client.refused(sendMessage, {
      body: { conversation_id: id, content: 'x', attachments: ids.map((one) => ({ id: one })) },
    });
    expect([ids, refusal.status, refusal.code]).toEqual([ids, 400, 'invalid_attachment']);
  }
  const byFan = await app.platform.refused(postFanMessage, {
    params: { fan: fan.external_id },
    body: { client_id: 'c', content: 'x', attachment_ids: [await uploaded(id)] },
  });
  expect(byFan).toMatchObject({ status: 400, code: 'invalid_attachment' });
});

test('an inactive or unknown product can’t be sent', async () => {
  const { id } = await buildConversation(app);
  const product = await buildProduct(manager);
  await manager.client.call(updateProduct, {
    params: { id: product.id },
    body: { is_active: false },
  });
  for (const product_id of [product.id, crypto.randomUUID(), 'x']) {
    const refusal = await staff.client.refused(sendMessage, {
      body: { conversation_id: id, attachments: [{ product_id, price: 5, is_paid: true }] },
    });
    expect(refusal).toMatchObject({ status: 400, code: 'invalid_attachment' });
  }
});

test('an attachment with any other field that was forged is refused', async () => {
  const { id } = await buildConversation(app);
  const product = await buildProduct(manager);
  const upload = await uploaded(id);
  const { full_s3_key, preview_s3_key } = product;
  for (const forged of [
    { full_s3_key, is_paid: false },
    { id: upload, full_s3_key, is_paid: false },
    { id: upload, url: 'https://evil.example/x.png' },
    { id: upload, type: 'image', mime_type: 'text/html' },
    { product_id: product.id, price: 5, is_paid: false },
    { product_id: product.id, price: 5 },
    { product_id: product.id, price: 0, is_paid: true },
    { product_id: product.id, price: -5, is_paid: true },
    { product_id: product.id, price: 0.001, is_paid: true },
    { product_id: product.id, price: 5, is_paid: true, full_s3_key: preview_s3_key },
    { product_id: product.id, price: 5, is_paid: true, id: upload },
    'x',
    null,
  ]) {
    const refusal = await staff.client.refused(sendMessage, {
      body: { conversation_id: id, content: 'x', attachments: [forged] },
    });
    expect([forged, refusal.status]).toEqual([forged, 400]);
  }
  expect((await newest(id))?.seq).toBe(1);
});

test('a quote shows the quoted message’s attachments to both sides', async () => {
  const { id, fan } = await buildConversation(app);
  const sent = await buildReply(staff, id, { attachments: [{ id: await uploaded(id) }] });
  const answer = await buildFanMessage(app, fan, { reply_to_message_id: sent.id });
  expect(answer.reply_to?.attachments).toMatchObject([{ type: 'image', locked: false }]);
  expect((await fetchFile(app, answer.reply_to?.attachments[0]?.url)).status).toBe(200);
  expect((await newest(id))?.reply_to?.attachments).toMatchObject([{ filename: 'photo.png' }]);
});

test('attachments sent over the socket behave as over HTTP', async () => {
  const { id } = await buildConversation(app);
  const sender = await app.connectSocket(staff.token);
  const upload = await uploaded(id);
  const tempId = unique('temp');
  const send = { conversation_id: id, content: '', attachments: [{ id: upload }], tempId };
  sender.socket.emit('send_message', send);
  const { message } = await sender.nextEvent('message_sent', (event) => event.tempId === tempId);
  expect(message.attachments).toMatchObject([{ id: upload, type: 'image' }]);
  sender.socket.emit('send_message', { ...send, tempId: unique('temp') });
  expect(await sender.nextEvent('message_error')).toMatchObject({ code: 'invalid_attachment' });
});
