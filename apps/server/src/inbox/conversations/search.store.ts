import {
  SEARCH_BODY_MIN_CHARS,
  SEARCH_LIMIT,
  type SearchHit,
} from '@stagedoor/contract/inbox/conversations';
import type { Search } from '../../db/searches.ts';
import {
  type ConversationRow,
  presentConversation,
  selectConversations,
} from './conversations.store.ts';

/**
 * What is searched for common texts before any index is asked: the newest conversations and the newest messages. A text
 * that is in few of them is in few of all, and then an index finds it at once.
 */
const NEWEST_CONVERSATIONS = 1_000;
const NEWEST_MESSAGES = 6_000;
/** So many matches among them are enough even when they are of few conversations. */
const ENOUGH_MATCHES = 300;
/**
 * What is in some of the newest, though not in enough, is in too many of all for an index to be quick: it is looked for in
 * more of the newest.
 */
const SOME_CONVERSATIONS = 5;
const SOME_MESSAGES = 8;
const MORE_CONVERSATIONS = 15_000;
const MORE_MESSAGES = 60_000;
/** Of so many matches there are usually enough conversations. */
const MORE_MATCHES = 75;
/** Searched for a text without {@link INDEXABLE} letters, which no index finds: the newest messages, and then no more. */
const NEWEST_MESSAGES_UNINDEXED = 20_000;
/** The same of conversations, of whose last messages no index knows. */
const NEWEST_CONVERSATIONS_UNINDEXED = 20_000;
/** Three letters or digits in a row: what trigrams are made of. */
const INDEXABLE = /[\p{L}\p{N}]{3}/u;
/** Of the messages that an index finds, the newest are looked at. Several can be of one conversation. */
const MATCH_LIMIT = 2_000;
/** Characters of a message shown around a match. */
const EXCERPT_BEFORE = 40;
const EXCERPT_CHARS = 160;

const NEWEST = 'order by last_message_at desc, id desc';

/**
 * Conversations of matching names, and of matching last messages where `condition` says so: the newest, and the rest only
 * if those don't fill the reply. The count is taken first, so that the rest is not even begun otherwise.
 * @param condition of a conversation `c` and its fan `f`
 * @param rest queries for `id, last_message_at`; each has an index of its own, which an OR over two tables would use none of
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
    -- Kept from being joined the other way round, which would read all fans.
    cross join lateral (select search_text from fans where id = c.fan_id offset 0) f
  where ${condition} order by c.last_message_at desc, c.id desc limit ${SEARCH_LIMIT}`;
const NEWEST_ARE_TOO_FEW = `(select count(*) from newest) < ${SEARCH_LIMIT} and (select count(*) from more) < ${SEARCH_LIMIT}`;
/** The fans on their own first: they are few by now, and their index finds them. */
const fansWhere = (condition: string) => `
  select c.id, c.last_message_at
  from (select id from fans where ${NEWEST_ARE_TOO_FEW} and ${condition} offset 0) f
    cross join lateral (select * from conversations where fan_id = f.id offset 0) c where true`;

/** An index would cost each message more than this costs a search. */
const lastMessagesLike = `
  select id, last_message_at from (
    select * from conversations ${NEWEST} limit ${NEWEST_CONVERSATIONS_UNINDEXED}
  ) c where ${NEWEST_ARE_TOO_FEW} and last_message_search like $1`;

/** $1 is the pattern for LIKE, $2 the text's pairs of letters: trigrams don't serve two characters. */
const pairSearch = `
  with ${stagedNames('f.search_text like $1 or c.last_message_search like $1', [
    fansWhere('letter_pairs(search_text) @> $2'),
    lastMessagesLike,
  ])}, first as (
    select c.*, null::uuid as match_id, null::text as match_content, null::timestamptz as match_at
    from conversations c where c.id in (select id from named) order by c.last_message_at desc, c.id desc limit ${SEARCH_LIMIT}
  )`;

/**
 * Whether a message contains the text, in any case. Folding the case of all letters there are is what looking through messages
 * spends most of its time on; for a text of ASCII it is enough to fold those of ASCII, in less than half of it.
 */
const CONTAINS = { any: 'content ilike $1', ascii: 'content collate "C" ilike $1' };
/** Every letter of it is ASCII. */
const ASCII = /^[\0-\x7f]*$/;
/** The two letters of ASCII which others become too, in lower case: `İ` and the Kelvin sign. Only an index finds these then. */
const LOWER_OF_OTHERS = /[ik]/;

const TOO_FEW = `count(*) < ${ENOUGH_MATCHES} and count(distinct conversation_id) < ${SEARCH_LIMIT}`;

/**
 * $1 is the pattern for LIKE, $2 the text's pairs of letters. Where an index finds all messages, the last ones need no search of their own.
 * @param newest messages that are searched without an index
 * @param others whether an index finds the others
 * @param contains whether one of the newest contains the text, see {@link CONTAINS}
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
    -- Not sorted here: for an order the planner might walk all messages by time, looking for a text that it takes for common.
    select id, conversation_id, created_at from messages
    where ${others} and content ilike $1
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
 * The newest conversations that contain a text.
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

/** Every two characters that follow one another, as the index of names has them. */
const pairsOf = (text: string): string[] => {
  const characters = [...text];
  return characters.slice(1).map((character, place) => `${characters[place]}${character}`);
};

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
