import {
  SEARCH_BODY_MIN_CHARS,
  SEARCH_LIMIT,
  type SearchHit,
} from '@stagedoor/contract/inbox/conversations';
import { ATTACHMENT_PLACEHOLDER } from '@stagedoor/contract/messaging/messages';
import { ASCII, escapeLike, INDEXABLE } from '../../db/like.ts';
import type { Search } from '../../db/searches.ts';
import {
  type ConversationRow,
  presentConversation,
  selectConversations,
} from './conversations.store.ts';
import { excerptOf } from './excerpt.ts';

/**
 * How many of the newest conversations and messages are scanned before any index is used. A common text has enough matches among
 * them; a text that is rare among them is rare overall, so an index finds it quickly.
 */
const NEWEST_CONVERSATIONS = 1_000;
const NEWEST_MESSAGES = 6_000;
/** The number of matches at which a scan stops, even if they are in few conversations. */
const ENOUGH_MATCHES = 300;
/**
 * A text with at least `SOME_…` matches in the first scan, but not enough for a full result, has too many matches overall for an
 * index to be fast. For such a text, the newest `MORE_…` rows are scanned.
 */
const SOME_CONVERSATIONS = 5;
const SOME_MESSAGES = 8;
const MORE_CONVERSATIONS = 15_000;
const MORE_MESSAGES = 60_000;
/** The number of matches at which the second scan stops. They usually cover enough conversations. */
const MORE_MATCHES = 75;
/** How many of the newest messages are searched for a text that isn't {@link INDEXABLE}. */
const NEWEST_MESSAGES_UNINDEXED = 20_000;
/** How many of the newest conversations are searched by their last message, which has no index. */
const NEWEST_CONVERSATIONS_UNINDEXED = 20_000;
/** The maximum number of messages taken from the index, newest first. Several can be in one conversation. */
const MATCH_LIMIT = 2_000;
/** The maximum length of an excerpt before the first match, and in total. */
const EXCERPT = { before: 40, length: 160 };

const NEWEST = 'order by last_message_at desc, id desc';

/**
 * SQL: conversations that match by name or, depending on `condition`, by last message. Searches the newest first, and the rest
 * only if the newest have too few matches. PostgreSQL counts these matches first, and skips the rest if there are enough.
 * @param condition on a conversation `c` and its fan `f`
 * @param rest queries for `id, last_message_at`, each with its own index; an OR over two tables could use neither
 */
const stagedNames = (condition: string, rest: readonly string[]) => `
  newest as materialized (${newestWhere(NEWEST_CONVERSATIONS, condition)}),
  more as materialized (${newestWhere(
    MORE_CONVERSATIONS,
    `(select count(*) from newest) between ${SOME_CONVERSATIONS} and ${SEARCH_LIMIT - 1} and (${condition})`,
  )}), named as (
    select id from newest union select id from more
    union
    select id from (
      ${rest.map((query) => `(${query} ${NEWEST} limit ${SEARCH_LIMIT})`).join(' union all ')}
    ) as others
  )`;
const newestWhere = (count: number, condition: string) => `
  select c.id, c.last_message_at
  from (select * from conversations ${NEWEST} limit ${count}) c
    -- Prevents the reverse join order, which would read all fans.
    cross join lateral (select search_text from fans where id = c.fan_id offset 0) f
  where ${condition} order by c.last_message_at desc, c.id desc limit ${SEARCH_LIMIT}`;
const NEWEST_ARE_TOO_FEW = `(select count(*) from newest) < ${SEARCH_LIMIT} and (select count(*) from more) < ${SEARCH_LIMIT}`;
/** Reads the fans first. A text that reaches this step matches few fans, and an index finds them. */
const fansWhere = (condition: string) => `
  select c.id, c.last_message_at
  from (select id from fans where ${NEWEST_ARE_TOO_FEW} and ${condition} offset 0) f
    cross join lateral (select * from conversations where fan_id = f.id offset 0) c where true`;

/** Scans without an index, because updating an index on every message would cost more than the scan. */
const lastMessagesLike = `
  select id, last_message_at from (
    select * from conversations ${NEWEST} limit ${NEWEST_CONVERSATIONS_UNINDEXED}
  ) c where ${NEWEST_ARE_TOO_FEW} and last_message_search like $1`;

/** `$1` is the LIKE pattern, `$2` the text's letter pairs, because trigrams can't match two characters. */
const pairSearch = `
  with ${stagedNames('f.search_text like $1 or c.last_message_search like $1', [
    fansWhere('letter_pairs(search_text) @> $2'),
    lastMessagesLike,
  ])}, first as (
    select c.*, null::uuid as match_id, null::text as match_content, null::timestamptz as match_at
    from conversations c where c.id in (select id from named) order by c.last_message_at desc, c.id desc limit ${SEARCH_LIMIT}
  )`;

/**
 * SQL: whether a message contains the text, ignoring case. The placeholder of messages with only attachments doesn't match.
 * Unicode case folding takes most of a scan's time. For an ASCII text, ASCII folding is enough and takes less than half of it.
 */
const CONTAINS = {
  any: `content <> '${ATTACHMENT_PLACEHOLDER}' and content ilike $1`,
  ascii: `content <> '${ATTACHMENT_PLACEHOLDER}' and content collate "C" ilike $1`,
};
/** The lower case of `İ` contains `i`, and that of the Kelvin sign is `k`. ASCII folding misses both. */
const LOWER_OF_OTHERS = /[ik]/;

