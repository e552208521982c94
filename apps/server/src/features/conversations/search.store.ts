import { SEARCH_BODY_MIN_CHARS, SEARCH_LIMIT, type SearchHit } from '@stagedoor/contract/conversations';
import type { Database } from '../../db/database.ts';
import { type ConversationRow, presentConversation, selectConversations } from './conversations.store.ts';

/** Matching messages looked at, newest first: several can be of one conversation. */
const MESSAGE_LIMIT = 300;
/** Characters of a message shown around a match. */
const EXCERPT_BEFORE = 40;
const EXCERPT_CHARS = 160;

const NEWEST = 'order by last_message_at desc, id desc';

/** Two characters: pairs of letters, which trigrams don't serve. */
const pairSearch = `
  with found as (
    (select c.id, c.last_message_at from conversations c join fans f on f.id = c.fan_id
      where letter_pairs(f.search_text) @> array[$1] order by c.last_message_at desc, c.id desc limit ${SEARCH_LIMIT})
    union
    (select id, last_message_at from conversations
      where letter_pairs(last_message_content) @> array[$1] ${NEWEST} limit ${SEARCH_LIMIT})
  ), first as (
    select c.*, null::uuid as match_id, null::text as match_content, null::timestamptz as match_at
    from conversations c where c.id in (select id from found ${NEWEST} limit ${SEARCH_LIMIT})
  )`;

/** Three and more: names by one trigram index, messages by another. A union, since an OR over two tables uses neither. */
const textSearch = `
  with named as (
    select c.id, c.last_message_at from conversations c join fans f on f.id = c.fan_id
    where f.search_text like $1 order by c.last_message_at desc, c.id desc limit ${SEARCH_LIMIT}
  ), written as (
    select distinct on (m.conversation_id) m.conversation_id, m.id, m.content, m.created_at
    from (
      select conversation_id, id, content, created_at from messages
      where content ilike $1 order by created_at desc limit ${MESSAGE_LIMIT}
    ) m order by m.conversation_id, m.created_at desc
  ), found as (
    select id from named union select conversation_id from written
  ), first as (
    select c.*, w.id as match_id, w.content as match_content, w.created_at as match_at
    from found join conversations c on c.id = found.id left join written w on w.conversation_id = c.id
    order by c.last_message_at desc, c.id desc limit ${SEARCH_LIMIT}
  )`;

const columns = ', c.match_id, c.match_content, c.match_at';
const select = `${selectConversations('first', columns)} order by c.last_message_at desc, c.id desc`;

interface HitRow extends ConversationRow {
  readonly match_id: string | null;
  readonly match_content: string | null;
  readonly match_at: Date | null;
}

/**
 * The newest conversations that contain a text.
 * @param text trimmed, of at least two characters
 */
export async function search(db: Database, text: string): Promise<SearchHit[]> {
  const needle = text.toLowerCase();
  const long = [...needle].length >= SEARCH_BODY_MIN_CHARS;
  const rows = long
    ? await db.runPlanned<HitRow>(textSearch + select, [`%${escapeLike(needle)}%`])
    : await db.runPlanned<HitRow>(pairSearch + select, [needle]);
  return rows.map((row) => ({ ...presentConversation(row), match: presentMatch(row, needle) }));
}

/** `%`, `_` and `\` mean themselves. */
const escapeLike = (text: string) => text.replaceAll(/[\\%_]/g, String.raw`\$&`);

function presentMatch(row: HitRow, needle: string): SearchHit['match'] {
  if (row.match_id === null || row.match_content === null || row.match_at === null) return null;
  // What the row shows anyway needs no excerpt.
  const shown = [row.first_name, row.last_name, row.username, row.email, row.last_message_content];
  if (shown.some((text) => text?.toLowerCase().includes(needle))) return null;
  return {
    message_id: row.match_id,
    excerpt: excerpt(row.match_content, needle),
    created_at: row.match_at.toISOString(),
  };
}

function excerpt(content: string, needle: string): string {
  const found = Math.max(0, content.toLowerCase().indexOf(needle));
  const start = Math.max(0, found - EXCERPT_BEFORE);
  const end = start + EXCERPT_CHARS;
  return `${start > 0 ? '…' : ''}${content.slice(start, end)}${end < content.length ? '…' : ''}`;
}
