import type { EndpointParsed } from '@stagedoor/contract/endpoint';
import type { searchMessages } from '@stagedoor/contract/inbox/message-search';
import { ATTACHMENT_PLACEHOLDER } from '@stagedoor/contract/messaging/messages';
import { ASCII, escapeLike, INDEXABLE } from '../../db/like.ts';
import { type AddValue, collectValues } from '../../db/searches.ts';
import type { TimeCursor } from '../../http/cursor.ts';
import { carries } from '../conversations/inbox-page.ts';

/**
 * How many of the newest rows are scanned before an index is used. Common texts are found in these `newest` rows. A text with at
 * least `SOME` matches in them, but not enough for a page, has too many matches overall for an index to be fast, so `more` rows
 * are scanned. There are far fewer notes than messages.
 */
const SCANNED = {
  messages: { newest: 10_000, more: 60_000 },
  staff_notes: { newest: 2_000, more: 10_000 },
} as const;
const SOME = 4;

export type SearchQuery = EndpointParsed<typeof searchMessages>['query'];

export interface SearchFilters extends Omit<SearchQuery, 'q' | 'cursor'> {
  /** In lower case. */
  readonly text: string;
  readonly cursor: TimeCursor | null;
  readonly limit: number;
}

export interface Query {
  readonly text: string;
  readonly values: unknown[];
}

/** A table of texts, and the SQL conditions of a search in it. */
interface Source {
  readonly table: keyof typeof SCANNED;
  /** The condition on the time. */
  readonly range: string;
  /** The conditions of the other filters. */
  readonly narrowed: string;
  /** The condition that the text contains the query. `contains` is for scans; `indexed` has the form that the index supports. */
  readonly contains: string;
  readonly indexed: string;
  /** Returns the query for the complete hits, given a query for their ids. */
  readonly hitsOf: (ids: string) => string;
}

const ORDER = 'order by created_at desc, id desc';

/**
 * Returns the query for a page of hits in order. If no index covers the text, the rows also say where the scan ended.
 * @returns null if the filters exclude everything
 */
export function searchStatement(filters: SearchFilters): Query | null {
  const { values, add } = collectValues(`%${escapeLike(filters.text)}%`);
  const sources = sourcesOf(filters, add);
  const { limit } = filters;
  if (sources.length === 0) return null;
  const fan = filters.fan === undefined ? null : add(filters.fan);
  if (fan === null && !INDEXABLE.test(filters.text))
    return { text: unindexed(sources, limit), values };
  const queries = sources.map((source) =>
    fan === null ? staged(source, limit) : inOne(source, fan, limit),
  );
  return { text: merged(queries, limit), values };
}

/** Returns the tables to search: messages, notes or both. Some filters exclude all notes. */
function sourcesOf(filters: SearchFilters, add: AddValue): Source[] {
  const { kind, from, has_attachment, text } = filters;
  const range = rangeOf(filters, add);
  const tagged = taggedBy(filters, add);
  const contains = ASCII.test(text) ? 'content collate "C" ilike $1' : 'content ilike $1';
  const sources: Source[] = [];
  if (kind !== 'note') {
    // Excludes the placeholder content of messages that have only attachments.
    const conditions = [`content <> '${ATTACHMENT_PLACEHOLDER}'`, ...tagged];
    if (from !== undefined) conditions.push(from === 'fan' ? 'from_fan' : 'not from_fan');
    if (has_attachment !== undefined)
      conditions.push(`attachments ${has_attachment === 'true' ? '<>' : '='} '[]'`);
    const narrowed = conditions.join(' and ');
    const indexed = 'content ilike $1';
    sources.push({ table: 'messages', range, narrowed, contains, indexed, hitsOf: messageHits });
  }
  if (kind !== 'message' && from === undefined && has_attachment !== 'true') {
    const narrowed = ['true', ...tagged].join(' and ');
    // Mentions are stored as ids. A text must not match the letters and digits of an id.
    const written = `regexp_replace(content, '${MENTION}', '', 'gi') ilike $1`;
    sources.push({
      table: 'staff_notes',
      range,
      narrowed,
      contains: `${contains} and ${written}`,
      indexed: `content ilike $1 and ${written}`,
      hitsOf: noteHits,
    });
  }
  return sources;
}

/** Matches a mention in a note. */
const MENTION = '<@[0-9a-f-]{36}>';

/** Returns the condition on the time of a message or note. */
function rangeOf({ after, before, cursor }: SearchFilters, add: AddValue): string {
  const conditions = ['true'];
  if (after !== undefined) conditions.push(`created_at >= ${add(after)}::timestamptz`);
  if (before !== undefined) conditions.push(`created_at < ${add(before)}::timestamptz`);
  if (cursor !== null) {
    const at = `${add(cursor.at)}::timestamptz`;
    conditions.push(`created_at <= ${at}`, `(created_at, id) < (${at}, ${add(cursor.id)}::uuid)`);
  }
  return conditions.join(' and ');
}

