import { replaceFanLanguages } from '@stagedoor/contract/fans/fan-facts';
import { createGlobalTag, deleteGlobalTag, updateGlobalTag } from '@stagedoor/contract/fans/tags';
import { discardDraft, discardDrafts, saveDraft } from '@stagedoor/contract/messaging/drafts';
import { getGuardRails, updateGuardRails } from '@stagedoor/contract/messaging/guard-rails';
import { unsendMessage } from '@stagedoor/contract/messaging/messages';
import {
  cancelScheduled,
  scheduleMessage,
  sendScheduledNow,
  updateScheduled,
} from '@stagedoor/contract/messaging/scheduled';
import {
  createTemplate,
  deleteTemplate,
  updateTemplate,
} from '@stagedoor/contract/messaging/templates';
import { eraseFan, putSubscription, recordTip } from '@stagedoor/contract/platform/platform';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  buildConversation,
  buildFanMessage,
  buildReply,
  buildStaff,
  unique,
} from '../../test/factories.ts';
import { sharedApp, startTestApp, type TestApp } from '../../test/test-app.ts';
import { until } from '../../test/until.ts';
import { buildScheduled, hoursAhead, makeDue } from '../../test/worlds/scheduled.ts';
import { createLogger } from '../log.ts';

const lines: string[] = [];
const app = await sharedApp({
  log: createLogger('info', { write: (line) => void lines.push(line) }),
});
const staff = await buildStaff(app, { role: 'manager' });
// Copies each row to a table that the deletion doesn't touch.
for (const statement of [
  'create table kept as select event, payload from outbox where false',
  `create function keep() returns trigger language plpgsql as $$
    begin insert into kept values (new.event, new.payload); return null; end $$`,
  'create trigger keep after insert on outbox for each row execute function keep()',
])
  await sql.raw(statement).execute(app.db.kysely);

const outboxIsEmpty = (on: TestApp = app) =>
  until('the outbox is empty', async () => {
    const rows = await on.db.kysely.selectFrom('outbox').select('id').execute();
    return rows.length === 0;
  });

test('a completed call succeeds even if its event can’t be emitted; the sweep emits it later', async () => {
  const own = await startTestApp();
  const { token } = await buildStaff(own);
  const { id, fan } = await buildConversation(own);
  const socket = await own.connectSocket(token);
  await sql`alter table global_tags rename to global_tags_away`.execute(own.db.kysely);
  const reply = await own.platform.call(putSubscription, {
    params: { fan: fan.external_id },
    body: { status: 'subscribed', ends_at: null },
  });
  expect(reply.status).toBe(200);
  await sql`alter table global_tags_away rename to global_tags`.execute(own.db.kysely);
  const { conversation } = await socket.nextEvent(
    'conversation_updated',
    (event) => event.conversation.id === id && event.conversation.fan.subscription !== null,
  );
  expect(conversation.fan.subscription).toMatchObject({ status: 'subscribed' });
  await outboxIsEmpty(own);
  await own.close();
});

test('events that can never be emitted expire after an hour, with one log line and a metric', async () => {
  const dropped = async () => {
    const { text } = await app.anonymous.raw('GET', '/metrics');
    return /^stagedoor_outbox_expired_total (\d+)$/m.exec(text)?.[1];
  };
  expect(await dropped()).toBe('0');
  const event = unique('from_a_later_version');
  await sql`insert into outbox (event, payload, created_at) values
    (${event}, '{}', now() - interval '61 minutes'), (${event}, '{}', now() - interval '2 hours'),
    (${event}, '{}', now() - interval '59 minutes')`.execute(app.db.kysely);
  const left = async () =>
    (await app.db.kysely.selectFrom('outbox').select('id').where('event', '=', event).execute())
      .length;
  await until('two have expired', async () => (await left()) === 1);
  await until('they are counted', async () => (await dropped()) === '2');
  // The third event is retried without another log line.
  await app.db.kysely
    .updateTable('outbox')
    .set({ event: 'pins_updated', payload: JSON.stringify({ admin_id: staff.admin.id }) })
    .where('event', '=', event)
    .execute();
  await outboxIsEmpty();
  expect(lines.filter((line) => line.includes(event))).toHaveLength(1);
});

