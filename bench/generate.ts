import type pg from 'pg';
import { openEmpty, type Staff, stopwatch } from './lib/empty-database.ts';
import { fillCatalogue } from './lib/generate/catalogue.ts';
import { takeConstraints } from './lib/generate/constraints.ts';
import { conversations } from './lib/generate/conversations.ts';
import { copyRows, type Filling } from './lib/generate/copy-rows.ts';
import {
  messages,
  offers,
  reactions,
  sales,
  sentMessages,
  staffNotes,
  uploads,
} from './lib/generate/messages.ts';
import { audit, benefits, fans, fanTags, invites } from './lib/generate/people.ts';
import { makePlan, type Planned } from './lib/generate/plan.ts';
import { showSizes, tableSizes } from './lib/generate/table-sizes.ts';
import { program, writeReport } from './lib/program.ts';
import { embeddedServer, FILLING_SETTINGS } from './lib/servers.ts';
import { sentences } from './lib/vocabulary.ts';

/** A rare word, and the number of messages that contain it in a database of any size. */
export const RARE = { word: 'zanzibar', messages: 12 };
/** The admin for whom the `mine` filter is measured, and how many conversations this admin has claimed. */
export const MEASURING_ADMIN = 'owner@example.com';
const MINE = 40;
const ADMINS = 20;

const USAGE = `Fills an empty database with conversations, and with products, sales, tags and invitations in proportion.

  npm run bench:generate -- --conversations 100000 [--messages 1000000] (--url postgres://… | --folder DIR) [--json FILE]
`;

const OPTIONS = {
  conversations: 1000,
  messages: null,
  url: null,
  folder: null,
  json: null,
} as const;

export const main = program(
  USAGE,
  OPTIONS,
  async ({ conversations, url, folder, json, ...given }) => {
    const messages = Number(given.messages ?? conversations * 10);
    if (!Number.isInteger(conversations) || !(messages >= conversations))
      throw new Error('--conversations must be a whole number, and --messages at least that many');
    if ((url === null) === (folder === null)) throw new Error('either --url or --folder is needed');
    const server = url === null ? await embeddedServer(folder ?? '', FILLING_SETTINGS) : null;
    try {
      const database = url ?? (await server?.database('stagedoor')) ?? '';
      const report = await generate({ url: database, conversations, messages, log: console.log });
      showSizes(report.sizes);
      await writeReport(json, { conversations, messages, ...report });
    } finally {
      await server?.stop();
    }
  },
);

interface Amount {
  /** The URL of an empty database. */
  readonly url: string;
  readonly conversations: number;
  readonly messages: number;
  /** Nothing is logged by default. */
  readonly log?: (line: string) => void;
}

/**
 * Migrates an empty database and fills it as the server itself would have filled it.
 * @returns the duration in seconds, and the size of each table and index on disk
 * @throws Error when the database already holds conversations
 */
export async function generate({ url, log = () => undefined, ...amount }: Amount) {
  const started = performance.now();
  const stage = stopwatch(log);
  const staff: Staff = Array.from({ length: ADMINS }, (_, index) =>
    index === 0
      ? [MEASURING_ADMIN, 'creator']
      : [`admin-${index}@example.com`, index < 5 ? 'moderator' : 'support'],
  );
  const client = await openEmpty(url, staff, log);
  try {
    const plan = makePlan(amount.conversations, amount.messages);
    stage('planned who writes when');
    const remakes = await takeConstraints(client, BIG);
    await client.query('alter table purchases disable trigger user');
    const admins = await ids(
      client,
      `select id from admins order by email <> '${MEASURING_ADMIN}', email`,
    );
    const [creatorId = ''] = await ids(client, 'select id from creators');
    const tags = await fillCatalogue(client);
    const nextSentence = sentences();
    const rare = rareWord(amount.conversations);
    const ends = Array.from({ length: plan.conversations }, () => '');
    const fillings: Filling[] = [
      messages(plan, admins, (message) => nextSentence() + rare(message), ends),
      conversations(plan, { creatorId, admins, mine: MINE }, ends),
      fans(plan, nextSentence),
      fanTags(plan, tags),
      benefits(plan),
      sentMessages(plan, admins),
      offers(plan, admins),
      sales(plan, admins),
      reactions(plan, admins),
      uploads(plan),
      invites(plan, admins),
      audit(plan, admins),
      staffNotes(plan, admins, nextSentence),
    ];
    for (const filling of fillings) {
      const rows = await copyRows(client, filling, log, BIG.includes(filling.table));
      stage(`${filling.table}: ${rows.toLocaleString('en')} rows`);
    }
    for (const { what, statement } of remakes) {
      await client.query(statement);
      stage(what);
    }
    await client.query('alter table purchases enable trigger user');
    await client.query(OWNED);
    await client.query(SPENDING);
    await client.query(COUNTED);
    await client.query(STATEMENTS);
    await client.query('vacuum analyze');
    await client.query('select sum_up_anew()');
    stage('counted and summed up');
    await client.query('vacuum analyze');
    await client.query('checkpoint');
    stage('vacuumed and analysed');
    const sizes = await tableSizes(client);
    return { seconds: (performance.now() - started) / 1000, sizes };
  } finally {
    await client.end();
  }
}

/** Tables with millions of rows. They are truncated and loaded with `freeze`, which saves vacuuming them. */
const BIG =
  'fans conversations messages fan_tags fan_benefits sent_messages product_sends purchases reactions uploads invites'.split(
    ' ',
  );

const OWNED = `
  insert into owned_products
  select fan_id, product_id, id, purchased_at from purchases where refunded_at is null`;

const SPENDING = `
  insert into fan_spending
  select fan_id, sum(amount_cents), count(*), max(purchased_at) from purchases where refunded_at is null group by fan_id`;

const COUNTED = `
  update products p set times_sent = sent, times_purchased = coalesce(bought, 0)
  from (select product_id as id, count(*)::int as sent from product_sends group by 1) s
    left join (select product_id as id, count(*)::int as bought from purchases where refunded_at is null group by 1) b using (id)
  where p.id = s.id`;

/** Adds a statement, an open promise and a kept promise to every fourth fan. The admins take turns. */
const STATEMENTS = `
  insert into fan_statements (id, conversation_id, text, due_at, done_at, done_by, admin_id)
  select gen_random_uuid(), c.id, 'A statement', case when n > 1 then at end, case when n = 2 then at end,
    case when n = 2 then admin end, admin
  from (
    select id, now() + (place % 1000) * interval '1 hour' as at,
      (select (array_agg(id order by email))[1 + place % count(*)] from admins) as admin
    from (select id, row_number() over (order by id) as place from conversations) every where place % 4 = 0
  ) c cross join generate_series(1, 3) n`;

async function ids(client: pg.Client, query: string): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(query);
  return rows.map(({ id }) => id);
}

function rareWord(all: number): (message: Planned) => string {
  const step = Math.max(1, Math.floor(all / RARE.messages));
  return ({ seq, conversation }) => {
    const nth = conversation + 1;
    const isHere = seq === 1 && nth % step === 0 && nth / step <= RARE.messages;
    return isHere ? ` ${RARE.word}` : '';
  };
}
