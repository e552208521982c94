import type { InboxFilter, InboxSort } from '@stagedoor/contract/conversations';
import * as z from 'zod/mini';
import type { Statement } from '../../db/database.ts';
import { invalidRequest } from '../../errors.ts';

/** The place in a list just after a row, by that row's sort keys. Rows may move meanwhile; the place stays. */
export interface Cursor {
  /** Whether it was unread; for 'unread first'. */
  readonly unread: boolean;
  /** ISO texts with milliseconds; `infinity` where nobody waits. */
  readonly lastMessageAt: string;
  readonly waitingSince: string;
  readonly id: string;
}

const instant = z.union([z.iso.datetime({ precision: 3 }), z.literal('infinity')]);
const CursorTuple = z.tuple([z.boolean(), instant, instant, z.uuid()]);

/** As an opaque text for the caller. */
export function encodeCursor(row: {
  id: string;
  unread_count: number;
  last_message_at: Date;
  waiting_since: Date | number;
}): string {
  const waiting = row.waiting_since instanceof Date ? row.waiting_since.toISOString() : 'infinity';
  const tuple = [row.unread_count > 0, row.last_message_at.toISOString(), waiting, row.id];
  return Buffer.from(JSON.stringify(tuple)).toString('base64url');
}

/** @throws AppError 400 for a text that is no cursor of ours */
export function decodeCursor(text: string): Cursor {
  const parsed = CursorTuple.safeParse(parseJson(Buffer.from(text, 'base64url').toString()));
  if (!parsed.success) throw invalidRequest({ cursor: 'Must be a next_cursor of this list' });
  const [unread, lastMessageAt, waitingSince, id] = parsed.data;
  return { unread, lastMessageAt, waitingSince, id };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const CONDITIONS: Record<InboxFilter, string> = {
  all: 'true',
  unread: 'unread_count > 0',
  archived: `status = 'archived'`,
  mine: 'claimed_by = $1',
};

/** In a list of unread ones 'unread first' is the same order as 'newest', and has the smaller index. */
const effectiveSort = (filter: InboxFilter, sort: InboxSort): InboxSort =>
  filter === 'unread' && sort === 'unread_first' ? 'newest' : sort;

/** The order of a list, each of which an index of the schema serves. */
export function orderBy(filter: InboxFilter, sort: InboxSort, prefix = ''): string {
  const newest = `${prefix}last_message_at desc, ${prefix}id desc`;
  return {
    unread_first: `(${prefix}unread_count > 0) desc, ${newest}`,
    newest,
    longest_waiting: `${prefix}waiting_since, ${newest}`,
  }[effectiveSort(filter, sort)];
}

interface PageQuery {
  readonly filter: InboxFilter;
  readonly sort: InboxSort;
  readonly adminId: string;
  readonly limit: number;
  readonly offset: number;
  readonly cursor: Cursor | null;
}

/** The statement for one page of conversations, and its values; prepared once for each kind of list. */
export function pageStatement(query: PageQuery): { statement: Statement; values: unknown[] } {
  const { filter, cursor } = query;
  const sort = effectiveSort(filter, query.sort);
  const name = `inbox_${filter}_${sort}_${cursor ? 'after' : 'from'}`;
  // Every statement takes the admin as $1 and the number of rows as $2, so that only the keys differ.
  const rows = (condition: string, tail = '') =>
    `select * from conversations where ${CONDITIONS[filter]} and $1::uuid is not null ${condition} order by ${orderBy(filter, sort)} limit $2${tail}`;
  if (cursor === null) {
    return {
      statement: { name, text: rows('', ' offset $3') },
      values: [query.adminId, query.limit, query.offset],
    };
  }
  const base = [query.adminId, query.limit, cursor.lastMessageAt, cursor.id];
  switch (sort) {
    case 'newest':
      return { statement: { name, text: rows('and (last_message_at, id) < ($3, $4)') }, values: base };
    case 'unread_first':
      return {
        statement: {
          name,
          text: rows('and ((unread_count > 0), last_message_at, id) < ($5::boolean, $3, $4)'),
        },
        values: [...base, cursor.unread],
      };
    case 'longest_waiting':
      // The keys run in different directions, which no row comparison says: two ranges of one index instead.
      return {
        statement: {
          name,
          text: `select * from (
              (${rows('and waiting_since = $5 and (last_message_at, id) < ($3, $4)')})
              union all (${rows('and waiting_since > $5')})
            ) as ranges order by ${orderBy(filter, sort)} limit $2`,
        },
        values: [...base, cursor.waitingSince],
      };
  }
}
