import type { Message, QuotedMessage, Reaction } from '@stagedoor/contract/messages';
import type { ServerEvent } from '@stagedoor/contract/realtime';
import { type Database, type Statement, violates } from '../../db/database.ts';
import { type ConversationStateRow, STATE_COLUMNS } from '../conversations/conversations.store.ts';

/** Characters of a message that the inbox previews and a quote carries. */
const PREVIEW_CHARS = 300;

/** Who takes part in a conversation, as every message of it needs them. */
export interface Participants {
  readonly conversation_id: string;
  readonly version: number;
  readonly creator_id: string;
  readonly creator_name: string;
  readonly fan_id: string;
  readonly fan_name: string;
}

const PARTICIPANTS = `c.id as conversation_id, c.version, c.creator_id, creators.display_name as creator_name, c.fan_id,
  coalesce(f.username, nullif(concat_ws(' ', f.first_name, f.last_name), ''), f.email, 'Fan') as fan_name`;
const FROM_PARTICIPANTS =
  'from conversations c join fans f on f.id = c.fan_id join creators on creators.id = c.creator_id';

const participantsStatement: Statement = {
  name: 'messages_participants',
  text: `select ${PARTICIPANTS} ${FROM_PARTICIPANTS} where c.id = $1`,
};

/** @param conversationId a UUID */
export async function findParticipants(
  db: Database,
  conversationId: string,
): Promise<Participants | null> {
  const [row] = await db.run<Participants>(participantsStatement, [conversationId]);
  return row ?? null;
}

interface MessageRow {
  readonly id: string;
  readonly seq: number;
  readonly from_fan: boolean;
  readonly author_id: string;
  readonly author_codename: string | null;
  readonly author_color: string | null;
  readonly content: string;
  readonly created_at: Date;
  readonly read_at: Date | null;
  readonly reply_to_message_id: string | null;
  readonly quoted_content: string | null;
  readonly quoted_from_fan: boolean | null;
  readonly quoted_at: Date | null;
  readonly reactions: Reaction[] | null;
}

/** A query for messages with all that shows with them; `source` has the columns of `messages`. */
const selectMessages = (source: string) => `
  select m.id, m.seq, m.from_fan, m.author_id, author.codename as author_codename, author.display_color as author_color,
    m.content, m.created_at, m.read_at, m.reply_to_message_id,
    left(quoted.content, ${PREVIEW_CHARS}) as quoted_content, quoted.from_fan as quoted_from_fan, quoted.created_at as quoted_at,
    reacted.reactions
  from ${source} m
  left join admins author on not m.from_fan and author.id = m.author_id
  left join messages quoted on quoted.id = m.reply_to_message_id
  left join lateral (
    select jsonb_agg(jsonb_build_object('id', r.id, 'user_id', r.user_id, 'emoji', r.emoji, 'message_id', r.message_id)
      order by r.created_at, r.id) as reactions
    from reactions r where r.message_id = m.id
  ) reacted on true`;

function presentMessage(row: MessageRow, people: Participants): Message {
  const [sender, recipient] = row.from_fan
    ? [people.fan_id, people.creator_id]
    : [people.creator_id, people.fan_id];
  return {
    id: row.id,
    conversation_id: people.conversation_id,
    seq: row.seq,
    sender_id: sender,
    recipient_id: recipient,
    content: row.content,
    attachments: [],
    created_at: row.created_at.toISOString(),
    read_at: row.read_at?.toISOString() ?? null,
    reply_to_message_id: row.reply_to_message_id,
    reply_to: presentQuote(row, people),
    reactions: row.reactions ?? [],
    author:
      row.author_codename !== null && row.author_color !== null
        ? { id: row.author_id, codename: row.author_codename, display_color: row.author_color }
        : null,
  };
}

function presentQuote(row: MessageRow, people: Participants): QuotedMessage | null {
  if (row.reply_to_message_id === null || row.quoted_content === null || row.quoted_at === null) {
    return null;
  }
  return {
    id: row.reply_to_message_id,
    content: row.quoted_content,
    created_at: row.quoted_at.toISOString(),
    attachments: [],
    sender: row.quoted_from_fan
      ? { id: people.fan_id, username: people.fan_name }
      : { id: people.creator_id, username: people.creator_name },
  };
}

