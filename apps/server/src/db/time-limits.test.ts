import { sendMessage } from '@stagedoor/contract/messaging/messages';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { buildConversation, buildStaff } from '../../test/factories.ts';
import { freezeHolding } from '../../test/lock-holder.ts';
import { whileLocked } from '../../test/on-database.ts';
import { sharedApp } from '../../test/test-app.ts';
import { unhurried } from './database.ts';

const app = await sharedApp();
const { client } = await buildStaff(app);

const send = (conversationId: string) =>
  client.raw('POST', sendMessage.path, {
    body: { conversation_id: conversationId, content: 'Hello' },
  });

test('a frozen process that holds a conversation’s row delays a message only until its transaction is ended', async () => {
  const { id } = await buildConversation(app);
  onTestFinished(await freezeHolding(app.databaseUrl, id));
  expect((await send(id)).status).toBe(201);
});

test('a call that waits too long for a locked row gets 503, and nothing is stored', async () => {
  const { id, messages } = await buildConversation(app, { messages: ['first'] });
  const lock = `select from conversations where id = '${id}' for update`;
  const { status, text } = await whileLocked(app.databaseUrl, lock, () => send(id));
  expect([status, JSON.parse(text)]).toEqual([
    503,
    expect.objectContaining({ code: 'unavailable' }),
  ]);
  const rows = await app.db.runPlanned('select id from messages where conversation_id = $1', [id]);
  expect(rows).toEqual([{ id: messages[0]?.id }]);
});

test('statements of calls are canceled after half a minute; upgrades and sums have no time limit', async () => {
  const limits = sql<{ statement: string; lock: string; idle: string }>`
    select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
      current_setting('idle_in_transaction_session_timeout') as idle`;
  const of = async (db: typeof app.db.kysely) => (await limits.execute(db)).rows[0];
  const usual = { statement: '30s', lock: '8s', idle: '4s' };
  // Checks all connections, because one of them was used without limits before.
  const ofAll = () => Promise.all(Array.from({ length: 16 }, () => of(app.db.kysely)));
  expect(await unhurried(app.db.kysely, of)).toEqual({ statement: '0', lock: '0', idle: '0' });
  expect(await ofAll()).toEqual(Array.from({ length: 16 }, () => usual));
});
