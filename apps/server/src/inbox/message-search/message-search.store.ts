import {
  MESSAGE_SEARCH_PAGE_SIZE,
  type MessageHit,
  type MessageHitPage,
  type NoteHit,
} from '@stagedoor/contract/inbox/message-search';
import { mentionParts } from '@stagedoor/contract/messaging/mention-text';
import type { StaffMember } from '@stagedoor/contract/team/staff';
import { isUuid } from '../../db/database.ts';
import type { Search } from '../../db/searches.ts';
import type { Row } from '../../db/tables.ts';
import { timeCursors } from '../../http/cursor.ts';
import { excerptOf } from '../conversations/excerpt.ts';
import { type SearchQuery, searchStatement } from './statement.ts';

const cursors = timeCursors(6);
/** The maximum length of an excerpt before the first match, and in total. */
const EXCERPT = { before: 60, length: 220 };

interface FoundRow
  extends Row<'messages', 'id' | 'created_at' | 'content' | 'conversation_id'>,
    Row<'conversations', 'status'> {
  readonly at: string;
  readonly fan: MessageHit['fan'];
}

interface MessageRow extends FoundRow, Row<'messages', 'from_fan'> {
  readonly kind: 'message';
  readonly has_attachment: boolean;
  readonly author: StaffMember | null;
}

interface NoteRow extends FoundRow {
  readonly kind: 'note';
  readonly author: StaffMember;
  readonly mentions: readonly StaffMember[] | null;
}

type HitRow = MessageRow | NoteRow;

/** The last text that a limited search scanned. The next page continues after it. */
interface EndRow {
  readonly id: string | null;
  readonly end_id: string;
  readonly end_at: string;
}

/**
 * Returns a page of the messages and notes that contain a text, newest first.
 * @throws AppError 400 for an invalid cursor, 422 for a search that takes too long
 */
export async function searchPage(search: Search, query: SearchQuery): Promise<MessageHitPage> {
  const { q, cursor, ...filters } = query;
  const text = q.toLowerCase();
  const after = cursor === undefined ? null : cursors.decode(cursor);
  if (filters.fan !== undefined && !isUuid(filters.fan)) return { data: [], next_cursor: null };
  const limit = MESSAGE_SEARCH_PAGE_SIZE + 1;
  const statement = searchStatement({ ...filters, text, cursor: after, limit });
  const found = statement === null ? [] : await search<HitRow | EndRow>(statement);
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

function presentHit(row: HitRow, text: string): MessageHit | NoteHit {
  const hit = {
    conversation_id: row.conversation_id,
    status: row.status,
    fan: row.fan,
    created_at: row.created_at.toISOString(),
  };
  if (row.kind === 'note') {
    const { kind, id, author, content, mentions } = row;
    const excerpt = excerptOf(withNames(content, mentions ?? []), text, EXCERPT);
    return { kind, note_id: id, ...hit, author, excerpt };
  }
  return {
    kind: row.kind,
    message_id: row.id,
    ...hit,
    from: row.from_fan ? 'fan' : 'creator',
    author: row.author,
    has_attachment: row.has_attachment,
    excerpt: excerptOf(row.content, text, EXCERPT),
  };
}

/** Returns a note's text with the codenames of the admins that it mentions. */
const withNames = (content: string, people: readonly StaffMember[]): string =>
  mentionParts(content)
    .map((part) =>
      'text' in part
        ? part.text
        : `@${people.find(({ id }) => id === part.adminId)?.codename ?? 'unknown'}`,
    )
    .join('');