const pageStatement: Statement = {
  name: 'messages_page',
  // One statement, so that the messages and the version that they show are of one moment.
  text: `select ${PARTICIPANTS}, page.* ${FROM_PARTICIPANTS}
    left join lateral (
      ${selectMessages('(select * from messages where conversation_id = $1 and seq < $2 order by seq desc limit $3)')}
    ) page on true
    where c.id = $1 order by page.seq desc`,
};

/** Larger than any `seq`. */
const NEWEST = 2_147_483_647;

/**
 * The newest messages of a conversation, newest first.
 * @param beforeSeq only those before it; null: all
 * @returns null for an unknown conversation
 */
export async function findMessages(
  db: Database,
  conversationId: string,
  beforeSeq: number | null,
  limit: number,
): Promise<{ people: Participants; messages: Message[] } | null> {
  const rows = await db.run<Participants & (MessageRow | { id: null })>(pageStatement, [
    conversationId,
    beforeSeq ?? NEWEST,
    limit,
  ]);
  const [people] = rows;
  if (people === undefined) return null;
  const messages = rows.flatMap((row) => (row.id === null ? [] : [presentMessage(row, people)]));
  return { people, messages };
}

const seqStatement: Statement = {
  name: 'messages_seq',
  text: 'select seq from messages where id = $1 and conversation_id = $2',
};

/**
 * @param messageId a UUID
 * @returns the place of a message in its conversation; null when the conversation has no such message
 */
export async function findSeq(
  db: Database,
  conversationId: string,
  messageId: string,
): Promise<number | null> {
  const [row] = await db.run<{ seq: number }>(seqStatement, [messageId, conversationId]);
  return row?.seq ?? null;
}

const byIdStatement: Statement = {
  name: 'messages_by_id',
  text: selectMessages('(select * from messages where id = $1 and conversation_id = $2)'),
};

/** A message of a conversation with all that shows with it. */
export async function findMessage(
  db: Database,
  people: Participants,
  messageId: string,
): Promise<Message | null> {
  const [row] = await db.run<MessageRow>(byIdStatement, [messageId, people.conversation_id]);
  return row ? presentMessage(row, people) : null;
}

const byClientIdStatement: Statement = {
  name: 'messages_by_client_id',
  text: 'select id, conversation_id, payload_hash from messages where author_id = $1 and client_message_id = $2',
};

/** The message that an author's own id was used for. */
export async function findByClientId(
  db: Database,
  authorId: string,
  clientMessageId: string,
): Promise<{ id: string; conversation_id: string; payload_hash: Buffer } | null> {
  const [row] = await db.run<{ id: string; conversation_id: string; payload_hash: Buffer }>(
    byClientIdStatement,
    [authorId, clientMessageId],
  );
  return row ?? null;
}

/** A message about to be stored. */
export interface NewMessage {
  /** A UUID. */
  readonly id: string;
  readonly conversationId: string;
  readonly fromFan: boolean;
  /** The fan, or the admin who writes as the creator. */
  readonly authorId: string;
  /** The author's own id for it. */
  readonly clientMessageId: string;
  /** Tells a repetition from another message under the same id. */
  readonly payloadHash: Buffer;
  readonly content: string;
  readonly replyToMessageId: string | null;
}

/** What a stored message did to its conversation. */
export interface StoredMessage extends ConversationStateRow {
  readonly created_at: Date;
  readonly outbox_ids: number[];
  /** The fan's newest message that this one, an answer, marked as read. */
  readonly read_up_to_id: string | null;
  readonly read_up_to_seq: number | null;
  readonly read_at: Date | null;
}

/** Strictly later than every message before it: two within a millisecond would otherwise tie. */
const NEXT_INSTANT = `greatest(date_trunc('milliseconds', clock_timestamp()), last_message_at + interval '1 ms')`;

/**
 * Stores a message in one statement: the conversation's row lock gives it its place, and everything that follows from it
 * is committed with it or not at all. A creator's message is an answer, so that it marks what the fan wrote as read –
 * exactly the messages it marks are taken off the unread count, so that one which arrives meanwhile stays unread.
 */
