import { searchMessages } from '@stagedoor/contract/inbox/message-search';
import { analyticsOverview } from '@stagedoor/contract/selling/analytics';
import { previewSegment } from '@stagedoor/contract/selling/segments';
import { exportAudit } from '@stagedoor/contract/team/audit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../test/database.ts';
import {
  buildConversation,
  buildFanMessage,
  buildStaff,
  type Staff,
} from '../../test/factories.ts';
import { onDatabase } from '../../test/on-database.ts';
import {
  type PostgresPair,
  skipWithoutPostgres,
  startPostgresPair,
} from '../../test/servers/postgres-pair.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { until } from '../../test/until.ts';
import { openDatabase } from './database.ts';

describe.skipIf(skipWithoutPostgres())('a replica', () => {
  let pair: PostgresPair;
  let app: TestApp;
  let staff: Staff;

  beforeAll(async () => {
    pair = await startPostgresPair();
    app = await startTestApp({
      databaseUrl: pair.url(pair.writer),
      replicaUrl: pair.url(pair.replica),
    });
    staff = await buildStaff(app, { role: 'manager' });
  });
  afterAll(async () => {
    await app?.close();
    await pair?.stop();
  });

  const isUsed = () =>
    app.db.readStale(async (source) => {
      const [row] = await source.runPlanned<{ is: boolean }>(
        'select pg_is_in_recovery() as is',
        [],
      );
      return row?.is === true;
    });
  const finds = async (q: string) =>
    (await staff.client.call(searchMessages, { query: { q } })).body.data.length > 0;

  test('searches read from it; from the writer when it is more than five seconds behind', async () => {
    const { fan } = await buildConversation(app);
    await until('it is used', isUsed);
    await pair.replica.ask('select pg_wal_replay_pause()');
    await buildFanMessage(app, fan, { content: 'quokka' });
    const isFound = await finds('quokka');
    // The paused replica lacks the message. A search that found it read the writer, so the replica is not used any more.
    expect(isFound && (await isUsed())).toBe(false);
    await until('the writer is read instead', () => finds('quokka'));
    await pair.replica.ask('select pg_wal_replay_resume()');
    await until('it is used again', isUsed);
    expect(await finds('quokka')).toBe(true);
  });

  test('analytics, exports and segment previews read from it', async () => {
    await until('it is used', isUsed);
    const scans = async () => {
      const rows = await pair.replica.ask<{ table: string }>(
        `select relname as table from pg_stat_user_tables where seq_scan + coalesce(idx_scan, 0) > 0`,
      );
      return rows.map(({ table }) => table);
    };
    await pair.replica.ask('select pg_stat_reset()');
    await staff.client.call(analyticsOverview, { query: {} });
    await staff.client.call(exportAudit, { query: {} });
    const body = { rule: { all: [{ field: 'spent', op: 'gte', value: 1 }] } } as const;
    await staff.client.call(previewSegment, { body });
    // An idle connection reports what it read after up to ten seconds.
    const areRead = async () => {
      const tables = await scans();
      return ['audit_log', 'fans', 'purchases'].every((table) => tables.includes(table));
    };
    await until('their tables are read there', areRead);
  });

  test('a server that does not follow the writer is not read, even if its log is longer', async () => {
    const stranger = await createTestDatabase();
    const ask = <Row extends object>(text: string) =>
      onDatabase({ connectionString: stranger.url }, async (client) => {
        const { rows } = await client.query<Row>(text);
        return rows[0];
      });
    await ask(`select pg_logical_emit_message(false, '', repeat('x', 64 * 1024 * 1024))`);
    const replica = { url: stranger.url, changed: () => undefined };
    const db = openDatabase({ connectionString: pair.url(pair.writer) }, () => undefined, replica);
    const lastCheck = async () => {
      const row = await ask<{ at: Date | null }>(
        `select max(query_start) as at from pg_stat_activity
         where datname = current_database() and application_name = 'stagedoor'`,
      );
      return row?.at ?? null;
    };
    const first = await until('it is checked', lastCheck);
    // The second check begins after the first has ended.
    await until('it is checked again', async () => ((await lastCheck()) ?? first) > first);
    const name = await db.readStale(async (source) => {
      const [row] = await source.runPlanned<{ name: string }>(
        'select current_database() as name',
        [],
      );
      return row?.name;
    });
    expect(name).toBe('postgres');
    await db.close();
    await stranger.drop();
  });

  test('when it dies, reads go to the writer at once', async () => {
    const { fan } = await buildConversation(app);
    await buildFanMessage(app, fan, { content: 'numbat' });
    await until('it is used', isUsed);
    await pair.replica.kill();
    expect(await finds('numbat')).toBe(true);
    await pair.replica.start();
    await until('it is used again', isUsed);
  });
});
