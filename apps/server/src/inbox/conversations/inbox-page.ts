import {
  INBOX_PAGE_SIZE,
  type InboxFilter,
  type InboxSort,
} from '@stagedoor/contract/inbox/conversations';
import * as z from 'zod/mini';
import type { Statement } from '../../db/database.ts';
import { type AddValue, collectValues } from '../../db/searches.ts';
import { cursorCodec, cursorInstant } from '../../http/cursor.ts';

const instant = z.union([cursorInstant(3), z.literal('infinity')]);
const cursors = cursorCodec({
  /** Whether the row was unread, for `unread_first`. */
  unread: z.boolean(),
  lastMessageAt: instant,
  /** `infinity` if the fan isn't waiting. */
  waitingSince: instant,
  id: z.uuid(),
});

/** The sort keys of the last row of a page. The next page continues after them, even if that row has moved. */
export type Cursor = ReturnType<typeof cursors.decode>;

export const encodeCursor = (row: {
  id: string;
  unread_count: number;
  last_message_at: Date;
  waiting_since: Date | number;
}): string =>
  cursors.encode({
    unread: row.unread_count > 0,
    lastMessageAt: row.last_message_at.toISOString(),
    waitingSince: row.waiting_since instanceof Date ? row.waiting_since.toISOString() : 'infinity',
    id: row.id,
  });

/** @throws AppError 400 for an invalid cursor */
export const decodeCursor = (text: string): Cursor => cursors.decode(text);

/** The condition for conversations in the `unread` list. */
export const UNREAD = 'unread_count > 0 and snoozed_until is null';

/** The condition for conversations whose fan needs a reply. */
export const NEEDS_REPLY = `waiting_since < 'infinity' and status = 'active' and snoozed_until is null`;

/** Returns the order that applies: in `unread`, `unread_first` equals `newest`; `needs_reply` always uses `longest_waiting`. */
function effectiveSort(filter: InboxFilter, sort: InboxSort): InboxSort {
  if (filter === 'needs_reply') return 'longest_waiting';
  return filter === 'unread' && sort === 'unread_first' ? 'newest' : sort;
}

/** Returns the ORDER BY of a list. Each has an index. */
export function orderBy(filter: InboxFilter, sort: InboxSort, prefix = ''): string {
  const newest = `${prefix}last_message_at desc, ${prefix}id desc`;
  return {
    unread_first: `(${prefix}unread_count > 0) desc, ${newest}`,
    newest,
    longest_waiting: `${prefix}waiting_since, ${newest}`,
  }[effectiveSort(filter, sort)];
}

/**
 * Returns a condition on the conversation `c`, and the joins that it needs.
 * @param add adds a value to the statement and returns its placeholder
 */
export type ConversationFilter = (add: AddValue) => {
  readonly joins: string;
  readonly matches: string;
};

export interface PageQuery {
  readonly filter: InboxFilter;
  readonly sort: InboxSort;
  readonly adminId: string;
  readonly limit: number;
  readonly offset: number;
  readonly cursor: Cursor | null;
  /** A library tag's id or a label; null for any fan. */
  readonly tag: string | null;
  /** Null for any fan. */
  readonly segment: ConversationFilter | null;
}

/** SQL: the library tags that a parameter matches, by id or by label in any case. */
const namedTags = (parameter: string) =>
  `select id from global_tags where lower(label) = lower(${parameter}) or id::text = lower(${parameter})`;

/**
 * SQL: the fans with a tag, by library id or by label in any case. Reads the library first, so that the rest uses an index:
 * PostgreSQL can't estimate the number of matches.
 * @param first SQL that makes PostgreSQL read the library first; an empty string lets the statement run in parallel
 */
export const taggedFans = (parameter: string, first = 'offset 0') => `
  select fan_id from fan_tags where lower(label) = lower(${parameter})
  union all select t.fan_id from (${namedTags(parameter)} ${first}) g
    cross join lateral (select fan_id from fan_tags where global_tag_id = g.id ${first}) t`;

/** SQL: whether a fan has the tag. `offset 0` makes PostgreSQL read only this fan's few tags. */
export const carries = (fanId: string, parameter: string) => `exists (
  select from fan_tags t where t.fan_id = ${fanId}
    and (lower(t.label) = lower(${parameter}) or t.global_tag_id = any(array(${namedTags(parameter)}))) offset 0)`;

/** How many rows are scanned in order before all matches are read. A common tag or segment fills a page from these rows. */
const LOOKED_THROUGH = 2_000;

/** The page size, plus an extra row that shows whether another page follows. */
const USUAL_LIMIT = INBOX_PAGE_SIZE + 1;

/**
 * Returns the statement for a page of conversations, prepared once per kind of list, and its values. The usual limit is a
 * literal instead of a parameter, so that PostgreSQL's generic plan knows that the page is short.
 */
