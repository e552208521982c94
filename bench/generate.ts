import { parseArgs } from 'node:util';
import type pg from 'pg';
import { openEmpty, type Staff, stopwatch } from './lib/empty-database.ts';
import { dropIndexes } from './lib/indexes.ts';
import { embeddedServer } from './lib/servers.ts';
import { FIRST_NAMES, LAST_NAMES, sentences } from './lib/vocabulary.ts';

/** A word in so many messages, however many there are. */
export const RARE = { word: 'zanzibar', messages: 12 };
/** The admin whose list 'mine' is measured. */
export const MEASURING_ADMIN = 'owner@example.com';
const MINE = 40;
/** Messages of every hundredth conversation, so that there are full pages to open. */
const LONG_CONVERSATION = 60;
const DAYS = 400;
const BATCH = 5_000;

const USAGE = `Fills an empty database with conversations.

  npm run bench:generate -- --conversations 100000 --messages 1000000 (--url postgres://… | --folder DIR)
`;

/** @returns the exit code */
export async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      conversations: { type: 'string', default: '1000' },
      messages: { type: 'string' },
      url: { type: 'string' },
      folder: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const conversations = Number(values.conversations);
  const messages = Number(values.messages ?? conversations * 10);
  const possible =
    Number.isInteger(conversations) && conversations > 0 && messages >= conversations;
  if (values.help || !possible || (values.url === undefined) === (values.folder === undefined)) {
    console.log(USAGE);
    return values.help ? 0 : 2;
  }
  const log = (line: string) => console.log(line);
  if (values.url !== undefined) {
    await generate({ url: values.url, conversations, messages, log });
    return 0;
  }
  const server = await embeddedServer(values.folder ?? '');
  try {
    await generate({ url: await server.database('stagedoor'), conversations, messages, log });
  } finally {
    await server.stop();
  }
  return 0;
}

interface Amount {
  /** The URL of an empty database. */
  readonly url: string;
  readonly conversations: number;
  readonly messages: number;
  readonly log: (line: string) => void;
}

/**
 * Migrates an empty database and fills it, everything as the server itself would have left it.
 * @throws Error when it holds conversations already
 */
export async function generate({ url, conversations, messages, log }: Amount): Promise<void> {
  const stage = stopwatch(log);
  const staff: Staff = [
    [MEASURING_ADMIN, 'creator'],
    ['moderator@example.com', 'moderator'],
    ['support@example.com', 'support'],
  ];
  const client = await openEmpty(url, staff, log);
  try {
    const indexes = await dropIndexes(client, ['fans', 'conversations', 'messages']);
    await prepareDraft(client, conversations, messages);
    const nextSentence = sentences();
    for (let from = 1; from <= conversations; from += BATCH) {
      const to = Math.min(from + BATCH - 1, conversations);
      const {
        rows: [size],
      } = await client.query<{ count: number }>(
        'select sum(size)::int as count from drafts where i between $1 and $2',
        [from, to],
      );
      const texts = Array.from({ length: size?.count ?? 0 }, nextSentence);
      await client.query(draftMessages, [from, to, texts]);
      if (to % 20_000 === 0) stage(`drafted ${to} of ${conversations} conversations`);
    }
    await plantRareWord(client, conversations);
    await client.query('analyze drafts; analyze draft_messages');
    for (const [what, statement] of FILLING) {
      await client.query(statement);
      stage(what);
    }
    for (const { name, definition } of indexes) {
      await client.query(definition);
      stage(`index ${name}`);
    }
    await client.query('vacuum analyze');
    await client.query('checkpoint');
    stage('vacuumed and analysed');
  } finally {
    await client.end();
  }
}

/** Session-long tables: each conversation's figures first, then its messages, out of which the real rows are made. */
async function prepareDraft(
  client: pg.Client,
  conversations: number,
  messages: number,
): Promise<void> {
  await client.query('create temp table names (first text[], last text[])');
  await client.query('insert into names values ($1, $2)', [FIRST_NAMES, LAST_NAMES]);
  const long = Math.floor(conversations / 100);
  const usual = (messages - long * LONG_CONVERSATION) / (conversations - long);
  if (usual < 1) throw new Error('too few messages for that many conversations');
  await client.query(
    `create temp table drafts as
    select i, ${uuid("'fan' || i")} as fan_id, ${uuid("'conversation' || i")} as id, size, unread,
      -- Unread ones end with what is unread; a sixth of the others wait for an answer all the same.
      case when unread > 0 then unread when random() < 0.17 then 1 else 0 end as unanswered,
      case when p_status < 0.03 then 'archived' when p_status < 0.05 then 'flagged' else 'active' end as status,
      first_at, first_at + (date_trunc('minute', now()) - first_at) * random() ^ 3 as last_at,
      p_claim
    from (
      select i, case when i % 100 = 0 then ${LONG_CONVERSATION} else (floor(i * $2::float8) - floor((i - 1) * $2::float8))::int end as size,
        case when random() < 0.05 then 1 + floor(random() * 3)::int else 0 end as unread,
        random() as p_status, random() as p_claim,
        date_trunc('milliseconds', now() - interval '1 hour' - random() * interval '${DAYS} days') as first_at
      from generate_series(1, $1::int) as i
    ) as figures`,
    [conversations, usual],
  );
  await client.query(
    'update drafts set unread = least(unread, size), unanswered = least(unanswered, size)',
  );
  await client.query('create index on drafts (i)');
  await client.query(
    `create temp table draft_messages (conversation_id uuid, i int, seq int, from_fan boolean, content text, created_at timestamptz, read_at timestamptz, author int)`,
  );
}

