import { listMessages, sendMessage } from '@stagedoor/contract/messaging/messages';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { buildConversation, buildStaff, type Staff, unique } from '../../test/factories.ts';
import {
  type PostgresPair,
  skipWithoutPostgres,
  startPostgresPair,
} from '../../test/servers/postgres-pair.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { until } from '../../test/until.ts';
import { createLogger } from '../log.ts';
import { openDatabase } from './database.ts';
import { type Hold, holdInstallation } from './installation-lock.ts';

describe.skipIf(skipWithoutPostgres())('a database of two servers', () => {
  let pair: PostgresPair;
  let app: TestApp;
  let staff: Staff;
  let conversationId: string;

  beforeEach(async () => {
    pair = await startPostgresPair();
    // The server that takes writes is not the first.
    app = await startTestApp({ databaseUrl: pair.url(pair.replica, pair.writer) });
    staff = await buildStaff(app);
    conversationId = (await buildConversation(app)).id;
  });
  afterEach(async () => {
    await app?.close();
    await pair?.stop();
  });

  const send = (key: string) =>
    staff.client.raw('POST', sendMessage.path, {
      headers: { 'idempotency-key': key },
      body: { conversation_id: conversationId, content: key },
    });
  const stored = async () => {
    const query = { limit: 100 };
    const page = await staff.client.call(listMessages, { params: { id: conversationId }, query });
    return page.body.data.map(({ content }) => content);
  };

  test('a commit that was not replicated is not confirmed, and its resend returns the same message', async () => {
    const { writer } = pair;
    await writer.ask(`alter system set synchronous_standby_names = 'nobody'`);
    await writer.ask('select pg_reload_conf()');
    const waits = () =>
      writer.ask<{ pid: number; id: string }>(
        `select pid, concat(pid, ' ', query_start) as id from pg_stat_activity where wait_event = 'SyncRep'`,
      );
    // The setting takes effect a moment later. Before that, our commits would not wait.
    const commits: Promise<unknown>[] = [];
    await until('commits wait', async () => {
      commits.push(writer.ask(`select pg_logical_emit_message(true, '', '')`));
      return (await waits()).length > 0;
    });
    // Cancels each wait only once: a second cancellation could reach the connection's next statement.
    const canceled = new Set<string>();
    const whileCanceling = async <Result>(work: Promise<Result>): Promise<Result> => {
      let isDone = false;
      const ending = work.finally(() => {
        isDone = true;
      });
      await until('its waits are canceled', async () => {
        for (const { pid, id } of await waits()) {
          if (!canceled.has(id)) await writer.ask(`select pg_cancel_backend(${pid})`);
          canceled.add(id);
        }
        return isDone;
      });
      return ending;
    };
    await whileCanceling(Promise.all(commits));
    const key = unique('unreplicated');
    const { status, headers, text } = await whileCanceling(send(key));
    await writer.ask('alter system reset synchronous_standby_names');
    await writer.ask('select pg_reload_conf()');
    expect({ status, code: JSON.parse(text).code }).toEqual({ status: 503, code: 'unavailable' });
    expect(headers.get('retry-after')).toBe('1');
    expect((await send(key)).status).toBe(200);
    expect((await stored()).filter((content) => content === key)).toHaveLength(1);
  });

  test('when another server takes over, everything goes on there, and nothing is lost or doubled', async () => {
    const { writer, replica } = pair;
    const readOnly = await startTestApp({ databaseUrl: pair.url(writer) });
    const own = openDatabase({ connectionString: pair.url(replica, writer) }, () => undefined);
    const hold = await holdInstallation(own.connectionOptions, 'node', createLogger('silent'));
    await writer.ask(`alter system set synchronous_standby_names = '*'`);
    await writer.ask('select pg_reload_conf()');

    const keys = Array.from({ length: 40 }, () => unique('failover'));
    const first = Promise.all(keys.map(send));
    await writer.kill();
    const answers = await first;
    const kinds = answers.map(({ status, headers }) => `${status} ${headers.get('retry-after')}`);
    expect(['201 null', '503 1']).toEqual(expect.arrayContaining([...new Set(kinds)]));
    // No server takes writes now.
    expect((await send(unique('nobody'))).status).toBe(503);
    await lapse(hold);

    await replica.promote();
    const resent = unique('resent');
    await until('sends go through', async () => (await send(resent)).status === 201);
    for (const key of keys) expect([200, 201]).toContain((await send(key)).status);
    const contents = await stored();
    for (const key of keys) expect(contents.filter((content) => content === key)).toHaveLength(1);
    await until('the lock is held again', () => hold.isHeld());

    // The former writer comes back as a follower, which is never used for writes, even as the only host.
    writer.follow(replica);
    await writer.start();
    expect((await send(unique('after'))).status).toBe(201);
    expect((await readOnly.anonymous.raw('GET', '/api/health')).status).toBe(503);
    await hold.release();
    await own.close();
    await readOnly.close();
  });
});

async function lapse(hold: Hold): Promise<void> {
  await until('it stops serving', () => !hold.isHeld());
}
