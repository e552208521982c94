import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp } from '../apps/server/test/test-app.ts';
import { generate, MEASURING_ADMIN, RARE } from './generate.ts';
import { type Bounds, findings } from './lib/plans/findings.ts';
import { analyzeEveryRow, copyDatabase } from './lib/plans/scratch.ts';
import { explainEverything, watchPlans } from './lib/plans/watch.ts';
import { query } from './lib/query.ts';
import { staffReads } from './lib/reads/calls.ts';
import { campaignCalls } from './lib/reads/campaign-calls.ts';
import { segmentCalls } from './lib/reads/segment-calls.ts';
import { hasDebianServer, temporaryServer } from './lib/servers.ts';

const AMOUNT = { conversations: 22_000, messages: 66_000 };
/** How many rows the tables have, at most. */
const ROWS = { conversations: 22_000, fans: 22_000, fan_benefits: 9_000, fan_spending: 1_500 };
/** PostgreSQL replans a prepared statement five times before it may switch to a generic plan. */
const TIMES = 7;
/** Calls that run the same statements as others, for other ranges or as exports. */
const LEFT_OUT = /^export of|: (1|30|90) days$/;

/** For rules that match few fans, found by an index after the newest 2,000 conversations were searched. */
const BY_INDEX: Bounds = { conversations: 3_000, fan_tags: 3_000, others: 1_500 };

/**
 * The maximum number of rows that a step of a call's plan may read from a table, at any table size. Previews count fans: the named
 * tables may be scanned, once in each step.
 */
const BOUNDS: readonly (readonly [RegExp, Bounds, ...(keyof typeof ROWS)[]])[] = [
  [/^segment: (a common tag|a rare tag|owns a product|offered and not bought)$/, BY_INDEX],
  [/^segment: subscription ends /, BY_INDEX, 'fan_benefits'],
  // The other rules match many fans or test fields without an index, so all conversations are read to count them.
  [
    /^segment: (everyone|without |doesn't |none of |not written |wrote )/,
    BY_INDEX,
    'conversations',
  ],
  [/^segment: a name$/, { ...BY_INDEX, fans: 4_000 }, 'conversations'],
  [/^segment: the hour /, BY_INDEX, 'conversations', 'fans'],
  [/^segment: 50 conditions$/, BY_INDEX, 'conversations', 'fan_spending', 'fan_benefits'],
  [/^segment: /, BY_INDEX, 'conversations', 'fan_spending'],
  // Reads the ids of all fans with a tag, also for one fan.
  [/^segment explanation: /, { fan_tags: 3_000, others: 1_500 }],
  // Reads each fan's name and time zone. PostgreSQL can't know in advance how few fans have a tag.
  [/^campaign preview: everyone$/, BY_INDEX, 'conversations', 'fans'],
  [/^campaign preview: /, BY_INDEX, 'fans'],
  // Newest first, up to the search's own limits; see search.store.ts.
  [/^search: /, { messages: 60_000, conversations: 20_000, fans: 15_000, others: 1_500 }],
  // The newest messages and notes that a search may scan, plus 1,000 of each. For matches, it then checks the fan's tag.
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
const SETTINGS = { fsync: 'off' };
const servers = [await temporaryServer('embedded', SETTINGS)];
if (hasDebianServer) servers.push(await temporaryServer('debian', SETTINGS));
afterAll(async () => {
  watch.stop();
  for (const server of servers) await server.stop();
});

/**
 * Checks the plans of all statements that staff's read calls run, and of segment and campaign previews and explanations.
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
    const send = async (path: string, body?: unknown): Promise<unknown> => {
      const { status, text } = await staff.raw(body === undefined ? 'GET' : 'POST', path, { body });
      if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
      return path.includes('/export') ? text : JSON.parse(text);
    };
    const calls = [
      ...(await staffReads(send, RARE.word)),
      ...(await segmentCalls(send)),
      ...(await campaignCalls(send)),
    ];
    const found: Record<string, string[]> = {};
    for (const { name, paths, body } of calls) {
      if (!only.test(name) || LEFT_OUT.test(name)) continue;
      const [, bounds = { others: 0 }, ...whole] =
        BOUNDS.find(([pattern]) => pattern.test(name)) ?? [];
      const allowed = { ...bounds, ...Object.fromEntries(whole.map((each) => [each, ROWS[each]])) };
      watch.take();
      for (let time = 0; time < TIMES; time++) await send(paths[time % paths.length] ?? '', body);
      const plans = watch.take();
      if (plans.length === 0) throw new Error(`no plan arrived for ${name}`);
      const all = new Set(plans.flatMap((plan) => findings(plan, allowed, whole)));
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

  test('no call of staff scans a large table that its call is not allowed to scan, sorts on disk, or reads more rows than it needs', async () => {
    expect(await findingsOf(url)).toEqual({});
  }, 600_000);

  test('the plans reveal dropped indexes', async () => {
    await query(
      withoutIndexes,
      `drop index conversations_newest, fans_search_text, fan_tags_global_tag_fan,
        owned_products_product`,
    );
    const expected = {
      'inbox: all by newest': ['reads all of conversations'],
      'search: name, miss': ['reads all of fans'],
      'segment: a rare tag': ['reads all of fan_tags'],
      'segment: owns a product': ['reads all of owned_products'],
      'segment explanation: 50 conditions': ['reads all of fan_tags'],
      'campaign preview: a rare tag': ['reads all of fan_tags', 'reads all of owned_products'],
    };
    const names = Object.keys(expected).join('|');
    const found = await findingsOf(withoutIndexes, new RegExp(`^(${names})$`));
    for (const [name, reasons] of Object.entries(expected))
      expect(found[name], name).toEqual(expect.arrayContaining(reasons));
  });
});
