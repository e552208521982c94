import type { MessageSide } from '@stagedoor/contract/inbox/message-search';
import { ATTACHMENT_PLACEHOLDER } from '@stagedoor/contract/messaging/messages';
import type { TimeCursor } from '../../http/cursor.ts';
import { carries } from '../conversations/inbox-page.ts';

/** How many of the newest messages are scanned before an index is used. A common text is found among these. */
const NEWEST = 10_000;
/**
 * A text with some matches among the newest, but not enough, has too many overall for an index to be fast. More of the newest
 * are scanned for it.
 */
const SOME = 4;
const MORE = 60_000;
/** Matches three letters or digits in a row, which a trigram index needs. */
const INDEXABLE = /[\p{L}\p{N}]{3}/u;
/** Matches pure ASCII texts, for which case folding takes less than half the time. */
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
  readonly cursor: TimeCursor | null;
  readonly limit: number;
}

export interface Query {
  readonly text: string;
  readonly values: unknown[];
}

const ORDER = 'order by created_at desc, id desc';

/** Returns the query for a page of hits in order; for a text without an index, also where the scan ended. Planned on every call. */
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

/** Returns the conditions on a message's time. */
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

/** Returns the other filter conditions. Excludes the placeholder content of messages that have only attachments. */
function narrowedBy({ from, has_attachment, tag }: SearchFilters, param: Param): string {
  const conditions = [`content <> '${ATTACHMENT_PLACEHOLDER}'`];
  if (from !== undefined) conditions.push(from === 'fan' ? 'from_fan' : 'not from_fan');
  if (has_attachment !== undefined) {
    conditions.push(`attachments ${has_attachment === 'true' ? '<>' : '='} '[]'`);
  }
  const label = tag?.trim();
  if (label) {
    // Checked only for messages that contain the text, because a common tag has many fans.
    const fan = '(select c.fan_id from conversations c where c.id = conversation_id)';
    conditions.push(carries(fan, param(label)));
  }
  return conditions.join(' and ');
}

const contains = ({ text }: SearchFilters) =>
  ASCII.test(text) ? 'content collate "C" ilike $1' : 'content ilike $1';

const newest = (range: string, count: number) =>
  `(select * from messages where ${range} ${ORDER} limit ${count}) m`;

/** Searches one conversation, whose messages an index finds. */
function inOne(filters: SearchFilters, range: string, narrowed: string, param: Param): string {
  return hitsOf(`
    select id from (
      select id, created_at from messages
      where conversation_id = (select id from conversations where fan_id = ${param(filters.fan)})
        and ${range} and ${narrowed} and ${contains(filters)} offset 0
    ) own ${ORDER} limit ${filters.limit}`);
}

/** Searches the newest messages, then more of them, then the trigram index; each step only if the previous found too few. */
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
        -- Not sorted here: to sort, the planner might scan all messages by time if it believes the text is common.
        select id, created_at from messages
        where content ilike $1 and ${range} and ${narrowed}
          and (select count(*) from near) < ${limit} and (select count(*) from further) < ${limit} offset 0
      ) indexed ${ORDER} limit ${limit}
    )
    select id from near where (select count(*) from near) >= ${limit}
    union all select id from further where (select count(*) from further) >= ${limit}
    union all select id from others`);
}

/** Scans a limited number of messages for a text that no index can find. The next page continues where the scan ended. */
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

/** Returns the query for complete hits. @param ids a query for message ids */
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

/** Formats a timestamp with microseconds, which the driver would cut off. */
const instant = (column: string) =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** Escapes `%`, `_` and `\`, which LIKE would interpret. */
const escapeLike = (text: string) => text.replaceAll(/[\\%_]/g, String.raw`\$&`);
