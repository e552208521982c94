import { getGuardRails, updateGuardRails } from '@stagedoor/contract/messaging/guard-rails';
import { listMessages } from '@stagedoor/contract/messaging/messages';
import { listFanMessages, recordPurchase } from '@stagedoor/contract/platform/platform';
import {
  cancelCampaign,
  createCampaign,
  exportRecipients,
  listCampaigns,
  pauseCampaign,
  previewCampaign,
  previewUnsavedCampaign,
  resumeCampaign,
  startCampaign,
  updateCampaign,
  uploadCampaignFiles,
} from '@stagedoor/contract/selling/campaigns';
import { deleteProduct } from '@stagedoor/contract/selling/products';
import { createSegment, deleteSegment, updateSegment } from '@stagedoor/contract/selling/segments';
import { listAudit } from '@stagedoor/contract/team/audit';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  buildFanMessage,
  buildReply,
  buildStaff,
  changeSettings,
  unique,
} from '../../../test/factories.ts';
import { untilWaiting, whileLocked } from '../../../test/on-database.ts';
import { sharedApp } from '../../../test/test-app.ts';
import {
  buildCampaign,
  fanGroup,
  finished,
  readCampaign,
  recipientsOf,
  runCampaign,
} from '../../../test/worlds/campaigns.ts';
import {
  buildForm,
  buildOffer,
  buildPicture,
  buildProduct,
} from '../../../test/worlds/catalogue.ts';
import { saleOf } from '../../../test/worlds/market.ts';

const app = await sharedApp();
const manager = await buildStaff(app, { role: 'manager' });
const support = await buildStaff(app);
const { client } = manager;

const NONE = {
  owns_product: 0,
  offered_recently: 0,
  messaged_recently: 0,
  unread: 0,
  in_conversation: 0,
  missing_variable: 0,
  erased: 0,
  daily_cap: 0,
};
const preview = async (id: string) =>
  (await client.call(previewCampaign, { params: { id } })).body.data;

/** Sets the daily limit of mass messages per fan. */
const allow = (mass_messages_a_day: number) => changeSettings(manager, { mass_messages_a_day });

test('a campaign is saved as a draft with what was posted, and listed newest first', async () => {
  const group = fanGroup(app);
  const product = await buildProduct(manager);
  const posted = {
    name: unique('Campaign'),
    variants: [
      { content: 'Hi {first_name|you}', share: 70 },
      {
        content: 'Hello',
        attachments: [{ product_id: product.id, is_paid: true as const, price: 12.5 }],
        share: 30,
      },
    ],
    audience: group.audience,
    exclude: { unread: true, messaged_within_hours: 4 },
    send_at: new Date(Date.now() + 3_600_000).toISOString(),
    fan_local_time: true,
    per_minute: 60,
    expires_at: new Date(Date.now() + 7_200_000).toISOString(),
  };
  const made = await buildCampaign(manager, posted);
  const counts = {
    audience: 0,
    sent: 0,
    skipped: 0,
    unsent: 0,
    read: 0,
    replied: 0,
    purchases: 0,
    revenue: 0,
  };
  expect(made).toMatchObject({
    ...posted,
    variants: [
      { ...posted.variants[0], counts },
      {
        ...posted.variants[1],
        attachments: [{ product_id: product.id, is_paid: true, price: 12.5 }],
        counts,
      },
    ],
    state: 'draft',
    created_by: manager.admin.id,
    started_at: null,
    finished_at: null,
    counts,
  });
  const other = await buildCampaign(manager);
  const first = (await client.call(listCampaigns, { query: { limit: 1 } })).body;
  expect(first.data.map(({ id }) => id)).toEqual([other.id]);
  const second = await client.call(listCampaigns, {
    query: { limit: 1, cursor: first.next_cursor ?? '' },
  });
  expect(second.body.data.map(({ id }) => id)).toEqual([made.id]);
});

