import { replaceTags, updateNotes } from '@stagedoor/contract/fans/fans';
import { inboxStats, markRead } from '@stagedoor/contract/inbox/conversations';
import { listMessages, sendMessage } from '@stagedoor/contract/messaging/messages';
import {
  eraseFan,
  listFanMessages,
  postFanMessage,
  postFanReaction,
  putFan,
  recordPurchase,
  recordRefund,
} from '@stagedoor/contract/platform/platform';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  buildFan,
  buildFanMessage,
  buildReply,
  buildStaff,
  unique,
} from '../../../test/factories.ts';
import { fetchFile, uploadAsFan } from '../../../test/files.ts';
import { sharedApp } from '../../../test/test-app.ts';
import { buildPicture } from '../../../test/worlds/catalogue.ts';
import { openMarket } from '../../../test/worlds/market.ts';

const app = await sharedApp();

/** Returns the number of rows in all tables that contain a text, plain or escaped as JSON. */
async function rowsWith(text: string): Promise<Record<string, number>> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(app.db.kysely);
  const found: Record<string, number> = {};
  for (const { name } of rows) {
    const counted = await sql<{ n: number }>`
      select count(*)::int as n from ${sql.table(name)} t where t::text like ${`%${text}%`}`.execute(
      app.db.kysely,
    );
    if (counted.rows[0]?.n) found[name] = counted.rows[0].n;
  }
  return found;
}

test('an erased fan is removed from the database, the files and the inbox', async () => {
  const staff = await buildStaff(app);
  const secret = unique('Rosalind');
  const fan = await buildFan(app, { first_name: secret, email: `${secret}@fans.example` });
  const id = fan.conversation_id;
  const [photo] = await uploadAsFan(app, fan, {
    data: await buildPicture(),
    filename: `${secret}.png`,
  });
  const [unsent] = await uploadAsFan(app, fan, { data: await buildPicture(), filename: 'b.png' });
  const message = await buildFanMessage(app, fan, {
    content: `I am ${secret}`,
    attachment_ids: [photo?.id ?? ''],
  });
  await buildReply(staff, id, { content: `Hello ${secret}`, reply_to_message_id: message.id });
  await app.platform.call(postFanReaction, {
    params: { fan: fan.external_id },
    body: { message_id: message.id, emoji: '🔥' },
  });
  await staff.client.call(updateNotes, { params: { id }, body: { location: secret } });
  await staff.client.call(replaceTags, { params: { id }, body: { tags: [{ label: secret }] } });
  const { body: before } = await staff.client.call(inboxStats);
  const shown = (await staff.client.call(listMessages, { params: { id } })).body.data[0];
  const fileUrl = shown?.attachments[0]?.url;
  expect((await fetchFile(app, fileUrl)).status).toBe(200);
  expect(Object.keys(await rowsWith(secret)).toSorted()).toEqual(
    expect.arrayContaining(['conversations', 'fan_tags', 'fans', 'messages', 'uploads']),
  );
  const socket = await app.connectSocket(staff.token);

  const params = { fan: fan.external_id };
  expect((await app.platform.call(eraseFan, { params })).status).toBe(204);

  expect(await socket.nextEvent('conversation_removed')).toEqual({ conversation_id: id });
  expect(await rowsWith(secret)).toEqual({});
  expect(await rowsWith(fan.id)).toEqual({});
  for (const url of [fileUrl, photo?.url, unsent?.url]) {
    expect((await fetchFile(app, url)).status).toBeGreaterThanOrEqual(400);
  }
  const garbage = await app.db.kysely.selectFrom('storage_garbage').select('storage_key').execute();
  expect(garbage).toEqual([]);
  const { body: after } = await staff.client.call(inboxStats);
  expect(after.data.total_conversations).toBe(before.data.total_conversations - 1);
  expect(await app.platform.refused(listFanMessages, { params })).toMatchObject({
    status: 404,
    code: 'fan_not_found',
  });
  expect(await staff.client.refused(listMessages, { params: { id } })).toMatchObject({
    status: 404,
    code: 'conversation_not_found',
  });
  expect(await app.platform.refused(eraseFan, { params })).toMatchObject({
    status: 404,
    code: 'fan_not_found',
  });

  const again = await app.platform.call(putFan, { params, body: {} });
  expect(again.status).toBe(201);
  expect(again.body.data).toMatchObject({ first_name: null });
  expect(again.body.data.id).not.toBe(fan.id);
  socket.close();
});

