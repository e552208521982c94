import { randomBytes } from 'node:crypto';
import { MEDIA_URL_SECONDS } from '@stagedoor/contract/media';
import { listMessages } from '@stagedoor/contract/messaging/messages';
import {
  listFanMessages,
  recordPurchase,
  recordRefund,
} from '@stagedoor/contract/platform/platform';
import { requestOtp, verifyOtp } from '@stagedoor/contract/team/auth';
import { describe, expect, test } from 'vitest';
import {
  buildAdmin,
  buildConversation,
  buildFanMessage,
  buildReply,
  buildStaff,
} from '../../test/factories.ts';
import { fetchFile, SAMPLES, uploadAsFan, uploadAsStaff } from '../../test/files.ts';
import { sharedApp } from '../../test/test-app.ts';
import { buildPicture } from '../../test/worlds/catalogue.ts';
import { openMarket } from '../../test/worlds/market.ts';
import { createMediaLinks } from './media-links.ts';

const mediaKey = randomBytes(32);
const app = await sharedApp({ mediaKey });
const staff = await buildStaff(app);
const { id: conversationId, fan } = await buildConversation(app);
const [video] = await uploadAsStaff(staff, conversationId, {
  data: SAMPLES.mp4,
  filename: 'clip.mp4',
});
const get = (url: string | null | undefined, headers: Record<string, string> = {}) =>
  fetchFile(app, url, { headers });

test('a link stays the same for a while and is never valid for more than 300 seconds', () => {
  const file = { key: 'uploads/x', mime_type: 'image/png', filename: null };
  let now = Date.parse('2026-11-21T10:00:00Z');
  const links = createMediaLinks(mediaKey, () => now);
  const urls = new Set<string>();
  for (let second = 0; second < 600; second++) {
    const url = links.forStaff('staff', file);
    urls.add(url);
    const { secondsLeft } = links.read(url.slice('/api/media/'.length));
    expect(secondsLeft).toBeGreaterThanOrEqual(150);
    expect(secondsLeft).toBeLessThanOrEqual(300);
    now += 1_000;
  }
  expect(urls.size).toBe(4);
});

test('a link with any alteration is rejected', async () => {
  const url = video?.url ?? '';
  const [payload = '', signature = ''] = url.slice('/api/media/'.length).split('.');
  const forged = Buffer.from(
    Buffer.from(payload, 'base64url').toString().replace('video/mp4', 'text/html'),
  ).toString('base64url');
  const other = randomBytes(32);
  for (const token of [
    `${forged}.${signature}`,
    `${payload}.${signature.slice(0, -1)}`,
    `${payload}.${signature}A`,
    `${payload}.${signature}.`,
    `${payload}.`,
    payload,
    'x',
    '%00',
    '../../keys/media-urls',
    createMediaLinks(other)
      .forStaff({ sessionId: 'x' }, { key: 'uploads/x', mime_type: 'image/png', filename: null })
      .slice('/api/media/'.length),
  ]) {
    const reply = await get(`/api/media/${token}`);
    expect([token, reply.status]).toEqual([token, token.startsWith('../') ? 404 : 403]);
    expect(reply.headers.get('content-disposition')).toBeNull();
  }
});

test('an expired link is rejected', async () => {
  const past = createMediaLinks(mediaKey, () => Date.now() - (MEDIA_URL_SECONDS + 1) * 1_000);
  const file = { key: 'uploads/x', mime_type: 'image/png', filename: null };
  const reply = await get(past.forStaff('staff', file), { authorization: `Bearer ${staff.token}` });
  expect(reply.status).toBe(403);
  expect(JSON.parse(reply.bytes.toString())).toMatchObject({ code: 'link_expired' });
});

test('an admin’s links end with their session, and with their account', async () => {
  const leaver = await buildStaff(app);
  const [file] = await uploadAsStaff(leaver, conversationId, {
    data: SAMPLES.pdf,
    filename: 'a.pdf',
  });
  expect((await get(file?.url)).status).toBe(200);
  const { body } = await leaver.client.call(listMessages, { params: { id: conversationId } });
  expect(body.data).not.toEqual([]);
  await app.db.kysely
    .updateTable('admins')
    .set({ is_active: false })
    .where('id', '=', leaver.admin.id)
    .execute();
  const reply = await get(file?.url);
  expect([reply.status, JSON.parse(reply.bytes.toString()).code]).toEqual([401, 'unauthorized']);
});

test('links in socket events work only for signed-in staff, by token or by the media cookie', async () => {
  const socket = await app.connectSocket(staff.token);
  const [file] = await uploadAsStaff(staff, conversationId, {
    data: await buildPicture(),
    filename: 'a.png',
  });
  const sent = await buildReply(staff, conversationId, { attachments: [{ id: file?.id ?? '' }] });
  const { message } = await socket.nextEvent(
    'new_message',
    (event) => event.message.id === sent.id,
  );
  const url = message.attachments[0]?.thumbnail_url;

  const admin = await buildAdmin(app);
  await app.anonymous.call(requestOtp, { body: { email: admin.email } });
  const code = await app.smtp.codeFor(admin.email);
  const signedIn = await app.anonymous.call(verifyOtp, { body: { email: admin.email, code } });
  const [avatar, media] = signedIn.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0] ?? '');
  const authorization = `Bearer ${signedIn.body.token}`;
  expect((await get(url)).status).toBe(401);
  expect((await get(url, { cookie: avatar ?? '' })).status).toBe(401);
  expect(
    (await get(url, { cookie: (avatar ?? '').replace(/^\w+/, 'stagedoor_media') })).status,
  ).toBe(401);
  expect((await get(url, { cookie: 'stagedoor_media=' })).status).toBe(401);
  expect((await get(url, { authorization: 'Bearer nobody' })).status).toBe(401);
  expect((await get(url, { cookie: `a=b; ${media}` })).status).toBe(200);
  expect((await get(url, { authorization })).status).toBe(200);
  await app.db.kysely
    .updateTable('admins')
    .set({ is_active: false })
    .where('id', '=', admin.id)
    .execute();
  expect((await get(url, { cookie: media ?? '' })).status).toBe(401);
  expect((await get(url, { authorization })).status).toBe(401);
});