test('a draft can be replaced, with some of its files kept; a started campaign can’t', async () => {
  const upload = async (name: string) => {
    const form = buildForm({ files: { data: await buildPicture(), filename: name } });
    return (await client.upload(uploadCampaignFiles, form)).body.attachments[0]?.id ?? '';
  };
  const [kept, dropped] = [await upload('kept.png'), await upload('dropped.png')];
  const group = fanGroup(app);
  await group.add();
  const { id } = await buildCampaign(manager, {
    variants: [
      { content: 'One', attachments: [{ id: kept }, { id: dropped }], share: 50 },
      { content: 'Two', share: 50 },
    ],
    exclude: { unread: true },
    per_minute: 60,
  });
  const added = await upload('added.png');
  const body = {
    name: unique('Replaced'),
    variants: [{ content: 'Three', attachments: [{ id: added }, { id: kept }] }],
    audience: group.audience,
  };
  const teammate = await buildStaff(app, { role: 'manager' });
  const replaced = await client.call(updateCampaign, { params: { id }, body });
  expect(replaced.body.data).toMatchObject({
    id,
    name: body.name,
    state: 'draft',
    variants: [{ content: 'Three', share: 100, attachments: [{ id: added }, { id: kept }] }],
    exclude: {},
    per_minute: null,
  });
  const reused = { ...body, variants: [{ content: 'x', attachments: [{ id: dropped }] }] };
  expect(
    await teammate.client.refused(updateCampaign, { params: { id }, body: reused }),
  ).toMatchObject({ code: 'invalid_attachment' });
  await client.call(startCampaign, { params: { id } });
  expect((await finished(manager, id)).counts).toMatchObject({ audience: 1, sent: 1 });
  expect(await client.refused(updateCampaign, { params: { id }, body })).toMatchObject({
    code: 'invalid_transition',
  });
});

/** A draft that, once started, waits for its sending time. */
const draft = (content: string) => ({
  name: 'Draft',
  variants: [{ content }],
  audience: fanGroup(app).audience,
  send_at: new Date(Date.now() + 3_600_000).toISOString(),
});

test('saving over or starting a teammate’s newer draft is refused with that draft', async () => {
  const { id, version } = await buildCampaign(manager);
  const params = { id };
  const teammate = await buildStaff(app, { role: 'manager' });
  const saved = await teammate.client.call(updateCampaign, {
    params,
    body: { ...draft('Theirs'), version },
  });
  const theirs = { id, state: 'draft', variants: [{ content: 'Theirs' }], version: version + 1 };
  expect(saved.body.data).toMatchObject(theirs);
  for (const refused of [
    await client.refused(updateCampaign, { params, body: { ...draft('Mine'), version } }),
    await client.refused(startCampaign, { params, body: { version } }),
  ]) {
    expect(refused.status).toBe(409);
    expect(JSON.parse(refused.text)).toMatchObject({ code: 'edit_conflict', current: theirs });
  }
  expect(await readCampaign(manager, id)).toEqual(saved.body.data);
  const started = await client.call(startCampaign, { params, body: { version: version + 1 } });
  expect(started.body.data.state).toBe('scheduled');
});

test('a caller that names no version replaces and starts the draft as it is', async () => {
  const { id, version } = await buildCampaign(manager);
  const params = { id };
  const body = draft('Newer');
  for (const raised of [version + 1, version + 2])
    expect((await client.call(updateCampaign, { params, body })).body.data.version).toBe(raised);
  expect((await client.call(startCampaign, { params })).body.data.state).toBe('scheduled');
});

test('a campaign that is being written is previewed like a saved one', async () => {
  const group = fanGroup(app);
  const product = await buildProduct(manager);
  const owner = await group.add();
  const offer = await buildOffer(support, owner.conversation_id, [product], 3);
  await app.platform.call(recordPurchase, { body: saleOf(owner, offer, 3) });
  await group.add();
  await group.add({ first_name: '' });
  const message = {
    variants: [
      {
        content: 'Hi {first_name}',
        attachments: [{ product_id: product.id, is_paid: true as const, price: 5 }],
      },
    ],
    audience: group.audience,
  };
  const unsaved = (await client.call(previewUnsavedCampaign, { body: message })).body.data;
  expect(unsaved).toMatchObject({
    audience: 3,
    sendable: 1,
    excluded: { ...NONE, owns_product: 1, missing_variable: 1 },
    samples: [{ content: 'Hi Ana' }],
  });
  expect(unsaved).toEqual(await preview((await buildCampaign(manager, message)).id));
});