/** The same for the same name: version 8, of our own making. */
const uuid = (name: string) =>
  `overlay(overlay(md5(${name}) placing '8' from 13) placing 'a' from 17)::uuid`;

/** One of a list by Zipf's law: uniform in the logarithm of the rank. `row` keeps it from being computed once for all rows. */
const zipf = (list: string, row: string) =>
  `${list}[1 + floor(exp(random() * ln(cardinality(${list}))) - 1 + 0 * ${row})::int]`;

/** $1 to $2 are the conversations, $3 the texts of all their messages. */
const draftMessages = `
  insert into draft_messages
  select m.id, m.i, m.seq, from_fan, text, created_at,
    case when from_fan and m.seq > m.size - m.unread then null
      when not from_fan and random() < 0.05 then null
      else created_at + random() * interval '3 hours' end,
    floor(random() * 3)::int
  from (
    select d.*, seq, row_number() over () as n,
      case when seq > d.size - d.unanswered then true else (d.size - d.unanswered - seq) % 2 = 1 end as from_fan,
      date_trunc('milliseconds', d.first_at + (d.last_at - d.first_at) * ((seq - 1) / greatest(d.size - 1, 1)::float8)) + seq * interval '1 ms' as created_at
    from drafts d, generate_series(1, d.size) as seq
    where d.i between $1 and $2
  ) as m join unnest($3::text[]) with ordinality as t (text, n) using (n)`;

async function plantRareWord(client: pg.Client, conversations: number): Promise<void> {
  const step = Math.max(1, Math.floor(conversations / RARE.messages));
  await client.query(
    `update draft_messages set content = content || ' ${RARE.word}' where seq = 1 and i % $1 = 0 and i / $1 <= ${RARE.messages}`,
    [step],
  );
}

const FILLING: readonly (readonly [what: string, statement: string])[] = [
  [
    'fans',
    `insert into fans (id, external_id, first_name, last_name, username, email, timezone, created_at)
    select fan_id, 'fan-' || i, first_name, last_name, handle, handle || '@example.com', 'Europe/Lisbon', first_at
    from (
      select d.*, lower(first_name) || '_' || lower(left(last_name, 3)) || d.i as handle
      from (select d.*, ${zipf('names.first', 'd.i')} as first_name, ${zipf('names.last', 'd.i')} as last_name from drafts d, names) as d
    ) as named order by i`,
  ],
  [
    'tags',
    `with tag as (
      insert into global_tags (label, color) select label, '#4251D4' from unnest(array['VIP', 'new', 'refund', 'birthday', 'Portugal', 'JP']) as label
      returning id
    ), numbered as (select id, row_number() over () as n from tag)
    insert into fan_tags (fan_id, position, global_tag_id)
    select d.fan_id, n, t.id from drafts d join numbered t on (d.i + n) % 7 < 2 where d.i % 3 = 0`,
  ],
  [
    'conversations',
    `insert into conversations (id, fan_id, creator_id, status, claimed_by, unread_count, last_seq, version, first_message_at,
      last_message_at, last_message_content, waiting_since, created_at)
    select d.id, d.fan_id, creators.id, d.status,
      case when d.i % greatest(total / ${MINE}, 1) = 0 and d.i / greatest(total / ${MINE}, 1) <= ${MINE} then me.id when d.p_claim < 0.05 then other.id end,
      d.unread, d.size, d.size + 1, first.created_at, last.created_at, left(last.content, 300),
      coalesce(waiting.created_at, 'infinity'), d.first_at
    from drafts d cross join creators cross join (select count(*)::int as total from drafts) as counted
      join admins me on me.email = '${MEASURING_ADMIN}' join admins other on other.email = 'support@example.com'
      join draft_messages first on first.conversation_id = d.id and first.seq = 1
      join draft_messages last on last.conversation_id = d.id and last.seq = d.size
      left join draft_messages waiting on d.unanswered > 0 and waiting.conversation_id = d.id and waiting.seq = d.size - d.unanswered + 1
    order by d.first_at`,
  ],
  [
    // In the order of time, as they would have come.
    'messages',
    `insert into messages (id, conversation_id, seq, from_fan, author_id, client_message_id, payload_hash, content, created_at, read_at)
    select ${uuid("'message' || m.i || '-' || m.seq")}, m.conversation_id, m.seq, m.from_fan,
      case when m.from_fan then d.fan_id else a.ids[1 + m.author] end, 'g' || m.i || '-' || m.seq, '\\x00', m.content,
      m.created_at, case when m.read_at is not null then date_trunc('milliseconds', least(m.read_at, now())) end
    from draft_messages m join drafts d on d.id = m.conversation_id cross join (select array_agg(id order by email) as ids from admins) as a
    order by m.created_at`,
  ],
  ['analytics', 'select note_sent_messages(), sum_up_anew()'],
  ['dropped the drafts', 'drop table drafts, draft_messages, names'],
];