describe('a fan', () => {
  test('can open free files, on the platform’s pages too', async () => {
    const [photo] = await uploadAsFan(app, fan, { data: await buildPicture(), filename: 'me.png' });
    const message = await buildFanMessage(app, fan, {
      content: '',
      attachment_ids: [photo?.id ?? ''],
    });
    const [attachment] = message.attachments;
    expect(attachment).toMatchObject({ type: 'image', locked: false, filename: 'me.png' });
    const reply = await get(attachment?.url);
    expect(reply.status).toBe(200);
    expect(reply.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    // A client that shows a message while it is being sent has only the upload's link.
    expect((await get(photo?.url)).status).toBe(200);
  });

  test('can open a paid picture only while they own it: not before, not after a refund, and not another fan’s', async () => {
    const market = await openMarket(app);
    const deal = await market.buildDeal(12);
    const { fan: buyer } = deal.conversation;
    const links = createMediaLinks(mediaKey);
    const target = {
      fanId: buyer.id,
      messageId: deal.message.id,
      attachmentId: deal.sale.attachment_id,
    };
    const locked = (await market.seen(deal)).ofFan;
    expect(locked).toMatchObject({
      locked: true,
      url: null,
      thumbnail_url: null,
      filename: null,
      price: 12,
    });
    expect((await get(locked.preview_url)).status).toBe(200);
    expect((await get(links.forFan(target, 'file'))).status).toBe(403);

    await app.platform.call(recordPurchase, { body: deal.sale });
    const bought = (await market.seen(deal)).ofFan;
    expect(bought.locked).toBe(false);
    expect((await get(bought.url)).status).toBe(200);
    const { fan: stranger } = await buildConversation(app);
    expect((await get(links.forFan({ ...target, fanId: stranger.id }, 'file'))).status).toBe(403);
    expect((await get(links.forFan({ ...target, messageId: null }, 'file'))).status).toBe(403);

    const { payment_reference } = deal.sale;
    await app.platform.call(recordRefund, { body: { payment_reference } });
    expect((await get(bought.url)).status).toBe(403);
    expect((await market.seen(deal)).ofFan).toMatchObject({ locked: true, url: null });
  });

  test('never receives a storage key in any reply', async () => {
    const market = await openMarket(app);
    const deal = await market.buildDeal();
    const { fan: buyer, id } = deal.conversation;
    const [photo] = await uploadAsFan(app, buyer, {
      data: await buildPicture(),
      filename: 'a.png',
    });
    const own = await app.platform.raw('POST', `/api/platform/fans/${buyer.external_id}/messages`, {
      body: {
        client_id: 'with-quote',
        content: 'is it you?',
        attachment_ids: [photo?.id],
        reply_to_message_id: deal.message.id,
      },
    });
    const [gift] = await uploadAsStaff(staff, id, { data: SAMPLES.mp3, filename: 'voice.mp3' });
    await buildReply(staff, id, {
      attachments: [{ id: gift?.id ?? '' }],
      reply_to_message_id: deal.message.id,
    });
    const list = () => app.platform.raw('GET', `/api/platform/fans/${buyer.external_id}/messages`);
    const before = await list();
    await app.platform.call(recordPurchase, { body: deal.sale });
    const after = await list();
    const stored = await app.storedFiles();
    expect(stored.length).toBeGreaterThan(5);
    const said = [own.text, before.text, after.text, JSON.stringify(photo)].join('\n');
    const tokens = [...said.matchAll(/\/api\/media\/([\w-]+)\./g)].map(([, token = '']) =>
      Buffer.from(token, 'base64url').toString(),
    );
    expect(tokens.length).toBeGreaterThan(5);
    for (const key of stored) {
      const name = key.split('/').at(-1) ?? key;
      expect(`${said}\n${tokens.join('\n')}`).not.toContain(name);
    }
    expect(said).not.toMatch(/s3_key|storage_key|"author"|purchased_at|thumbnail_key/);
    const page = await app.platform.call(listFanMessages, { params: { fan: buyer.external_id } });
    for (const message of page.body.data) {
      for (const attachment of [...message.attachments, ...(message.reply_to?.attachments ?? [])]) {
        expect(attachment.locked).toBe(false);
      }
    }
    const quotes = JSON.parse(before.text).data.flatMap(
      (m: { reply_to: { attachments: object[] } | null }) =>
        m.reply_to ? m.reply_to.attachments : [],
    );
    expect(quotes).toHaveLength(2);
    for (const quote of quotes) expect(quote).toMatchObject({ locked: true, url: null });
  });
});