test('an empty message excludes no fan for a missing value', async () => {
  const group = fanGroup(app);
  await group.add();
  const body = { variants: [{ content: '' }], audience: group.audience };
  expect((await client.call(previewUnsavedCampaign, { body })).body.data).toMatchObject({
    audience: 1,
    sendable: 1,
    excluded: NONE,
  });
});

test.each([
  ['a text that is empty', { variants: [{ content: ' ' }] }, 'invalid_request'],
  ...[
    '{surname}',
    '{First_name}',
    '{ first_name }',
    '{first name|there}',
    '{first-name}',
    '{имя}',
  ].map(
    (unknown) =>
      [
        `the unknown variable ${unknown}`,
        { variants: [{ content: `Hi {first_name}, ${unknown}` }] },
        'invalid_request',
      ] as const,
  ),
  [
    'shares that don’t add up',
    {
      variants: [
        { content: 'a', share: 50 },
        { content: 'b', share: 40 },
      ],
    },
    'invalid_request',
  ],
  ['a rule that isn’t one', { audience: { rule: { all: [{ field: 'x' }] } } }, 'invalid_rule'],
  ['an unknown segment', { audience: { segment_id: 'x' } }, 'segment_not_found'],
  ['an end in the past', { expires_at: '2020-01-01T00:00:00Z' }, 'invalid_request'],
  ['local times without a time', { fan_local_time: true }, 'invalid_request'],
  ['an unknown file', { variants: [{ attachments: [{ id: 'x' }] }] }, 'invalid_attachment'],
  [
    'an unknown product',
    { variants: [{ attachments: [{ product_id: 'x', is_paid: true, price: 1 }] }] },
    'invalid_attachment',
  ],
] as const)('%s is refused', async (_what, wrong, code) => {
  const body = {
    name: 'x',
    variants: [{ content: 'Hi' }],
    audience: { rule: { all: [] } },
    ...wrong,
  };
  expect(await client.refused(createCampaign, { body: body as never })).toMatchObject({ code });
});

test.each([
  ['send_at', '1969-12-31T23:59:59Z'],
  ['send_at', '9999-12-31T23:59:59-01:00'],
  ['expires_at', '0000-01-01T00:00:00Z'],
  ['expires_at', '9999-12-31T23:59:59-01:00'],
])('a %s of %s is refused by its field', async (field, time) => {
  const body = {
    name: 'x',
    variants: [{ content: 'Hi' }],
    audience: { rule: { all: [] } },
    [field]: time,
  };
  expect(await client.refused(createCampaign, { body })).toMatchObject({
    status: 400,
    fields: { [field]: expect.any(String) },
  });
});

test('files are uploaded once and reach each fan with a working link', async () => {
  const group = fanGroup(app);
  const fans = [await group.add(), await group.add()];
  const before = (await app.storedFiles()).length;
  const form = buildForm({ files: { data: await buildPicture() } });
  const { body } = await client.upload(uploadCampaignFiles, form);
  const stored = (await app.storedFiles()).length - before;
  const [file] = body.attachments;
  if (!file) throw new Error('nothing was uploaded');
  const variants = [{ content: 'Look', attachments: [{ ...file, product_id: null }] }];
  await runCampaign(manager, { variants, audience: group.audience });
  for (const fan of fans) {
    const messages = await app.platform.call(listFanMessages, {
      params: { fan: fan.external_id },
    });
    const url = messages.body.data[0]?.attachments[0]?.url ?? '';
    expect((await fetch(new URL(url, app.url))).status).toBe(200);
  }
  expect((await app.storedFiles()).length - before).toBe(stored);
  const again = { content: 'Again', attachments: [{ id: file.id }] };
  expect(
    await client.refused(createCampaign, {
      body: { name: 'x', variants: [again], audience: group.audience },
    }),
  ).toMatchObject({ code: 'invalid_attachment' });
});