const TOO_FEW = `count(*) < ${ENOUGH_MATCHES} and count(distinct conversation_id) < ${SEARCH_LIMIT}`;

/**
 * `$1` is the LIKE pattern, `$2` the text's letter pairs. If an index covers all messages, last messages need no separate search.
 * @param newest how many of the newest messages are scanned without an index
 * @param others whether an index finds the messages that are not scanned
 * @param contains the condition for scanned messages, see {@link CONTAINS}
 */
const textSearch = (newest: number, others: boolean, contains: string) => `
  with ${stagedNames('f.search_text like $1', [
    ...(others
      ? [fansWhere('search_text like $1')]
      : [fansWhere('letter_pairs(search_text) @> $2 and search_text like $1'), lastMessagesLike]),
  ])}, newest_messages as materialized (
    select id, conversation_id, created_at
    from (select * from messages order by created_at desc limit ${newest}) m where ${contains} limit ${ENOUGH_MATCHES}
  ), more_messages as materialized (
    select id, conversation_id, created_at
    from (select * from messages order by created_at desc limit ${MORE_MESSAGES}) m
    where ${others} and ${contains} and (select count(*) >= ${SOME_MESSAGES} and ${TOO_FEW} from newest_messages)
    limit ${MORE_MATCHES}
  ), older_messages as materialized (
    -- Not sorted here: to sort, the planner might scan all messages by time if it believes the text is common.
    select id, conversation_id, created_at from messages
    where ${others} and ${CONTAINS.any}
      and (select ${TOO_FEW} from newest_messages) and (select ${TOO_FEW} from more_messages)
  ), written as (
    select distinct on (conversation_id) conversation_id, id, created_at
    from (
      select * from newest_messages union all select * from more_messages
      union all
      (select * from older_messages order by created_at desc limit ${MATCH_LIMIT})
    ) m order by conversation_id, created_at desc
  ), newest_written as (
    select * from written order by created_at desc limit ${SEARCH_LIMIT}
  ), found as (
    select id from named union select conversation_id from newest_written
  ), first as (
    select c.*, m.id as match_id, m.content as match_content, m.created_at as match_at
    from found join conversations c on c.id = found.id
      left join newest_written w on w.conversation_id = c.id left join messages m on m.id = w.id
    order by c.last_message_at desc, c.id desc limit ${SEARCH_LIMIT}
  )`;

const columns = ', c.match_id, c.match_content, c.match_at';
const select = `${selectConversations('first', columns)} order by c.last_message_at desc, c.id desc`;

const indexedSearch = (contains: string) => textSearch(NEWEST_MESSAGES, true, contains) + select;
const unindexedSearch = (contains: string) =>
  textSearch(NEWEST_MESSAGES_UNINDEXED, false, contains) + select;

const STATEMENTS = {
  pairs: pairSearch + select,
  indexed: { ascii: indexedSearch(CONTAINS.ascii), any: indexedSearch(CONTAINS.any) },
  unindexed: { ascii: unindexedSearch(CONTAINS.ascii), any: unindexedSearch(CONTAINS.any) },
};

interface HitRow extends ConversationRow {
  readonly match_id: string | null;
  readonly match_content: string | null;
  readonly match_at: Date | null;
}

/**
 * Returns the newest conversations whose messages or fan match a text.
 * @param text trimmed, of at least two characters
 * @throws AppError 422 `search_too_broad`
 */
export async function searchInbox(search: Search, text: string): Promise<SearchHit[]> {
  const needle = text.toLowerCase();
  const pattern = `%${escapeLike(needle)}%`;
  const { statement, asksPairs } = statementFor(needle);
  const rows = await search<HitRow>({
    text: statement,
    values: asksPairs ? [pattern, pairsOf(needle)] : [pattern],
  });
  return rows.map((row) => ({ ...presentConversation(row), match: presentMatch(row, needle) }));
}

function statementFor(needle: string): { statement: string; asksPairs: boolean } {
  if ([...needle].length < SEARCH_BODY_MIN_CHARS) {
    return { statement: STATEMENTS.pairs, asksPairs: true };
  }
  const isAscii = ASCII.test(needle);
  if (INDEXABLE.test(needle)) {
    return { statement: STATEMENTS.indexed[isAscii ? 'ascii' : 'any'], asksPairs: false };
  }
  const kind = isAscii && !LOWER_OF_OTHERS.test(needle) ? 'ascii' : 'any';
  return { statement: STATEMENTS.unindexed[kind], asksPairs: true };
}

/** Returns all pairs of adjacent characters, as in the index of names. */
const pairsOf = (text: string): string[] => {
  const characters = [...text];
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
};

function presentMatch(row: HitRow, needle: string): SearchHit['match'] {
  if (row.match_id === null || row.match_content === null || row.match_at === null) return null;
  // No excerpt if the row already shows the match.
  const shown = [row.first_name, row.last_name, row.username, row.email, row.last_message_content];
  if (shown.some((text) => text?.toLowerCase().includes(needle))) return null;
  return {
    message_id: row.match_id,
    excerpt: excerpt(row.match_content, needle),
    created_at: row.match_at.toISOString(),
  };
}

function excerpt(content: string, needle: string): string {
  const { text, has_before, has_after } = excerptOf(content, needle, EXCERPT);
  return `${has_before ? '…' : ''}${text}${has_after ? '…' : ''}`;
}
