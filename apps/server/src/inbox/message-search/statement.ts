import type { MessageSide } from '@stagedoor/contract/inbox/message-search';
import { ATTACHMENT_PLACEHOLDER } from '@stagedoor/contract/messaging/messages';
import { carries } from '../conversations/inbox-page.ts';
import type { SearchCursor } from './cursor.ts';

/** The newest messages, among which a common text is looked for before any index is asked. */
const NEWEST = 10_000;
/**
 * What is in some of them, though not in enough, is in too many of all for an index to be quick: it is looked for in more
 * of the newest.
 */
const SOME = 4;
const MORE = 60_000;
/** Three letters or digits in a row: what trigrams are made of. */
const INDEXABLE = /[\p{L}\p{N}]{3}/u;
/** Every letter of it is ASCII, of which the case is folded in less than half the time. */
const ASCII = /^[\0-\x7f]*$/;

export interface SearchFilters {
  /** In lower case. */
  readonly text: string;
  /** A UUID. */
  readonly fan?: string | undefined;
  readonly tag?: string | undefined;
  readonly from?: MessageSide | undefined;
  readonly after?: string | undefined;
  readonly before?: string | undefined;
  readonly has_attachment?: 'true' | 'false' | undefined;
  readonly cursor: SearchCursor | null;
  readonly limit: number;
}

export interface Query {
  readonly text: string;
  readonly values: unknown[];
}

const ORDER = 'order by created_at desc, id desc';

/** The hits of a page in their order; of a text that no index finds also where the search ended. Planned at each call. */
export function searchStatement(filters: SearchFilters): Query {
  const values: unknown[] = [`%${escapeLike(filters.text)}%`];
  const param = (value: unknown) => `$${values.push(value)}`;
  const range = rangeOf(filters, param);
  const narrowed = narrowedBy(filters, param);
  if (filters.fan !== undefined) return { text: inOne(filters, range, narrowed, param), values };
  const text = INDEXABLE.test(filters.text)
    ? staged(filters, range, narrowed)
    : unindexed(filters, range, narrowed);
  return { text, values };
}

type Param = (value: unknown) => string;

/** Which messages come into question by their place in time. */
function rangeOf({ after, before, cursor }: SearchFilters, param: Param): string {
  const conditions = ['true'];
  if (after !== undefined) conditions.push(`created_at >= ${param(after)}::timestamptz`);
  if (before !== undefined) conditions.push(`created_at < ${param(before)}::timestamptz`);
  if (cursor !== null) {
    const at = `${param(cursor.at)}::timestamptz`;
    conditions.push(`created_at <= ${at}`, `(created_at, id) < (${at}, ${param(cursor.id)}::uuid)`);
  }
  return conditions.join(' and ');
}

/** What else a message must be. Nobody sees the content that stands for attachments alone. */
function narrowedBy({ from, has_attachment, tag }: SearchFilters, param: Param): string {
  const conditions = [`content <> '${ATTACHMENT_PLACEHOLDER}'`];
  if (from !== undefined) conditions.push(from === 'fan' ? 'from_fan' : 'not from_fan');
  if (has_attachment !== undefined) {
    conditions.push(`attachments ${has_attachment === 'true' ? '<>' : '='} '[]'`);
  }
  const label = tag?.trim();
  if (label) {
    // Asked of what contains the text only: who carries a common tag are many.
    const fan = '(select c.fan_id from conversations c where c.id = conversation_id)';
    conditions.push(carries(fan, param(label)));
  }
  return conditions.join(' and ');
}

const contains = ({ text }: SearchFilters) =>
  ASCII.test(text) ? 'content collate "C" ilike $1' : 'content ilike $1';

const newest = (range: string, count: number) =>
  `(select * from messages where ${range} ${ORDER} limit ${count}) m`;

/** One conversation: its own index leads to its messages. */
function inOne(filters: SearchFilters, range: string, narrowed: string, param: Param): string {
  return hitsOf(`
    select id from (
      select id, created_at from messages
      where conversation_id = (select id from conversations where fan_id = ${param(filters.fan)})
        and ${range} and ${narrowed} and ${contains(filters)} offset 0
    ) own ${ORDER} limit ${filters.limit}`);
}

/** The newest messages first, then more of them, then what the index of trigrams finds; each only if what came before has too few. */
function staged(filters: SearchFilters, range: string, narrowed: string): string {
  const { limit } = filters;
  const among = (count: number, condition: string) => `
    select id from ${newest(range, count)} where ${condition} and ${narrowed} and ${contains(filters)} ${ORDER} limit ${limit}`;
  return hitsOf(`
    with near as materialized (${among(NEWEST, 'true')}
    ), further as materialized (${among(
      MORE,
      `(select count(*) from near) between ${SOME} and ${limit - 1}`,
    )}
    ), others as materialized (
      select id from (
        -- Not sorted here: for an order the planner might walk all messages by time, looking for a text that it takes for common.
        select id, created_at from messages
        where content ilike $1 and ${range} and ${narrowed}
          and (select count(*) from near) < ${limit} and (select count(*) from further) < ${limit} offset 0
      ) indexed ${ORDER} limit ${limit}
    )
    select id from near where (select count(*) from near) >= ${limit}
    union all select id from further where (select count(*) from further) >= ${limit}
    union all select id from others`);
}

/** What no index finds is looked for in so many messages at once; the next page goes on where they end. */
function unindexed(filters: SearchFilters, range: string, narrowed: string): string {
  const found = hitsOf(`
    select id from ${newest(range, MORE)} where ${narrowed} and ${contains(filters)} ${ORDER} limit ${filters.limit}`);
  return `
    select hits.*, last.id as end_id, ${instant('last.created_at')} as end_at
    from (select) one
      left join (select id, created_at from messages where ${range} ${ORDER} offset ${MORE - 1} limit 1) last on true
      left join (${found}) hits on true
    order by hits.created_at desc, hits.id desc`;
}

/** All that is shown of messages, by a query for their ids. */
const hitsOf = (ids: string) => `
  select m.id, m.created_at, ${instant('m.created_at')} as at, m.from_fan, m.content, m.conversation_id, c.status,
    m.attachments <> '[]' as has_attachment,
    json_build_object('id', f.id, 'first_name', f.first_name, 'last_name', f.last_name, 'username', f.username,
      'email', f.email, 'avatar_url', f.avatar_url) as fan,
    case when a.id is not null then
      json_build_object('id', a.id, 'codename', a.codename, 'display_color', a.display_color) end as author
  from (${ids}) found join messages m on m.id = found.id
    join conversations c on c.id = m.conversation_id join fans f on f.id = c.fan_id
    left join admins a on not m.from_fan and a.id = m.author_id
  order by m.created_at desc, m.id desc`;

/** With the microseconds that the driver would cut off. */
const instant = (column: string) =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** `%`, `_` and `\` mean themselves. */
const escapeLike = (text: string) => text.replaceAll(/[\\%_]/g, String.raw`\$&`);