test('a preview counts each fan once, under the first reason, and the send agrees with it', async () => {
  await allow(20);
  const group = fanGroup(app);
  const product = await buildProduct(manager);
  const variants = [
    {
      content: 'Hi {first_name}',
      attachments: [{ product_id: product.id, is_paid: true as const, price: 5 }],
    },
  ];
  const owner = await group.add();
  const offer = await buildOffer(support, owner.conversation_id, [product], 3);
  await app.platform.call(recordPurchase, { body: saleOf(owner, offer, 3) });
  const offered = await group.add();
  await buildOffer(support, offered.conversation_id, [product], 3);
  const messaged = await group.add();
  await buildReply(support, messaged.conversation_id);
  const unread = await group.add();
  await buildFanMessage(app, unread);
  const nameless = await group.add({ first_name: '' });
  const sendable = [await group.add({ first_name: 'Bo' }), await group.add({ first_name: 'Cy' })];
  const exclude = {
    offered_within_days: 1,
    messaged_within_hours: 1,
    unread: true,
    in_conversation: true,
  };
  const { id } = await buildCampaign(manager, { variants, audience: group.audience, exclude });
  const seen = await preview(id);
  expect(seen).toMatchObject({
    audience: 7,
    sendable: 2,
    excluded: {
      ...NONE,
      owns_product: 1,
      offered_recently: 1,
      messaged_recently: 1,
      unread: 1,
      missing_variable: 1,
    },
  });
  expect(seen.samples.map(({ content }) => content).toSorted()).toEqual(['Hi Bo', 'Hi Cy']);

  const only = await buildCampaign(manager, {
    audience: group.audience,
    exclude: { in_conversation: true },
  });
  expect((await preview(only.id)).excluded).toEqual({ ...NONE, in_conversation: 4 });

  const sent = await runCampaign(manager, { variants, audience: group.audience, exclude });
  expect(sent.counts).toMatchObject({ audience: 7, sent: 2, skipped: 5 });
  const reasons = new Map(
    (await recipientsOf(manager, sent.id, { limit: 2 })).map((each) => [each.fan_id, each.reason]),
  );
  expect(
    [owner, offered, messaged, unread, nameless, ...sendable].map((fan) => reasons.get(fan.id)),
  ).toEqual([
    'owns_product',
    'offered_recently',
    'messaged_recently',
    'unread',
    'missing_variable',
    null,
    null,
  ]);
  await allow(1);
});

test('a fan gets one mass message a day by default, and the team can allow more', async () => {
  const group = fanGroup(app);
  await group.add();
  await runCampaign(manager, { audience: group.audience });
  const { id } = await buildCampaign(manager, { audience: group.audience });
  expect(await preview(id)).toMatchObject({ sendable: 0, excluded: { ...NONE, daily_cap: 1 } });
  await allow(2);
  expect(await preview(id)).toMatchObject({ sendable: 1 });
  expect((await runCampaign(manager, { audience: group.audience })).counts.sent).toBe(1);
  expect(await preview(id)).toMatchObject({ sendable: 0 });
  await allow(1);
});

test('variables are filled in, with a fallback for fans without the value; other braces stay', async () => {
  const group = fanGroup(app);
  const named = await group.add({ first_name: ' Zoë ', username: 'zoe' });
  const nameless = await group.add({ first_name: '' });
  const content = '{first_name|Dear fan}, you are {username|one of us} {} { | } {1} {';
  const { id } = await runCampaign(manager, {
    variants: [{ content }],
    audience: group.audience,
  });
  expect((await recipientsOf(manager, id)).map(({ state }) => state)).toEqual(['sent', 'sent']);
  const textOf = async (fan: { external_id: string }) =>
    (await app.platform.call(listFanMessages, { params: { fan: fan.external_id } })).body.data[0]
      ?.content;
  expect(await textOf(named)).toBe('Zoë, you are zoe {} { | } {1} {');
  expect(await textOf(nameless)).toBe('Dear fan, you are one of us {} { | } {1} {');
});

test('an empty fallback is a value; fans for whom nothing is left are skipped', async () => {
  const group = fanGroup(app);
  const named = await group.add({ first_name: 'Zoë' });
  const nameless = await group.add({ first_name: '' });
  const file =
    (await client.upload(uploadCampaignFiles, buildForm({ files: { data: await buildPicture() } })))
      .body.attachments[0]?.id ?? '';
  const { id } = await runCampaign(manager, {
    variants: [{ content: ' {first_name|} ' }],
    audience: group.audience,
  });
  const byFan = async (campaign: string) =>
    new Map((await recipientsOf(manager, campaign)).map((each) => [each.fan_id, each.reason]));
  expect(await byFan(id)).toEqual(
    new Map([
      [named.id, null],
      [nameless.id, 'missing_variable'],
    ]),
  );
  await allow(5);
  const greeting = await runCampaign(manager, {
    variants: [{ content: 'Hi{first_name|}' }],
    audience: group.audience,
  });
  expect(greeting.counts).toMatchObject({ sent: 2, skipped: 0 });
  const picture = await runCampaign(manager, {
    variants: [{ content: '{first_name|}', attachments: [{ id: file }] }],
    audience: group.audience,
  });
  expect(picture.counts).toMatchObject({ sent: 2, skipped: 0 });
  await allow(1);
});