const insertStatement = (fromFan: boolean): Statement => ({
  name: fromFan ? 'messages_insert_from_fan' : 'messages_insert_from_creator',
  text: `with marked as (
      ${
        fromFan
          ? 'select null::uuid as id, 0 as seq, null::timestamptz as read_at where false'
          : `update messages set read_at = date_trunc('milliseconds', statement_timestamp())
             where conversation_id = $1 and from_fan and read_at is null returning id, seq, read_at`
      }
    ), conversation as (
      update conversations set
        last_seq = last_seq + 1,
        version = version + 1 + (exists (select 1 from marked))::int,
        last_message_at = ${NEXT_INSTANT},
        first_message_at = coalesce(first_message_at, date_trunc('milliseconds', clock_timestamp())),
        last_message_content = left($6, ${PREVIEW_CHARS}),
        ${
          fromFan
            ? `unread_count = unread_count + 1, waiting_since = least(waiting_since, ${NEXT_INSTANT})`
            : `unread_count = unread_count - (select count(*) from marked)::int,
               waiting_since = case when unread_count > (select count(*) from marked) then waiting_since else 'infinity' end`
        }
      where id = $1 returning ${STATE_COLUMNS}
    ), message as (
      insert into messages
        (id, conversation_id, seq, from_fan, author_id, client_message_id, payload_hash, content, reply_to_message_id, created_at)
      select $2, id, last_seq, ${fromFan}, $3, $4, $5, $6, $7, last_message_at from conversation
      returning id, created_at
    ), last_marked as (
      select id, seq, read_at from marked order by seq desc limit 1
    ), queued as (
      insert into outbox (event, payload)
      select 'message_read', jsonb_build_object(
        'conversation_id', c.id, 'read_at', ${isoText('m.read_at')}, 'up_to_message_id', m.id, 'up_to_seq', m.seq,
        'unread_count', c.unread_count, 'version', c.version - 1) from conversation c, last_marked m
      union all
      select 'new_message', jsonb_build_object('conversation_id', $1::uuid, 'message_id', id, 'tempId', ${fromFan ? 'null' : '$4::text'})
      from message
      returning id
    )
    select conversation.*, message.created_at, (select array_agg(id) from queued) as outbox_ids,
      last_marked.id as read_up_to_id, last_marked.seq as read_up_to_seq, last_marked.read_at
    from conversation cross join message left join last_marked on true`,
});