test('sales to an erased fan stay and can still be refunded', async () => {
  const market = await openMarket(app);
  const deal = await market.buildDeal(25);
  await app.platform.call(recordPurchase, { body: deal.sale });
  await app.platform.call(eraseFan, { params: { fan: deal.conversation.fan.external_id } });
  const [kept] = await market.purchasesOf(deal.message);
  expect(kept).toMatchObject({ amount_cents: 2_500, refunded_at: null });
  const offers = await app.db.kysely
    .selectFrom('product_sends')
    .selectAll()
    .where('message_id', '=', deal.message.id)
    .execute();
  expect(offers).toHaveLength(1);
  const refund = await app.platform.call(recordRefund, {
    body: { payment_reference: deal.sale.payment_reference },
  });
  expect(refund.body.data.refunded_at).not.toBeNull();
});

test('writing while the fan is being erased gets a reply, and nothing is left', async () => {
  const staff = await buildStaff(app);
  const fan = await buildFan(app);
  const params = { fan: fan.external_id };
  const writes = Array.from({ length: 12 }, (_, index) =>
    app.platform.raw('POST', `/api/platform/fans/${fan.external_id}/messages`, {
      body: { client_id: `c${index}`, content: 'still here' },
    }),
  );
  const replies = Array.from({ length: 12 }, () =>
    staff.client.raw('POST', '/api/messages/admin/send', {
      body: { conversation_id: fan.conversation_id, content: 'hello' },
    }),
  );
  const [erased, ...answers] = await Promise.all([
    app.platform.raw('DELETE', `/api/platform/fans/${fan.external_id}`),
    ...writes,
    ...replies,
  ]);
  expect(erased.status).toBe(204);
  for (const { status } of answers) expect([200, 201, 404]).toContain(status);
  expect(
    await app.db.kysely
      .selectFrom('messages')
      .select('id')
      .where('conversation_id', '=', fan.conversation_id)
      .execute(),
  ).toEqual([]);
  expect(await app.platform.refused(postFanMessage, { params, body: {} })).toMatchObject({
    status: 400,
  });
});

test('writing, reading or reacting while the fan is being erased gets a proper error, never a failure', async () => {
  const staff = await buildStaff(app);
  for (let round = 0; round < 8; round++) {
    const fan = await buildFan(app);
    const { conversation_id: id, external_id } = fan;
    await buildReply(staff, id);
    const message = await buildFanMessage(app, fan);
    const at = (endpoint: { path: string }) =>
      endpoint.path.replace('{fan}', external_id).replace('{id}', id);
    const post = (client: typeof staff.client, endpoint: { path: string }, body: object) =>
      client.raw('POST', at(endpoint), { body: JSON.stringify(body) });
    const replies = await Promise.all([
      post(staff.client, sendMessage, { conversation_id: id, content: 'Hello' }),
      post(staff.client, markRead, {}),
      post(app.platform, postFanMessage, { client_id: 'c', content: 'Hello' }),
      post(app.platform, postFanReaction, { message_id: message.id, emoji: '❤️' }),
      app.platform.raw('DELETE', at(eraseFan)),
      post(staff.client, sendMessage, { conversation_id: id, content: 'Hello again' }),
      post(staff.client, markRead, {}),
    ]);
    for (const { status, text } of replies) expect(status, text).toBeOneOf([200, 201, 204, 404]);
  }
});
