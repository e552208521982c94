import type { Attachment } from '@stagedoor/contract/media';
import { sendMessage } from '@stagedoor/contract/messaging/messages';
import { scheduleMessage } from '@stagedoor/contract/messaging/scheduled';
import { recordPurchase } from '@stagedoor/contract/platform/platform';
import { expect, test } from 'vitest';
import { buildConversation, buildStaff, unique } from '../../../test/factories.ts';
import { SAMPLES, uploadAsStaff } from '../../../test/files.ts';
import { sharedApp } from '../../../test/test-app.ts';
import { buildOffer, buildPicture, buildProduct } from '../../../test/worlds/catalogue.ts';
import { saleOf } from '../../../test/worlds/market.ts';

const app = await sharedApp();
const staff = await buildStaff(app);
const manager = await buildStaff(app, { role: 'manager' });
const photo = { data: await buildPicture(), filename: 'photo.png' };
const pdf = { data: SAMPLES.pdf, filename: 'contract.pdf' };

async function uploaded(
  conversationId: string,
  file = photo,
): Promise<Attachment & { product_id: null }> {
  const [attachment] = await uploadAsStaff(staff, conversationId, file);
  if (!attachment || attachment.product_id !== null) throw new Error('nothing was uploaded');
  return { ...attachment, product_id: null };
}

const send = (conversation_id: string, attachments: readonly unknown[]) =>
  staff.client.raw('POST', sendMessage.path, {
    body: { conversation_id, content: ' ', attachments },
  });

test('the attachments that an upload returned can be sent unchanged, over HTTP and the socket', async () => {
  const { id } = await buildConversation(app);
  const whole = [await uploaded(id), await uploaded(id, pdf)];
  expect((await send(id, whole)).status).toBe(201);
  const sender = await app.connectSocket(staff.token);
  const tempId = unique('temp');
  const others = [await uploaded(id), await uploaded(id, pdf)];
  sender.socket.emit('send_message', {
    conversation_id: id,
    content: ' ',
    attachments: others,
    tempId,
  });
  const { message } = await sender.nextEvent('message_sent', (event) => event.tempId === tempId);
  expect(message.attachments.map((a) => a.id)).toEqual(others.map((a) => a.id));
  const later = await staff.client.call(scheduleMessage, {
    params: { id },
    body: {
      content: ' ',
      attachments: [await uploaded(id)],
      send_at: new Date(Date.now() + 3_600_000).toISOString(),
      is_follow_up: false,
    },
  });
  expect(Object.keys(later.body.data.attachments[0]?.input ?? {})).toEqual(['id']);
});

test('a product can be sent with all its fields from the catalog', async () => {
  const { id } = await buildConversation(app);
  const product = await buildProduct(manager, { description: 'Warm' });
  const { title, description, image_url, preview_url, preview_s3_key, full_s3_key } = product;
  const whole = {
    id: product.id,
    type: 'image',
    url: image_url,
    thumbnail_url: null,
    filename: null,
    is_paid: true,
    product_id: product.id,
    price: 12.5,
    title,
    description,
    preview_url,
    preview_s3_key,
    full_s3_key,
  };
  for (const attachment of [
    { type: 'image', product_id: product.id, price: 12.5, is_paid: true },
    whole,
  ])
    expect((await send(id, [attachment])).status).toBe(201);
});

test('a send with the whole attachment and one with its id alone are the same send', async () => {
  const { id } = await buildConversation(app);
  const whole = await uploaded(id);
  const headers = { 'idempotency-key': unique('temp') };
  const body = { conversation_id: id, content: ' ' };
  const first = await staff.client.call(sendMessage, {
    headers,
    body: { ...body, attachments: [whole] },
  });
  const again = await staff.client.call(sendMessage, {
    headers,
    body: { ...body, attachments: [{ id: whole.id }] },
  });
  expect([again.status, again.body.data.id]).toEqual([200, first.body.data.id]);
});

test('a field that differs from the stored value is refused as forged', async () => {
  const { id, fan } = await buildConversation(app);
  const whole = await uploaded(id);
  const other = await uploaded(id);
  const product = await buildProduct(manager);
  const offer = { product_id: product.id, price: 5, is_paid: true };
  const sold = await buildProduct(manager);
  const paid = await buildOffer(staff, id, [sold], 5);
  await app.platform.call(recordPurchase, { body: saleOf(fan, paid, 5) });
  for (const [attachment, forged] of [
    [whole, { type: 'video' }],
    [whole, { url: other.url }],
    [whole, { url: `${whole.url}x` }],
    [whole, { url: 'https://evil.example/x.png' }],
    [whole, { thumbnail_url: other.thumbnail_url }],
    [whole, { filename: 'other.png' }],
    [whole, { size: 1 }],
    [whole, { mime_type: 'text/html' }],
    [whole, { width: 1 }],
    [whole, { is_paid: true }],
    [whole, { price: 5 }],
    [whole, { is_paid: true, price: 5, product_id: product.id }],
    [whole, { title: 'Sunset' }],
    [whole, { full_s3_key: product.full_s3_key }],
    [whole, { purchased_at: '2026-01-01T00:00:00.000Z' }],
    [offer, { id: other.id }],
    [offer, { type: 'audio' }],
    [offer, { title: 'Other' }],
    [offer, { url: whole.url }],
    [offer, { full_s3_key: product.preview_s3_key }],
    [offer, { purchased_at: '2026-01-01T00:00:00.000Z' }],
    [{ product_id: sold.id, is_paid: false }, { price: 5 }],
    [{ product_id: sold.id, is_paid: false }, { title: 'Other' }],
  ] as const) {
    const { status, text } = await send(id, [{ ...attachment, ...forged }]);
    expect([forged, status, JSON.parse(text).code]).toEqual([forged, 400, 'invalid_attachment']);
  }
  for (const attachment of [whole, offer, { product_id: sold.id, is_paid: false }])
    expect((await send(id, [attachment])).status).toBe(201);
});

test('an unknown attachment field is refused', async () => {
  const { id } = await buildConversation(app);
  const { status, text } = await send(id, [{ ...(await uploaded(id)), locked: false }]);
  expect([status, JSON.parse(text).code]).toEqual([400, 'invalid_request']);
});
