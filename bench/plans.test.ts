import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp } from '../apps/server/test/test-app.ts';
import { generate, MEASURING_ADMIN, RARE } from './generate.ts';
import { type Bounds, findings } from './lib/plans/findings.ts';
import { analyzeEveryRow, copyDatabase } from './lib/plans/scratch.ts';
import { explainEverything, watchPlans } from './lib/plans/watch.ts';
import { query } from './lib/query.ts';
import { staffReads } from './lib/reads/calls.ts';
import { hasDebianServer, temporaryServer } from './lib/servers.ts';

const AMOUNT = { conversations: 22_000, messages: 66_000 };
/** PostgreSQL replans a prepared statement five times before it may switch to a generic plan. */
const TIMES = 7;
/** The same statements for other ranges, and as exports. */
const LEFT_OUT = /^export of|: (1|30|90) days$/;

/** The maximum number of rows that a step of a call's plan may read from a table, at any table size. */
const BOUNDS: readonly (readonly [RegExp, Bounds])[] = [
  // Newest first, up to the search's own limits; see search.store.ts.
  [/^search: /, { messages: 60_000, conversations: 20_000, fans: 15_000, others: 1_500 }],
  // The number of newest messages and notes that a search scans, plus one. For matches, it then checks the fan's tag.
  [
    /^message search: /,
    {
      messages: 61_000,
      staff_notes: 11_000,
      conversations: 4_000,
      fan_tags: 4_000,
      others: 4_000,
    },
  ],
  // Counts all fans with the tag, and reads them when the newest 2,000 of the list contain too few.
  [/ tag$/, { fan_tags: 3_000, conversations: 3_000, others: 1_500 }],
  [/ a tag nobody carries$/, { others: 2_000 }],
  [/./, { others: 1_500 }],
];

const watch = watchPlans();
const servers = [await temporaryServer('embedded', { fsync: 'off' })];
if (hasDebianServer) servers.push(await temporaryServer('debian'));
afterAll(async () => {
  watch.stop();
  for (const server of servers) await server.stop();
});

/**
 * Checks the plans of all statements that the server runs for the staff's read calls.
 * @returns each finding once, by call; omits calls without findings
 */
async function findingsOf(databaseUrl: string, only = /./): Promise<Record<string, string[]>> {
  const app = await startTestApp({ databaseUrl });
  try {
    const [admin] = await app.db.runPlanned<{ id: string }>(
      'select id from admins where email = $1',
      [MEASURING_ADMIN],
    );
    const staff = app.staff(await app.insertSession(admin?.id ?? ''));
    const get = async (path: string): Promise<unknown> => {
      const { status, text } = await staff.raw('GET', path);
      if (status !== 200) throw new Error(`GET ${path}: ${status} ${text}`);
      return path.includes('/export') ? text : JSON.parse(text);
    };
    const found: Record<string, string[]> = {};
    for (const { name, paths } of await staffReads(get, RARE.word)) {
      if (!only.test(name) || LEFT_OUT.test(name)) continue;
      const bounds = BOUNDS.find(([pattern]) => pattern.test(name))?.[1] ?? { others: 0 };
      watch.take();
      for (let time = 0; time < TIMES; time++) await get(paths[time % paths.length] ?? '');
      const plans = watch.take();
      if (plans.length === 0) throw new Error(`no plan arrived for ${name}`);
      const all = new Set(plans.flatMap((plan) => findings(plan, bounds)));
      if (all.size > 0) found[name] = [...all];
    }
    return found;
  } finally {
    await app.close();
  }
}

describe.each(servers)('$title', (server) => {
  let url = '';
  let withoutIndexes = '';

  beforeAll(async () => {
    url = await server.database('plans');
    await generate({ url, ...AMOUNT });
    await analyzeEveryRow(url);
    withoutIndexes = await copyDatabase(url, 'without_indexes');
    for (const each of [url, withoutIndexes]) await explainEverything(each);
  });

  test('no call of staff reads a large table through, sorts on disk, or reads more rows than it needs', async () => {
    expect(await findingsOf(url)).toEqual({});
  }, 600_000);

  test('indexes that are gone are found by the plans', async () => {
    await query(withoutIndexes, 'drop index conversations_newest, fans_search_text');
    const found = await findingsOf(withoutIndexes, /^inbox: all by newest$|^search: name, miss$/);
    expect(found['inbox: all by newest']).toContain('reads all of conversations');
    expect(found['search: name, miss']).toContain('reads all of fans');
  });
});