/** Changes that others see, each with its event. `change` does the setup and returns the change itself. */
const CHANGES: readonly (readonly [
  what: string,
  event: Parameters<Awaited<ReturnType<TestApp['connectSocket']>>['nextEvent']>[0],
  change: () => Promise<() => Promise<unknown>>,
])[] = [
  [
    'a new template',
    'shared_updated',
    async () => () => staff.client.call(createTemplate, { body: templateOf(true) }),
  ],
  [
    'a tip',
    'tip_recorded',
    async () => {
      const { fan } = await buildConversation(app);
      const tip = { fan: fan.external_id, amount: 5, payment_reference: unique('tip') };
      return () => app.platform.call(recordTip, { body: tip });
    },
  ],
  [
    'a changed template',
    'shared_updated',
    async () => {
      const { body } = await staff.client.call(createTemplate, { body: templateOf(false) });
      const params = { id: body.data.id };
      return () =>
        staff.client.call(updateTemplate, { params, body: { version: 1, is_shared: true } });
    },
  ],
  [
    'a deleted template of one’s own',
    'shared_updated',
    async () => {
      const { body } = await staff.client.call(createTemplate, { body: templateOf(false) });
      return () => staff.client.call(deleteTemplate, { params: { id: body.data.id } });
    },
  ],
  [
    'a scheduled message',
    'shared_updated',
    async () => {
      const { id } = await buildConversation(app);
      const body = { content: 'Later', send_at: hoursAhead(1) };
      return () => staff.client.call(scheduleMessage, { params: { id }, body });
    },
  ],
  [
    'a changed scheduled message',
    'shared_updated',
    async () => {
      const params = { id: (await waiting()).id };
      return () =>
        staff.client.call(updateScheduled, { params, body: { version: 1, content: 'Other' } });
    },
  ],
  [
    'a canceled scheduled message',
    'shared_updated',
    async () => {
      const params = { id: (await waiting()).id };
      return () => staff.client.call(cancelScheduled, { params });
    },
  ],
  [
    'a scheduled message that was sent at once',
    'shared_updated',
    async () => {
      const params = { id: (await waiting()).id };
      return () => staff.client.call(sendScheduledNow, { params });
    },
  ],
  [
    'a scheduled message that was sent at its time',
    'shared_updated',
    async () => {
      const { id } = await waiting();
      return () => makeDue(app, id);
    },
  ],
  [
    'a follow-up before which the fan wrote',
    'shared_updated',
    async () => {
      const { id, fan } = await buildConversation(app);
      await buildScheduled(staff, id, { is_follow_up: true });
      return () => buildFanMessage(app, fan);
    },
  ],
  [
    'changed guard rails',
    'shared_updated',
    async () => {
      const { body } = await staff.client.call(getGuardRails);
      return () => staff.client.call(updateGuardRails, { body: body.data });
    },
  ],
  [
    'a draft',
    'draft_updated',
    async () => {
      const params = { id: (await buildConversation(app)).id };
      return () => staff.client.call(saveDraft, { params, body: DRAFT });
    },
  ],
  [
    'a discarded draft',
    'draft_updated',
    async () => {
      const params = { id: (await buildConversation(app)).id };
      await staff.client.call(saveDraft, { params, body: DRAFT });
      return () => staff.client.call(discardDraft, { params });
    },
  ],
  [
    'all drafts discarded',
    'draft_updated',
    async () => {
      const params = { id: (await buildConversation(app)).id };
      await staff.client.call(saveDraft, { params, body: DRAFT });
      return () => staff.client.call(discardDrafts);
    },
  ],
  [
    'a fan’s languages',
    'shared_updated',
    async () => {
      const params = { id: (await buildConversation(app)).id };
      return () => staff.client.call(replaceFanLanguages, { params, body: { languages: ['pt'] } });
    },
  ],
  [
    'a new tag of the library',
    'global_tag_updated',
    async () => () => staff.client.call(createGlobalTag, { body: { label: unique('tag') } }),
  ],
  [
    'a changed tag of the library',
    'global_tag_updated',
    async () => {
      const params = { id: await tag() };
      return () => staff.client.call(updateGlobalTag, { params, body: { label: unique('other') } });
    },
  ],
  [
    'a deleted tag of the library',
    'global_tag_deleted',
    async () => {
      const params = { id: await tag() };
      return () => staff.client.call(deleteGlobalTag, { params });
    },
  ],
  [
    'an unsent message',
    'message_unsent',
    async () => {
      const reply = await buildReply(staff, (await buildConversation(app)).id);
      return () => staff.client.call(unsendMessage, { params: { id: reply.id } });
    },
  ],
  [
    'an erased fan',
    'conversation_removed',
    async () => {
      const { fan } = await buildConversation(app);
      return () => app.platform.call(eraseFan, { params: { fan: fan.external_id } });
    },
  ],
];

const DRAFT = { text: 'Dear', reply_to: null, age_ms: 0 };
const templateOf = (is_shared: boolean) => ({
  name: unique('Template'),
  content: 'Hi!',
  folder: '',
  product: null,
  attachments: [],
  is_shared,
});
const waiting = async () => buildScheduled(staff, (await buildConversation(app)).id);
const tag = async () =>
  (await staff.client.call(createGlobalTag, { body: { label: unique('tag') } })).body.data.id;

test.each(CHANGES)(
  '%s reaches open consoles even if the process dies before it emits %s',
  async (_what, event, change) => {
    const run = await change();
    await outboxIsEmpty();
    await sql`truncate kept`.execute(app.db.kysely);
    const before = await app.connectSocket(staff.token);
    await run();
    const emitted = await before.nextEvent(event);
    before.close();
    await outboxIsEmpty();
    const after = await app.connectSocket(staff.token);
    await sql`insert into outbox (event, payload, created_at)
    select event, payload, now() - interval '5 s' from kept`.execute(app.db.kysely);
    expect(await after.nextEvent(event)).toEqual(emitted);
    after.close();
    await outboxIsEmpty();
  },
);
