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
  /** A library tag's id, or a label; null: any fan. */
  readonly tag: string | null;
}

/** The fans who carry a tag, by its id in the library or by its label in any case. */
export const taggedFans = (parameter: string) => `
  select fan_id from fan_tags where lower(label) = lower(${parameter})
  union all select t.fan_id from fan_tags t join global_tags g on g.id = t.global_tag_id
    where lower(g.label) = lower(${parameter}) or g.id::text = lower(${parameter})`;

/** The statement for one page of conversations, and its values; prepared once for each kind of list. */
export function pageStatement(query: PageQuery): { statement: Statement; values: unknown[] } {
  const { filter, cursor } = query;
  const sort = effectiveSort(filter, query.sort);
  const tagged = query.tag === null ? '' : 'tagged_';
  const name = `inbox_${tagged}${filter}_${sort}_${cursor ? 'after' : 'from'}`;
  const onlyTagged = query.tag === null ? '' : `and fan_id in (${taggedFans('$3')})`;
  // Every statement takes the admin as $1, the number of rows as $2 and the tag as $3, so that only the keys differ.
  const rows = (condition: string, tail = '') =>
    `select * from conversations where ${CONDITIONS[filter]} and $1::uuid is not null and $3::text is not distinct from $3 ${onlyTagged} ${condition}
     order by ${orderBy(filter, sort)} limit $2${tail}`;
  if (cursor === null) {
    return {
      statement: { name, text: rows('', ' offset $4') },
      values: [query.adminId, query.limit, query.tag, query.offset],
    };
  }
  const base = [query.adminId, query.limit, query.tag, cursor.lastMessageAt, cursor.id];
  switch (sort) {
    case 'newest':
      return { statement: { name, text: rows('and (last_message_at, id) < ($4, $5)') }, values: base };
    case 'unread_first':
      return {
        statement: {
          name,
          text: rows('and ((unread_count > 0), last_message_at, id) < ($6::boolean, $4, $5)'),
        },
        values: [...base, cursor.unread],
      };
    case 'longest_waiting':
      // The keys run in different directions, which no row comparison says: two ranges of one index instead.
      return {
        statement: {
          name,
          text: `select * from (
              (${rows('and waiting_since = $6 and (last_message_at, id) < ($4, $5)')})
              union all (${rows('and waiting_since > $6')})
            ) as ranges order by ${orderBy(filter, sort)} limit $2`,
        },
        values: [...base, cursor.waitingSince],
      };
  }
}
