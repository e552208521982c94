import { replaceTags, updateNotes } from '@stagedoor/contract/fans/fans';
import { createStatement } from '@stagedoor/contract/fans/statements';
import { scheduleMessage } from '@stagedoor/contract/messaging/scheduled';
import { createStaffNote, updateStaffNote } from '@stagedoor/contract/messaging/staff-notes';
import { payWithTestCard } from '@stagedoor/contract/platform/fan-app';
import {
  createFanSession,
  eraseFan,
  postFanReaction,
  putFan,
} from '@stagedoor/contract/platform/platform';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { buildFanMessage, buildReply, unique } from '../../../test/factories.ts';
import { uploadAsFan, uploadAsStaff } from '../../../test/files.ts';
import { startWebhookReceiver } from '../../../test/servers/webhook-receiver.ts';
import { sharedApp } from '../../../test/test-app.ts';
import { findInDatabase, findInObjects, sweepUp } from '../../../test/traces.ts';
import { until } from '../../../test/until.ts';
import { buildOffer, buildPicture } from '../../../test/worlds/catalogue.ts';
import { signInFan } from '../../../test/worlds/fan-world.ts';
import { openInviteDesk } from '../../../test/worlds/invites.ts';
import { openMarket } from '../../../test/worlds/market.ts';

const receiver = await startWebhookReceiver();
const webhook = { url: receiver.url, secret: receiver.secret };
afterAll(() => receiver.close());
const app = await sharedApp({ webhook, payments: 'test_card' });
const market = await openMarket(app);
const staff = market.seller;
const desk = await openInviteDesk(app);

/** A unique word for each piece of data about a fan. */
const canary = (of: string) => `${of}x${unique('').replaceAll('-', '')}`;

test('erasing a fan leaves none of their data in any table or file; payments stay without a name', async () => {
  const words = {
    external: canary('external'),
    first: canary('first'),
    last: canary('last'),
    user: canary('user'),
    mail: canary('mail'),
    avatar: canary('avatar'),
    text: canary('text'),
    answer: canary('answer'),
    file: canary('file'),
    bytes: canary('bytes'),
    sentFile: canary('sent'),
    waiting: canary('waiting'),
    dob: canary('dob'),
    location: canary('location'),
    note: canary('note'),
    tag: canary('tag'),
    shop: canary('shop'),
    received: canary('received'),
    statement: canary('statement'),
    promised: canary('promised'),
    later: canary('later'),
    staffNote: canary('staffNote'),
  };
  const params = { fan: words.external };
  // The webhook receiver's response is stored with each attempt.
  receiver.react = ({ text }) =>
    text.includes(words.external) || text.includes(words.mail)
      ? (response) => void response.writeHead(500).end(words.received)
      : 204;
  const mail = `${words.mail}@Fans.Example`;
  await desk.invite([mail]);
  await app.smtp.mailTo(mail.toLowerCase());
  const { body } = await app.platform.call(putFan, {
    params,
    body: {
      first_name: words.first,
      last_name: words.last,
      username: words.user,
      email: mail,
      avatar_url: `https://img.example/${words.avatar}.png`,
    },
  });
  const fan = body.data;
  const id = fan.conversation_id;
  await app.platform.call(createFanSession, {
    params,
    body: { checkout_url: `https://shop.example/${words.shop}` },
  });
  const theirs = await signInFan(app, fan);
  const [note, photo] = await uploadAsFan(
    app,
    fan,
    { data: Buffer.from(`dear diary ${words.bytes}`), filename: `${words.file}.txt` },
    { data: await buildPicture(), filename: `${words.file}.png` },
  );
  await uploadAsFan(app, fan, { data: Buffer.from(words.waiting), filename: words.waiting });
  const message = await buildFanMessage(app, fan, {
    content: words.text,
    attachment_ids: [note?.id ?? '', photo?.id ?? ''],
  });
  const [sent] = await uploadAsStaff(staff, id, {
    data: Buffer.from(words.sentFile),
    filename: words.sentFile,
  });
  await buildReply(staff, id, {
    content: words.answer,
    reply_to_message_id: message.id,
    attachments: [{ id: sent?.id ?? '' }],
  });
  await app.platform.call(postFanReaction, {
    params,
    body: { message_id: message.id, emoji: '🔥' },
  });
  await staff.client.call(updateNotes, {
    params: { id },
    body: { dob: words.dob, location: words.location, notes: words.note },
  });
  const noted = await staff.client.call(createStaffNote, {
    params: { id },
    body: { client_id: unique('note'), content: words.staffNote },
  });
  await staff.client.call(updateStaffNote, {
    params: { id, noteId: noted.body.data.id },
    body: { content: `${words.staffNote} ` },
  });
  await staff.client.call(replaceTags, { params: { id }, body: { tags: [{ label: words.tag }] } });
  for (const statement of [
    { text: words.statement },
    { text: words.promised, due_at: '2031-01-01T00:00:00Z' },
  ]) {
    await staff.client.call(createStatement, { params: { id }, body: statement });
  }
  await staff.client.call(scheduleMessage, {
    params: { id },
    body: { content: words.later, send_at: new Date(Date.now() + 3_600_000).toISOString() },
  });
  const product = (await market.buildDeal()).product;
  const offer = await buildOffer(staff, id, [product], 12);
  await theirs.client.call(payWithTestCard, {
    body: {
      message_id: offer.id,
      attachment_id: offer.attachments[0]?.id ?? '',
      client_id: unique('client'),
      card_number: '4242 4242 4242 4242',
    },
  });
  await until('the webhook was refused', async () => receiver.received.length > 0);
  await until('its answer is noted', async () =>
    (await findInDatabase(app.db, [words.received])).includes(
      `public.webhook_attempts: ${words.received}`,
    ),
  );
  const every = [...Object.values(words), fan.id];
  const before = await findInDatabase(app.db, every);
  const files = await app.storedFiles();
  // Each word must be found before the erasure, or its absence would prove nothing.
  for (const [name, word] of Object.entries(words)) {
    if (name === 'bytes') continue;
    expect(before.filter((line) => line.endsWith(word)).length, name).toBeGreaterThan(0);
  }
  expect(await findInObjects(app.storage, files, every)).toHaveLength(3);

  await app.platform.call(eraseFan, { params });
  await until('its last events are emitted', async () => {
    const { rows } = await sql`select from outbox limit 1`.execute(app.db.kysely);
    return rows.length === 0;
  });
  await sweepUp(app);

  // The ids in sales and offers don't refer to a person.
  const left = await findInDatabase(app.db, every);
  expect(left.filter((line) => !line.endsWith(fan.id))).toEqual([]);
  expect(left.toSorted()).toEqual([
    `public.product_sends: ${fan.id}`,
    `public.purchases: ${fan.id}`,
  ]);
  const remaining = await app.storedFiles();
  expect(await findInObjects(app.storage, remaining, every)).toEqual([]);
  expect(remaining).toHaveLength(files.length - 5);
  const [sale] = await market.purchasesOf(offer);
  expect(sale).toMatchObject({ amount_cents: 1_200, refunded_at: null });
});