/** Returns the condition on the fan's tags, if any. */
function taggedBy({ tag }: SearchFilters, add: AddValue): string[] {
  const label = tag?.trim();
  if (!label) return [];
  // Checked only for texts that match, because a common tag has many fans.
  const fan = '(select c.fan_id from conversations c where c.id = conversation_id)';
  return [carries(fan, add(label))];
}

const newest = ({ table, range }: Source, count: number) =>
  `(select * from ${table} where ${range} ${ORDER} limit ${count}) m`;

/** Returns the newest hits of several queries. */
function merged(queries: readonly string[], limit: number): string {
  const [only = ''] = queries;
  if (queries.length === 1) return only;
  return `select * from (${queries.map((query) => `(${query})`).join(' union all ')}) hits
    order by created_at desc, id desc limit ${limit}`;
}

/** Searches one conversation, whose rows an index finds. */
function inOne({ table, range, narrowed, contains, hitsOf }: Source, fan: string, limit: number) {
  return hitsOf(`
    select id from (
      select id, created_at from ${table}
      where conversation_id = (select id from conversations where fan_id = ${fan})
        and ${range} and ${narrowed} and ${contains} offset 0
    ) own ${ORDER} limit ${limit}`);
}

/** Searches the newest texts, then more of them, then the trigram index; each step only if the previous found too few. */
function staged(source: Source, limit: number): string {
  const { table, range, narrowed, contains, indexed } = source;
  const { newest: newestRows, more } = SCANNED[table];
  const among = (count: number, condition: string) => `
    select id from ${newest(source, count)} where ${condition} and ${narrowed} and ${contains} ${ORDER} limit ${limit}`;
  return source.hitsOf(`
    with near as materialized (${among(newestRows, 'true')}
    ), further as materialized (${among(
      more,
      `(select count(*) from near) between ${SOME} and ${limit - 1}`,
    )}
    ), others as materialized (
      select id from (
        -- Not sorted here: to sort, the planner might scan all texts by time if it believes the query is common.
        select id, created_at from ${table}
        where ${indexed} and ${range} and ${narrowed}
          and (select count(*) from near) < ${limit} and (select count(*) from further) < ${limit} offset 0
      ) indexed ${ORDER} limit ${limit}
    )
    select id from near where (select count(*) from near) >= ${limit}
    union all select id from further where (select count(*) from further) >= ${limit}
    union all select id from others`);
}

/**
 * Scans a limited number of rows for a text that no index can find. The next page continues where the scan ended. With several
 * sources, it continues from whichever scan ended at the newest row.
 */
function unindexed(sources: readonly Source[], limit: number): string {
  const ends = sources.map(
    ({ table, range }) =>
      `(select id, created_at from ${table} where ${range} ${ORDER} offset ${SCANNED[table].more - 1} limit 1)`,
  );
  const scanned =
    sources.length === 1
      ? ''
      : 'and coalesce((created_at, id) >= (select created_at, id from last), true)';
  const found = sources.map((source) =>
    source.hitsOf(`
    select id from ${newest(source, SCANNED[source.table].more)} where ${source.narrowed} and ${source.contains} ${scanned} ${ORDER} limit ${limit}`),
  );
  return `
    with last as materialized (select * from (${ends.join(' union all ')}) ends ${ORDER} limit 1)
    select hits.*, last.id as end_id, ${instant('last.created_at')} as end_at
    from (select) one
      left join last on true
      left join (${merged(found, limit)}) hits on true
    order by hits.created_at desc, hits.id desc`;
}

const FAN = `json_build_object('id', f.id, 'first_name', f.first_name, 'last_name', f.last_name, 'username', f.username,
      'email', f.email, 'avatar_url', f.avatar_url) as fan`;
const member = (admin: string) =>
  `json_build_object('id', ${admin}.id, 'codename', ${admin}.codename, 'display_color', ${admin}.display_color)`;

const messageHits = (ids: string) => `
  select 'message' as kind, m.id, m.created_at, ${instant('m.created_at')} as at, m.from_fan, m.content, m.conversation_id,
    c.status, m.attachments <> '[]' as has_attachment, ${FAN},
    case when a.id is not null then ${member('a')} end as author, null::json as mentions
  from (${ids}) found join messages m on m.id = found.id
    join conversations c on c.id = m.conversation_id join fans f on f.id = c.fan_id
    left join admins a on not m.from_fan and a.id = m.author_id
  order by m.created_at desc, m.id desc`;

const noteHits = (ids: string) => `
  select 'note' as kind, n.id, n.created_at, ${instant('n.created_at')} as at, null::boolean as from_fan, n.content,
    n.conversation_id, c.status, null::boolean as has_attachment, ${FAN}, ${member('a')} as author, (
      select json_agg(${member('named')}) from staff_note_mentions s join admins named on named.id = s.admin_id
      where s.note_id = n.id
    ) as mentions
  from (${ids}) found join staff_notes n on n.id = found.id
    join conversations c on c.id = n.conversation_id join fans f on f.id = c.fan_id
    join admins a on a.id = n.author_id
  order by n.created_at desc, n.id desc`;

/** Formats a timestamp with microseconds, which the driver would cut off. */
const instant = (column: string) =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