export function pageStatement(query: PageQuery): { statement: Statement; values: unknown[] } {
  const { filter, cursor, offset } = query;
  const sort = effectiveSort(filter, query.sort);
  const { values, add } = collectValues();
  const usual = query.limit === USUAL_LIMIT;
  const limit = usual ? String(USUAL_LIMIT) : add(query.limit);
  const list = sourceOf(filter, query.adminId, add);
  const order = `order by ${orderBy(filter, sort)}`;
  const start = cursor === null ? (offset > 0 ? 'offset' : 'first') : 'after';
  const tagged = query.tag === null ? '' : 'tagged_';
  const name = `inbox_${tagged}${filter}_${sort}_${start}_${usual ? 'usual' : 'any'}`;
  const page = cursor === null ? fromTop(order, offset, add) : after(cursor, sort, order, add);
  if (query.tag === null && query.segment === null)
    return { statement: { name, text: page(list, limit) }, values };
  const matching = narrowed(list, query, add);
  const staged = () => `with near as materialized (
      ${matching.among(page(list, String(LOOKED_THROUGH)))} ${order} limit ${limit})
    select * from near where (select count(*) from near) >= ${limit}
    union all (${page(`${matching.all()} and (select count(*) from near) < ${limit}`, limit)})`;
  // An offset counts only matching rows.
  const text =
    filter === 'mine'
      ? page(matching.few(), limit)
      : offset > 0
        ? page(matching.all(), limit)
        : staged();
  return { statement: { name, text }, values };
}

/**
 * Returns the queries for a list's conversations with the tag or in the segment: `few` for a short list, `all` for a long one,
 * `among` for some of its rows. Each adds its values to the statement, so call only those that become part of it.
 */
function narrowed(list: string, { tag, segment }: PageQuery, add: AddValue) {
  if (segment !== null) {
    const among = (rows: string) => inSegment(rows, segment, tag, add);
    const all = () => firstOfAll(among(list));
    return { few: all, all, among };
  }
  const named = add(tag);
  return {
    few: () => `${list} and ${carries('few.fan_id', named)}`,
    all: () => firstOfAll(`${list} and fan_id in (${taggedFans(named)})`),
    among: (rows: string) =>
      `select * from (${rows}) as passed where ${carries('passed.fan_id', named)}`,
  };
}

/** SQL: the conversations of a query whose fans are in the segment and, if a tag is given, have that tag. */
function inSegment(
  rows: string,
  segment: ConversationFilter,
  tag: string | null,
  add: AddValue,
): string {
  const { joins, matches } = segment(add);
  const tagged = tag === null ? '' : `and ${carries('c.fan_id', add(tag))}`;
  return `select c.* from (${rows}) c ${joins} where ${matches} ${tagged}`;
}

/** Returns the statement that counts the conversations of a list whose fans are in a segment. */
export function segmentCount(
  { filter, adminId, tag }: PageQuery,
  segment: ConversationFilter,
): { text: string; values: unknown[] } {
  const { values, add } = collectValues();
  const matching = inSegment(sourceOf(filter, adminId, add), segment, tag, add);
  return { text: `select count(*)::int as total from (${matching}) matching`, values };
}

/** Builds a page from a query for the rows of a list: adds conditions, order and `limit`. */
type Page = (rows: string, limit: string) => string;

const fromTop = (order: string, offset: number, add: AddValue): Page => {
  const skipped = offset > 0 ? `offset ${add(offset)}` : '';
  return (rows, limit) => `${rows} ${order} limit ${limit} ${skipped}`;
};

function after(cursor: Cursor, sort: InboxSort, order: string, add: AddValue): Page {
  const keys = `${add(cursor.lastMessageAt)}, ${add(cursor.id)}`;
  switch (sort) {
    case 'newest':
      return (rows, limit) =>
        `${rows} and (last_message_at, id) < (${keys}) ${order} limit ${limit}`;
    case 'unread_first': {
      const unread = `${add(cursor.unread)}::boolean`;
      return (rows, limit) =>
        `${rows} and ((unread_count > 0), last_message_at, id) < (${unread}, ${keys}) ${order} limit ${limit}`;
    }
    case 'longest_waiting': {
      // The keys sort in different directions, so a row comparison can't be used. Reads two ranges of one index instead.
      const waiting = add(cursor.waitingSince);
      return (rows, limit) => `select * from (
          (${rows} and waiting_since = ${waiting} and (last_message_at, id) < (${keys}) ${order} limit ${limit})
          union all (${rows} and waiting_since > ${waiting} ${order} limit ${limit})
        ) as ranges ${order} limit ${limit}`;
    }
  }
}

/** Returns the query for a list's conversations, to which conditions can be appended. */
function sourceOf(filter: InboxFilter, adminId: string, add: AddValue): string {
  switch (filter) {
    case 'all':
      return 'select * from conversations where true';
    case 'unread':
      return `select * from conversations where ${UNREAD}`;
    case 'needs_reply':
      return `select * from conversations where ${NEEDS_REPLY}`;
    case 'archived':
      return `select * from conversations where status = 'archived'`;
    case 'mine':
      return firstOfAll(`select * from conversations where claimed_by = ${add(adminId)}`);
  }
}

/**
 * Reads all matching rows first and sorts them afterwards. Few rows match, but PostgreSQL expects many and would otherwise scan
 * the whole inbox in order until it finds enough.
 */
const firstOfAll = (few: string) => `select * from (${few} offset 0) as few where true`;
