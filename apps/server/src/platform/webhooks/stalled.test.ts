import type { ServerResponse } from 'node:http';
import { listDeliveries } from '@stagedoor/contract/platform/webhooks';
import { sql } from 'kysely';
import { afterAll, afterEach, expect, test } from 'vitest';
import { buildConversation, buildReply, buildStaff } from '../../../test/factories.ts';
import { onDatabase, untilWaiting } from '../../../test/on-database.ts';
import { QUICK, startWebhookReceiver } from '../../../test/servers/webhook-receiver.ts';
import { startTestApp } from '../../../test/test-app.ts';
import { until } from '../../../test/until.ts';
import { pruneDeliveries } from './webhooks.store.ts';

const receiver = await startWebhookReceiver();
const webhook = { url: receiver.url, secret: receiver.secret };
afterEach(() => {
  receiver.react = () => 204;
});
afterAll(() => receiver.close());

/** Starts a server whose first event, of a new conversation, is held by the receiver in `open`. */
async function startStalled() {
  const app = await startTestApp({ webhook: { ...webhook, timing: QUICK } });
  const staff = await buildStaff(app);
  const { id } = await buildConversation(app, { messages: [] });
  const open: ServerResponse[] = [];
  receiver.react = () => (response) => void open.push(response);
  await buildReply(staff, id);
  await until('a try', () => open.length === 1);
  return { app, staff, id, open };
}

test('after events were given up without a webhook, later ones are delivered once a webhook is set', async () => {
  const { app, staff, id, open } = await startStalled();
  await buildReply(staff, id);

  const setUrl = (url: string | null) => sql`update webhook_endpoint set url = ${url}`;
  await setUrl(null).execute(app.db.kysely);
  await sql`update webhook_events set queued_at = queued_at - interval '4 days'
    where id = (select min(id) from webhook_events where conversation_id = ${id})`.execute(
    app.db.kysely,
  );
  await pruneDeliveries(app.db, 7);
  await setUrl(receiver.url).execute(app.db.kysely);

  receiver.react = () => 204;
  for (const response of open) response.writeHead(500).end();
  await buildReply(staff, id);
  await until('the others', () => receiver.seqsIn(id).length === 2);
  expect(receiver.seqsIn(id)).toEqual([2, 3]);
  await app.close();
});

test('giving up events locks their queue before them, like every delivery', async () => {
  const { app, open } = await startStalled();
  await sql`update webhook_endpoint set url = null`.execute(app.db.kysely);
  await sql`update webhook_events set queued_at = queued_at - interval '4 days'`.execute(
    app.db.kysely,
  );
  await onDatabase({ connectionString: app.databaseUrl }, async (client) => {
    await client.query('begin');
    await client.query('select from webhook_lanes for update');
    const pruned = pruneDeliveries(app.db, 7);
    await untilWaiting(app, 1);
    const events = 'select from webhook_events for update nowait';
    expect((await client.query(events)).rowCount).toBe(1);
    await client.query('commit');
    await pruned;
  });
  for (const response of open) response.writeHead(204).end();
  await app.close();
});

test('an event whose body can’t be built is given up in time, and the next of its conversation follows', async () => {
  const timing = { ...QUICK, giveUpAfter: 0.5 };
  const app = await startTestApp({ webhook: { ...webhook, timing } });
  const staff = await buildStaff(app, { role: 'manager' });
  const { id } = await buildConversation(app, { messages: [] });
  await sql`create function spoil() returns trigger language plpgsql as $$
    begin
      if not exists (select from webhook_events) then
        new.type := 'reaction.toggled';
        new.ref := '{"emoji": "none of ours"}';
      end if;
      return new;
    end $$`.execute(app.db.kysely);
  await sql`create trigger spoil before insert on webhook_events for each row execute function spoil()`.execute(
    app.db.kysely,
  );
  await buildReply(staff, id);
  await buildReply(staff, id);
  await until('the second', () => receiver.seqsIn(id).length === 1);
  expect(receiver.seqsIn(id)).toEqual([2]);
  const { body } = await staff.client.call(listDeliveries, { query: { state: 'failed' } });
  expect(body.data).toMatchObject([{ type: 'reaction.toggled', last_attempt: null }]);
  await app.close();
});