test('blank filters of recipients count as none', async () => {
  const group = fanGroup(app);
  await group.add();
  const { id } = await runCampaign(manager, { audience: group.audience });
  const path = `/api/campaigns/${id}/recipients`;
  const listed = await client.raw('GET', `${path}?state=&reason=`);
  expect(listed.status).toBe(200);
  expect(JSON.parse(listed.text).data).toHaveLength(1);
  const exported = await client.raw('GET', `${path}/export?state=&reason=`);
  expect(exported.status).toBe(200);
});

test('a fan’s variant follows from the campaign and the fan, in about the shares that were set', async () => {
  const group = fanGroup(app);
  for (let n = 0; n < 40; n++) await group.add();
  const variants = [
    { content: 'A', share: 10 },
    { content: 'B', share: 90 },
  ];
  const { id } = await buildCampaign(manager, { variants, audience: group.audience });
  const samples = (await preview(id)).samples;
  await client.call(startCampaign, { params: { id } });
  const done = await finished(manager, id);
  const [first, second] = done.variants;
  expect((first?.counts.sent ?? 0) + (second?.counts.sent ?? 0)).toBe(40);
  expect(second?.counts.sent).toBeGreaterThan(first?.counts.sent ?? 40);
  const recipients = await recipientsOf(manager, id);
  for (const { fan, content, variant } of samples) {
    expect(content).toBe(variant === 0 ? 'A' : 'B');
    expect(recipients.find(({ fan_id }) => fan_id === fan.fan_id)?.variant).toBe(variant);
  }
});

test('the export has the rows of the list as CSV, filtered alike, for those who see the campaign', async () => {
  const group = fanGroup(app);
  const fan = await group.add({ first_name: '=1+1, "Bo"' });
  await group.add({ first_name: '' });
  const product = await buildProduct(manager);
  const attachments = [{ product_id: product.id, is_paid: true as const, price: 9.5 }];
  const variants = [{ content: 'Hi {first_name}', attachments }];
  const { id } = await runCampaign(manager, { variants, audience: group.audience });
  await buildFanMessage(app, fan);
  const { body: thread } = await client.call(listMessages, { params: { id: fan.conversation_id } });
  const offer = thread.data.find(({ campaign_id }) => campaign_id === id);
  if (offer === undefined) throw new Error('the fan got no message');
  await app.platform.call(recordPurchase, { body: saleOf(fan, offer, 9.5) });
  const rows = async (query = {}) => {
    const { body, headers } = await client.call(exportRecipients, { params: { id }, query });
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const [head, ...lines] = body.replace('\uFEFF', '').trimEnd().split('\r\n');
    expect(head).toBe(
      'fan_id,conversation_id,display_name,state,reason,message_id,variant,read,replied,purchases,revenue',
    );
    return lines;
  };
  const all = (await recipientsOf(manager, id)).map((each) => {
    const name =
      each.state === 'sent' ? `"'${each.display_name.replaceAll('"', '""')}"` : each.display_name;
    const { fan_id, conversation_id, state, reason, message_id } = each;
    const result = [each.read, each.replied, each.purchases, each.revenue].join(',');
    return `${fan_id},${conversation_id},${name},${state},${reason ?? ''},${message_id ?? ''},0,${result}`;
  });
  expect(all).toHaveLength(2);
  expect(all.filter((line) => line.endsWith(',true,1,9.5'))).toHaveLength(1);
  expect(await rows()).toEqual(all);
  const skipped = all.filter((line) => line.includes(',skipped,missing_variable,'));
  expect(skipped).toHaveLength(1);
  expect(await rows({ state: 'skipped' })).toEqual(skipped);
  expect(await rows({ reason: 'missing_variable' })).toEqual(skipped);
  expect(await support.client.refused(exportRecipients, { params: { id } })).toMatchObject({
    status: 404,
    code: 'campaign_not_found',
  });
});

