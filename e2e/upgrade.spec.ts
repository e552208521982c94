import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { listMessages, sendMessage } from '@stagedoor/contract/messaging/messages';
import { postFanMessage, putFan } from '@stagedoor/contract/platform/platform';
import { sql } from 'kysely';
import { build } from 'vite';
import { openDatabase } from '../apps/server/src/db/database.ts';
import { backendOf } from '../apps/server/test/backend.ts';
import { unique } from '../apps/server/test/factories.ts';
import { httpClient } from '../apps/server/test/http-client.ts';
import { brokenRules } from '../apps/server/test/migration-rules.ts';
import { until } from '../apps/server/test/until.ts';
import { createTestDatabase } from './database.ts';
import { test as base, expect } from './support/journey.ts';
import { OWNER_EMAIL, PLATFORM_KEY, startServer } from './support/server.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** How long a call is retried, and the pause before each retry, as in a client. Milliseconds. */
const GIVE_UP_AFTER = 30_000;
const RETRY_MS = 250;

/** The next version's migration, which changes the tables that every send writes to. */
const CHANGES = [
  "alter table messages add column edited_at timestamptz, add column hint text not null default ''",
  'alter table conversations add column weight integer not null default 0',
  'alter table fans add column seen_at timestamptz',
  'create table mentions (message_id uuid primary key references messages (id) on delete cascade)',
  `create function note_mention() returns trigger language plpgsql as $$
   begin insert into mentions (message_id) values (new.id); return null; end $$`,
  'create trigger mentions_noted after insert on messages for each row execute function note_mention()',
];

/**
 * Creates a build with one additional migration.
 * @returns its `main.js`
 */
async function buildNext(folder: string): Promise<string> {
  const next = `'9999-next': { async up(db) {
    for (const text of ${JSON.stringify(CHANGES)}) await sql.raw(text).execute(db);
  } },`;
  await build({
    root: path.join(ROOT, 'apps/server'),
    logLevel: 'warn',
    build: { outDir: folder },
    plugins: [
      {
        name: 'next-version',
        enforce: 'pre',
        transform: {
          filter: { id: /[\\/]db[\\/]migrate\.ts$/ },
          handler(code) {
            const changed = code.replace(
              /const migrations[\s\S]*?\n(?=\};)/,
              (known) => known + next,
            );
            if (changed === code) throw new Error('the list of migrations was not found');
            return changed;
          },
        },
      },
    ],
  });
  return path.join(folder, 'main.js');
}

/** Retries a call until it succeeds. @returns null when it gave up */
async function persist<T>(attempt: () => Promise<T>): Promise<T | null> {
  const deadline = Date.now() + GIVE_UP_AFTER;
  while (Date.now() < deadline) {
    try {
      return await attempt();
    } catch {
      await sleep(RETRY_MS);
    }
  }
  return null;
}

const test = base.extend<{ folder: string }>({
  folder: async ({ browserName: _browserName }, use) => {
    // Inside the repository, so that the build finds its packages.
    const state = path.join(ROOT, '.stagedoor');
    await mkdir(state, { recursive: true });
    const folder = await mkdtemp(path.join(state, 'upgrade-'));
    await use(folder);
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  },
});

test('a newer version migrates and takes over next to the older one, and no send fails', async ({
  folder,
}) => {
  test.setTimeout(400_000);
  expect(brokenRules(CHANGES)).toEqual([]);
  const database = await createTestDatabase();
  const db = openDatabase({ connectionString: database.url }, () => undefined);
  const env = { DATA_DIR: path.join(folder, 'data') };
  const older = await startServer({ databaseUrl: database.url, env });
  const { insertSession } = backendOf({ url: older.url, db, platformKey: PLATFORM_KEY });
  const owner = await db.kysely
    .selectFrom('admins')
    .select('id')
    .where('email', '=', OWNER_EMAIL)
    .executeTakeFirstOrThrow();
  const token = await insertSession(owner.id);
  const urls = [older.url];
  const fans = await Promise.all(
    ['a', 'b', 'c'].map(async (fan) => {
      const platform = httpClient(older.url, PLATFORM_KEY);
      return (await platform.call(putFan, { params: { fan }, body: {} })).body.data;
    }),
  );

  let isOver = false;
  const sent: { key: string; id: string | undefined; conversationId: string; url: string }[] = [];
  /** Sends like a client behind a proxy for both servers: each retry goes to the next server, with the same key. */
  const work = async (number: number) => {
    for (let turn = number; !isOver; turn++) {
      const fan = fans[turn % fans.length] ?? fans[0];
      if (!fan) throw new Error('no fan');
      const key = unique('key');
      const conversation_id = fan.conversation_id;
      let tries = number;
      const confirmed = await persist(async () => {
        const url = urls[tries++ % urls.length] ?? older.url;
        const { body } =
          number % 2 === 0
            ? await httpClient(url, token).call(sendMessage, {
                headers: { 'idempotency-key': key },
                body: { conversation_id, content: key },
              })
            : await httpClient(url, PLATFORM_KEY).call(postFanMessage, {
                params: { fan: fan.external_id },
                body: { client_id: key, content: key },
              });
        return { id: body.data.id, url };
      });
      sent.push({
        key,
        id: confirmed?.id,
        conversationId: conversation_id,
        url: confirmed?.url ?? '',
      });
    }
  };
  const working = Array.from({ length: 6 }, (_, number) => work(number));
  const more = (by: string, count: number) => {
    const from = sent.filter(({ url }) => url === by).length;
    return until(
      `${count} more sends`,
      () => sent.filter(({ url }) => url === by).length >= from + count,
      150_000,
    );
  };
  await more(older.url, 60);

  const starting = buildNext(path.join(folder, 'server')).then((main) =>
    startServer({ databaseUrl: database.url, env, main }),
  );
  await until(
    'the newer one has migrated',
    async () => {
      const { rows } = await sql<{ done: boolean }>`
        select to_regclass('mentions') is not null as done`.execute(db.kysely);
      return rows[0]?.done;
    },
    150_000,
  );
  // The older server works with the newer schema.
  await more(older.url, 30);
  expect(await older.stop()).toBe(0);
  const newer = await starting;
  urls.splice(0, 1, newer.url);
  await more(newer.url, 60);
  isOver = true;
  await Promise.all(working);

  expect(sent.filter(({ id }) => id === undefined)).toEqual([]);
  const staff = httpClient(newer.url, token);
  let stored = 0;
  for (const { conversation_id: id } of fans) {
    const { rows } = await sql<{ id: string; seq: number; content: string }>`
      select id, seq, content from messages where conversation_id = ${id} order by seq`.execute(
      db.kysely,
    );
    stored += rows.length;
    expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1));
    expect(new Set(rows.map(({ content }) => content)).size).toBe(rows.length);
    const found = new Map(rows.map((row) => [row.content, row.id]));
    for (const { key, id: confirmed } of sent.filter(({ conversationId }) => conversationId === id))
      expect(found.get(key)).toBe(confirmed);
    await staff.call(listMessages, { params: { id } });
  }
  const { rows: mentions } = await sql<{
    n: number;
  }>`select count(*)::int as n from mentions`.execute(db.kysely);
  console.log(
    `sent ${sent.length}, stored ${stored}, of these ${mentions[0]?.n} on the new schema, failed 0`,
  );
  expect(stored).toBe(sent.length);

  await newer.stop();
  // A downgrade requires the backup, and the older server says so.
  await expect(older.start()).rejects.toThrow('the database is from a newer version (9999-next)');
  for (const server of [newer, older]) await server.dispose();
  await db.close();
  await database.drop();
});