/** SQL for an instant as the API writes it. */
function isoText(expression: string): string {
  return `to_char(${expression} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

const insertFromFan = insertStatement(true);
const insertFromCreator = insertStatement(false);

/**
 * @returns the conversation as the message left it; `repeated` when the author used the id before, and then nothing
 * changed; null for an unknown conversation
 */
export async function insertMessage(
  db: Database,
  message: NewMessage,
): Promise<StoredMessage | 'repeated' | null> {
  try {
    const [row] = await db.run<StoredMessage>(
      message.fromFan ? insertFromFan : insertFromCreator,
      [
        message.conversationId,
        message.id,
        message.authorId,
        message.clientMessageId,
        message.payloadHash,
        message.content,
        message.replyToMessageId,
      ],
    );
    return row ?? null;
  } catch (error) {
    // The constraint, not a look-up before, is what keeps two at once apart; the failed statement left nothing.
    if (violates(error, 'messages_client_message_id_key')) return 'repeated';
    throw error;
  }
}

/** What marking as read did. */
export interface MarkedRead {
  readonly read_at: Date;
  readonly up_to_id: string;
  readonly up_to_seq: number;
  readonly count: number;
  readonly unread_count: number;
  readonly version: number;
  readonly outbox_id: number;
}

const markStatement = (fromFan: boolean): Statement => ({
  name: fromFan ? 'messages_mark_read_by_staff' : 'messages_mark_read_by_fan',
  text: `with marked as (
      update messages set read_at = date_trunc('milliseconds', statement_timestamp())
      where conversation_id = $1 and from_fan = ${fromFan} and read_at is null and seq <= $2 returning id, seq, read_at
    ), conversation as (
      update conversations set version = version + 1
        ${fromFan ? ', unread_count = unread_count - (select count(*) from marked)::int' : ''}
      where id = $1 and exists (select 1 from marked) returning id, unread_count, version
    ), last_marked as (
      select id, seq, read_at from marked order by seq desc limit 1
    ), queued as (
      insert into outbox (event, payload)
      select '${fromFan ? 'message_read' : 'fan_read'}', jsonb_build_object(
        'conversation_id', c.id, 'read_at', ${isoText('m.read_at')}, 'up_to_message_id', m.id, 'up_to_seq', m.seq,
        ${fromFan ? `'unread_count', c.unread_count,` : ''} 'version', c.version)
      from conversation c, last_marked m returning id
    )
    select m.read_at, m.id as up_to_id, m.seq as up_to_seq, (select count(*)::int from marked) as count, c.unread_count,
      c.version, queued.id as outbox_id
    from conversation c, last_marked m, queued`,
});

const markReadByStaff = markStatement(true);
const markReadByFan = markStatement(false);

/**
 * Marks one side's unread messages as read.
 * @param upToSeq the last of them; null: all that exist now
 * @returns null when there were none
 */
export async function markMessagesRead(
  db: Database,
  who: 'staff' | 'fan',
  conversationId: string,
  upToSeq: number | null,
): Promise<MarkedRead | null> {
  const statement = who === 'staff' ? markReadByStaff : markReadByFan;
  const [row] = await db.run<MarkedRead>(statement, [conversationId, upToSeq ?? NEWEST]);
  return row ?? null;
}

const lastReadStatement: Statement = {
  name: 'messages_last_read',
  text: `select c.unread_count, (
      select read_at from messages where conversation_id = $1 and from_fan = $2 and seq <= $3 and read_at is not null
      order by seq desc limit 1
    ) as read_at from conversations c where c.id = $1`,
};

/** When the newest read message of one side, up to a place, was read; and what staff have not read. */
export async function findLastRead(
  db: Database,
  conversationId: string,
  fromFan: boolean,
  upToSeq: number | null,
): Promise<{ read_at: Date | null; unread_count: number } | null> {
  const [row] = await db.run<{ read_at: Date | null; unread_count: number }>(lastReadStatement, [
    conversationId,
    fromFan,
    upToSeq ?? NEWEST,
  ]);
  return row ?? null;
}

type Toggled = ServerEvent<'reaction_toggled'>;

/**
 * Toggles a user's reaction: the same emoji again removes it, another replaces it.
 * @returns the event, and its place in the outbox; null when the conversation has no such message
 */
export async function toggleReaction(
  db: Database,
  target: { conversationId: string; messageId: string; userId: string; emoji: Reaction['emoji'] },
): Promise<{ event: Toggled; outboxId: number } | null> {
  return db.kysely.transaction().execute(async (tx) => {
    // The conversation's lock first: what the statements after it see is settled, whoever else toggles.
    const conversation = await tx
      .updateTable('conversations')
      .set((eb) => ({ version: eb('version', '+', 1) }))
      .where('id', '=', target.conversationId)
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom('messages')
            .select('messages.id')
            .where('messages.id', '=', target.messageId)
            .where('messages.conversation_id', '=', target.conversationId),
        ),
      )
      .returning('version')
      .executeTakeFirst();
    if (conversation === undefined) return null;
    const earlier = await tx
      .deleteFrom('reactions')
      .where('message_id', '=', target.messageId)
      .where('user_id', '=', target.userId)
      .returning(['id', 'emoji'])
      .executeTakeFirst();
    const removed = earlier?.emoji === target.emoji;
    const id = removed
      ? earlier.id
      : (
          await tx
            .insertInto('reactions')
            .values({ message_id: target.messageId, user_id: target.userId, emoji: target.emoji })
            .returning('id')
            .executeTakeFirstOrThrow()
        ).id;
    const event: Toggled = {
      action: removed ? 'removed' : 'added',
      message_id: target.messageId,
      conversation_id: target.conversationId,
      user_id: target.userId,
      reaction: { id, user_id: target.userId, emoji: target.emoji, message_id: target.messageId },
      version: conversation.version,
    };
    const queued = await tx
      .insertInto('outbox')
      .values({ event: 'reaction_toggled', payload: JSON.stringify(event) })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { event, outboxId: queued.id };
  });
}

const stateStatement: Statement = {
  name: 'messages_conversation_state',
  text: `select ${STATE_COLUMNS} from conversations where id = $1`,
};

/** The conversation's state now. */
export async function findState(
  db: Database,
  conversationId: string,
): Promise<ConversationStateRow | null> {
  const [row] = await db.run<ConversationStateRow>(stateStatement, [conversationId]);
  return row ?? null;
}