test('the export has every recipient, however many there are', async () => {
  const { id } = await buildCampaign(manager);
  const count = 100_001;
  await sql`insert into campaign_recipients (campaign_id, fan_id, conversation_id, variant, due_at)
    select ${id}, gen_random_uuid(), gen_random_uuid(), 0, now() from generate_series(1, ${count}::int)`.execute(
    app.db.kysely,
  );
  const { body } = await client.call(exportRecipients, { params: { id } });
  const fans = body
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(',')[0]);
  expect(new Set(fans).size).toBe(count);
  expect(fans).toHaveLength(count);
  await sql`delete from campaign_recipients where campaign_id = ${id}`.execute(app.db.kysely);
});

test('a segment is evaluated when the campaign starts; its last rule stays if the segment is deleted', async () => {
  const group = fanGroup(app);
  await group.add();
  const made = await client.call(createSegment, {
    body: { name: unique('Segment'), rule: group.audience.rule },
  });
  const segment_id = made.body.data.id;
  const { id, audience } = await buildCampaign(manager, { audience: { segment_id } });
  expect(audience).toEqual({ segment_id });
  const past = await runCampaign(manager, { audience: { segment_id } });
  await group.add();
  expect((await preview(id)).audience).toBe(2);
  const narrowed = fanGroup(app);
  await narrowed.add();
  const { rule } = narrowed.audience;
  await client.call(updateSegment, { params: { id: segment_id }, body: { rule } });
  await client.call(deleteSegment, { params: { id: segment_id } });
  expect(await readCampaign(manager, id)).toMatchObject({ audience: narrowed.audience });
  expect((await preview(id)).audience).toBe(1);
  // A sent campaign keeps the rule that was used.
  expect(await readCampaign(manager, past.id)).toMatchObject({ audience: group.audience });
});

test('a segment deleted while a campaign for it is saved is not found', async () => {
  const { rule } = fanGroup(app).audience;
  const { id: other } = await buildCampaign(manager, { audience: { rule } });
  const save = (segment_id: string) => ({
    body: { name: 'x', variants: [{ content: 'Hi' }], audience: { segment_id } },
  });
  for (const call of [
    (id: string) => client.refused(createCampaign, save(id)),
    (id: string) => client.refused(updateCampaign, { params: { id: other }, ...save(id) }),
  ]) {
    const made = await client.call(createSegment, { body: { name: unique('Segment'), rule } });
    const { id } = made.body.data;
    const lock = `select from segments where id = '${id}' for update`;
    const { deleted, refused } = await whileLocked(app.databaseUrl, lock, async () => {
      const deleted = client.call(deleteSegment, { params: { id } });
      await untilWaiting(app, 1);
      const refused = call(id);
      await untilWaiting(app, 2);
      return { deleted, refused };
    });
    await deleted;
    expect(await refused).toMatchObject({ status: 404, code: 'segment_not_found' });
  }
});

test('guard rails and products are checked when a campaign is saved and when it starts', async () => {
  const product = await buildProduct(manager);
  const offer = { product_id: product.id, is_paid: true as const, price: 500 };
  const ready = await buildCampaign(manager, { variants: [{ content: 'A forbidden word' }] });
  const priced = await buildCampaign(manager, { variants: [{ attachments: [offer] }] });
  const rails = {
    banned_words: ['forbidden', 'username', 'snapchat'],
    price_min: null,
    price_max: 100,
  };
  const { version: before } = (await client.call(getGuardRails)).body.data;
  const set = await client.call(updateGuardRails, { body: { ...rails, version: before } });
  const { version } = set.body.data;
  const start = (id: string) => client.refused(startCampaign, { params: { id } });
  expect(await start(ready.id)).toMatchObject({ status: 422, code: 'banned_words' });
  expect(await start(priced.id)).toMatchObject({ status: 422, code: 'price_out_of_bounds' });
  const audience = { rule: { all: [] } };
  // The check sees the text that a fan without a name would get.
  for (const content of ['forbidden', 'snap{first_name|chat}', 'snap{first_name|}chat']) {
    const body = { name: 'x', variants: [{ content }], audience };
    expect(await client.refused(createCampaign, { body })).toMatchObject({ code: 'banned_words' });
  }
  await buildCampaign(manager, { variants: [{ content: 'Hi {username|you}' }] });
  await client.call(updateGuardRails, {
    body: { banned_words: [], price_min: null, price_max: null, version },
  });
  await client.call(deleteProduct, { params: { id: product.id } });
  expect(await start(priced.id)).toMatchObject({ status: 400, code: 'invalid_attachment' });
  expect((await readCampaign(manager, ready.id)).state).toBe('draft');
});

