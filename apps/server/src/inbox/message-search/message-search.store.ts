import {
  MESSAGE_SEARCH_PAGE_SIZE,
  type MessageHit,
  type MessageHitPage,
} from '@stagedoor/contract/inbox/message-search';
import { isUuid } from '../../db/database.ts';
import type { Search } from '../../db/searches.ts';
import type { Row } from '../../db/tables.ts';
import { timeCursors } from '../../http/cursor.ts';
import { excerptOf } from './excerpt.ts';
import { type SearchFilters, searchStatement } from './statement.ts';

const cursors = timeCursors(6);

interface HitRow
  extends Row<'messages', 'id' | 'created_at' | 'from_fan' | 'content' | 'conversation_id'>,
    Row<'conversations', 'status'> {
  readonly at: string;
  readonly has_attachment: boolean;
  readonly fan: MessageHit['fan'];
  readonly author: MessageHit['author'];
}

/** The last message that a limited search scanned. The next page continues after it. */
interface EndRow {
  readonly id: string | null;
  readonly end_id: string;
  readonly end_at: string;
}

export interface SearchQuery extends Omit<SearchFilters, 'cursor' | 'text' | 'limit'> {
  readonly q: string;
  readonly cursor?: string | undefined;
}

/**
 * Returns a page of the messages that contain a text, newest first.
 * @throws AppError 400 for an invalid cursor, 422 for a search that takes too long
 */
export async function searchPage(search: Search, query: SearchQuery): Promise<MessageHitPage> {
  const { q, cursor, ...filters } = query;
  const text = q.toLowerCase();
  const after = cursor === undefined ? null : cursors.decode(cursor);
  if (filters.fan !== undefined && !isUuid(filters.fan)) return { data: [], next_cursor: null };
  const limit = MESSAGE_SEARCH_PAGE_SIZE + 1;
  const found = await search<HitRow | EndRow>(
    searchStatement({ ...filters, text, cursor: after, limit }),
  );
  const rows = found.flatMap((row) => (row.id === null ? [] : [row as HitRow]));
  const shown = rows.slice(0, MESSAGE_SEARCH_PAGE_SIZE);
  const last = rows.length > shown.length ? shown.at(-1) : undefined;
  const end = found.find((row): row is EndRow => 'end_id' in row && row.end_id !== null);
  const next = last ?? (end && { at: end.end_at, id: end.end_id });
  return {
    data: shown.map((row) => presentHit(row, text)),
    next_cursor: next === undefined ? null : cursors.encode(next),
  };
}

function presentHit(row: HitRow, text: string): MessageHit {
  return {
    message_id: row.id,
    conversation_id: row.conversation_id,
    status: row.status,
    fan: row.fan,
    from: row.from_fan ? 'fan' : 'creator',
    author: row.author,
    created_at: row.created_at.toISOString(),
    has_attachment: row.has_attachment,
    excerpt: excerptOf(row.content, text),
  };
}