test('changes need both permissions; others see the campaigns whose sales they are credited with', async () => {
  const group = fanGroup(app);
  await group.add();
  const silent = await buildStaff(app, { role: 'manager', can_manage_messages: false });
  const { id } = await buildCampaign(manager, { audience: group.audience });
  const body = { name: 'x', variants: [{ content: 'x' }], audience: { rule: { all: [] } } };
  expect(await silent.client.refused(createCampaign, { body })).toMatchObject({
    status: 403,
    code: 'message_privilege_required',
  });
  expect(await silent.client.refused(startCampaign, { params: { id } })).toMatchObject({
    code: 'message_privilege_required',
  });
  expect(await support.client.refused(createCampaign, { body })).toMatchObject({
    status: 403,
    code: 'permission_required',
  });
  const former = await buildStaff(app, { role: 'manager' });
  const own = await runCampaign(former, { audience: group.audience });
  await app.db.kysely
    .updateTable('admins')
    .set({ role: 'support' })
    .where('id', '=', former.admin.id)
    .execute();
  const seen = (await former.client.call(listCampaigns)).body.data;
  expect(seen.map((each) => each.id)).toEqual([own.id]);
  expect(await readCampaign(former, own.id)).toMatchObject({ id: own.id });
  await expect(readCampaign(former, id)).rejects.toThrow();
  expect((await support.client.call(listCampaigns)).body.data).toEqual([]);
});

test('only the actions that a state allows are possible, and each is audited', async () => {
  const send_at = new Date(Date.now() + 3_600_000).toISOString();
  const { id } = await buildCampaign(manager, { send_at });
  const params = { id };
  const act = { start: startCampaign, pause: pauseCampaign, resume: resumeCampaign };
  const refused = async (...names: (keyof typeof act)[]) => {
    for (const name of names)
      expect(await client.refused(act[name], { params })).toMatchObject({
        status: 409,
        code: 'invalid_transition',
      });
  };
  await refused('pause', 'resume');
  expect((await client.call(startCampaign, { params })).body.data.state).toBe('scheduled');
  await refused('start', 'resume');
  expect((await client.call(pauseCampaign, { params })).body.data.state).toBe('paused');
  await refused('start', 'pause');
  expect((await client.call(resumeCampaign, { params })).body.data.state).toBe('scheduled');
  expect((await client.call(cancelCampaign, { params })).body.data.state).toBe('canceled');
  await refused('start', 'pause', 'resume');
  const { data } = (await client.call(listAudit, { query: { target_id: id } })).body;
  expect(data.map(({ action }) => action).toReversed()).toEqual([
    'campaign.create',
    'campaign.start',
    'campaign.pause',
    'campaign.resume',
    'campaign.cancel',
  ]);
});

test('forty campaigns saved and forty started at once all succeed', async () => {
  const product = await buildProduct(manager);
  const offer = { product_id: product.id, is_paid: true as const, price: 5 };
  const { rule } = fanGroup(app).audience;
  const segment = (await client.call(createSegment, { body: { name: unique('Segment'), rule } }))
    .body.data;
  const campaigns = await Promise.all(
    Array.from({ length: 40 }, () =>
      buildCampaign(manager, {
        variants: [{ content: 'Hi', attachments: [offer] }],
        audience: { segment_id: segment.id },
      }),
    ),
  );
  const started = await Promise.all(
    campaigns.map(({ id }) => client.call(startCampaign, { params: { id } })),
  );
  expect(new Set(started.map(({ status }) => status))).toEqual(new Set([200]));
});
