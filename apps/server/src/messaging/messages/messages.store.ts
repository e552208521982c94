import type { Reaction } from '@stagedoor/contract/messaging/messages';
import { type Database, isUuid, type Statement } from '../../db/database.ts';
import { FAN_USERNAME } from '../../db/fan-name.ts';
import type { Row } from '../../db/tables.ts';
import { conversationNotFound, messageNotFound } from '../../errors.ts';
import {
  type ConversationStateRow,
  STATE_COLUMNS,
} from '../../inbox/conversations/conversations.store.ts';
import type { StoredAttachment } from '../../media/stored-attachment.ts';
import { purchasesOf, withPurchases } from '../../media/uploads.store.ts';
import type { MessageRecord, QuoteRecord } from './present.ts';

/** The number of characters shown in the inbox preview and in a quote. */
export const PREVIEW_CHARS = 300;

/** The two sides of a conversation, and its version. */
export interface Participants extends Row<'conversations', 'version' | 'creator_id' | 'fan_id'> {
  readonly conversation_id: string;
  readonly creator_name: string;
  readonly fan_name: string;
}

export const PARTICIPANTS = `c.id as conversation_id, c.version, c.creator_id, creators.display_name as creator_name, c.fan_id,
  ${FAN_USERNAME} as fan_name`;
export const FROM_PARTICIPANTS =
  'from conversations c join fans f on f.id = c.fan_id join creators on creators.id = c.creator_id';

const knownStatement: Statement = {
  name: 'messages_conversation_known',
  text: 'select id from conversations where id = $1',
};

/** @throws AppError 404 `conversation_not_found` */
export async function requireConversation(db: Database, conversationId: string): Promise<void> {
  const known = isUuid(conversationId) ? await db.run(knownStatement, [conversationId]) : [];
  if (known.length === 0) throw conversationNotFound();
}

export interface MessageRow
  extends Row<
    'messages',
    | 'id'
    | 'seq'
    | 'from_fan'
    | 'author_id'
    | 'content'
    | 'attachments'
    | 'created_at'
    | 'read_at'
    | 'reply_to_message_id'
    | 'campaign_id'
    | 'unsent_at'
    | 'unsent_by'
  > {
  readonly author_codename: string | null;
  readonly author_color: string | null;
  readonly unsender_codename: string | null;
  readonly unsender_color: string | null;
  /** The purchase times of the message's products that the fan owns, by product id; null if the fan owns none. */
  readonly purchases: Readonly<Record<string, string>> | null;
  readonly quoted_content: string | null;
  readonly quoted_from_fan: boolean | null;
  readonly quoted_at: Date | null;
  readonly quoted_unsent: boolean | null;
  readonly quoted_attachments: readonly StoredAttachment[] | null;
  readonly quoted_purchases: Readonly<Record<string, string>> | null;
  readonly reactions: Reaction[] | null;
}

/** Most messages have no attachments: skip the purchase lookup for them. */
const boughtIn = (message: string) =>
  `case when ${message}.attachments <> '[]' then ${purchasesOf(message)} end`;

/** Returns a query for messages with authors, quotes, purchases and reactions. @param source has the columns of `messages` */
export const selectMessages = (source: string) => `
  select m.id, m.seq, m.from_fan, m.author_id, author.codename as author_codename, author.display_color as author_color,
    m.content, m.attachments, ${boughtIn('m')} as purchases, m.created_at, m.read_at, m.reply_to_message_id, m.campaign_id,
    m.unsent_at, m.unsent_by, unsender.codename as unsender_codename, unsender.display_color as unsender_color,
    left(quoted.content, ${PREVIEW_CHARS}) as quoted_content, quoted.from_fan as quoted_from_fan, quoted.created_at as quoted_at,
    quoted.unsent_at is not null as quoted_unsent, quoted.attachments as quoted_attachments, ${boughtIn('quoted')} as quoted_purchases,
    reacted.reactions
  from ${source} m
  left join admins author on not m.from_fan and author.id = m.author_id
  left join admins unsender on unsender.id = m.unsent_by
  left join messages quoted on quoted.id = m.reply_to_message_id
  left join lateral (
    select jsonb_agg(jsonb_build_object('id', r.id, 'user_id', r.user_id, 'emoji', r.emoji, 'message_id', r.message_id)
      order by r.created_at, r.id) as reactions
    from reactions r where r.message_id = m.id
  ) reacted on true`;

export function recordOf(row: MessageRow, people: Participants): MessageRecord {
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
    attachments: withPurchases(row.attachments, row.purchases),
    created_at: row.created_at.toISOString(),
    read_at: row.read_at?.toISOString() ?? null,
    reply_to_message_id: row.reply_to_message_id,
    reply_to: quoteOf(row, people),
    reactions: row.reactions ?? [],
    author:
      row.author_codename !== null && row.author_color !== null
        ? { id: row.author_id, codename: row.author_codename, display_color: row.author_color }
        : null,
    campaign_id: row.campaign_id,
    unsent: unsentOf(row),
  };
}

function unsentOf({ unsent_at, unsent_by, unsender_codename, unsender_color }: MessageRow) {
  if (unsent_at === null || unsent_by === null) return null;
  const by = {
    id: unsent_by,
    codename: unsender_codename ?? '',
    display_color: unsender_color ?? '',
  };
  return { at: unsent_at.toISOString(), by };
}

function quoteOf(row: MessageRow, people: Participants): QuoteRecord | null {
  if (row.reply_to_message_id === null || row.quoted_content === null || row.quoted_at === null) {
    return null;
  }
  return {
    id: row.reply_to_message_id,
    content: row.quoted_content,
    created_at: row.quoted_at.toISOString(),
    attachments: withPurchases(row.quoted_attachments ?? [], row.quoted_purchases),
    sender: row.quoted_from_fan
      ? { id: people.fan_id, username: people.fan_name }
      : { id: people.creator_id, username: people.creator_name },
    is_unsent: row.quoted_unsent === true,
  };
}

const pageStatement: Statement = {
  name: 'messages_page',
  // One statement, so that the messages and the version come from the same snapshot.
  text: `select ${PARTICIPANTS}, page.* ${FROM_PARTICIPANTS}
    left join lateral (
      ${selectMessages('(select * from messages where conversation_id = $1 and seq < $2 and ($4 or unsent_at is null) order by seq desc limit $3)')}
    ) page on true
    where c.id = $1 order by page.seq desc`,
};

/** Greater than any `seq`. */
export const NEWEST = 2_147_483_647;

/**
 * Returns the newest messages of a conversation, newest first.
 * @param beforeSeq only messages before this `seq`; null for all @param withUnsent includes unsent messages
 * @returns null for an unknown conversation
 */
export async function findMessages(
  db: Database,
  conversationId: string,
  beforeSeq: number | null,
  limit: number,
  withUnsent: boolean,
): Promise<{ people: Participants; messages: MessageRecord[] } | null> {
  const rows = await db.run<Participants & (MessageRow | { id: null })>(pageStatement, [
    conversationId,
    beforeSeq ?? NEWEST,
    limit,
    withUnsent,
  ]);
  const [people] = rows;
  if (people === undefined) return null;
  const messages = rows.flatMap((row) => (row.id === null ? [] : [recordOf(row, people)]));
  return { people, messages };
}

const seqStatement: Statement = {
  name: 'messages_seq',
  text: 'select seq from messages where id = $1 and conversation_id = $2',
};

/** Returns the `seq` of a message. @param conversationId a UUID @throws AppError 404 for the conversation or the message */
export async function requireSeq(
  db: Database,
  conversationId: string,
  messageId: string,
): Promise<number> {
  const [row] = isUuid(messageId)
    ? await db.run<Row<'messages', 'seq'>>(seqStatement, [messageId, conversationId])
    : [];
  if (row !== undefined) return row.seq;
  await requireConversation(db, conversationId);
  throw messageNotFound();
}

const nowStatement: Statement = {
  name: 'messages_now',
  // One statement, so that the message is no older than the version sent with it.
  text: `select ${PARTICIPANTS}, found.* ${FROM_PARTICIPANTS}
    join lateral (${selectMessages('(select * from messages where id = $2 and conversation_id = $1)')}) found on true
    where c.id = $1`,
};

/** A message and its conversation's version from the same snapshot. */
export interface MessageNow {
  readonly people: Participants;
  readonly message: MessageRecord;
}

/** @returns null when there is no such message */
export async function findMessageNow(
  db: Database,
  conversationId: string,
  messageId: string,
): Promise<MessageNow | null> {
  const [row] = await db.run<Participants & MessageRow>(nowStatement, [conversationId, messageId]);
  return row ? { people: row, message: recordOf(row, row) } : null;
}

/** @param conversationId a UUID @throws AppError 404 for the conversation or the message */
export async function requireMessage(
  db: Database,
  conversationId: string,
  messageId: string,
): Promise<MessageNow> {
  const found = isUuid(messageId) ? await findMessageNow(db, conversationId, messageId) : null;
  if (found !== null) return found;
  await requireConversation(db, conversationId);
  throw messageNotFound();
}

const allNowStatement: Statement = {
  name: 'messages_all_now',
  text: `select ${PARTICIPANTS}, found.* ${FROM_PARTICIPANTS}
    join unnest($1::uuid[], $2::uuid[]) as ref (conversation_id, message_id) on ref.conversation_id = c.id
    join lateral (${selectMessages('(select * from messages where id = ref.message_id and conversation_id = c.id)')}) found on true`,
};

/** Returns messages of several conversations, in no particular order; those that don't exist are left out. */
export async function findMessagesNow(
  db: Database,
  refs: readonly { readonly conversation_id: string; readonly message_id: string }[],
): Promise<MessageNow[]> {
  const rows = await db.run<Participants & MessageRow>(allNowStatement, [
    refs.map(({ conversation_id }) => conversation_id),
    refs.map(({ message_id }) => message_id),
  ]);
  return rows.map((row) => ({ people: row, message: recordOf(row, row) }));
}

const withProductStatement: Statement = {
  name: 'messages_with_product',
  text: `select ${PARTICIPANTS}, found.* ${FROM_PARTICIPANTS}
    join lateral (${selectMessages(`(
      select * from messages where conversation_id = $1 and attachments @> jsonb_build_array(
        jsonb_build_object('product', jsonb_build_object('id', $2::text)))
    )`)}) found on true
    where c.id = $1 order by found.seq`,
};

/** Returns the messages of a conversation that carry a product, oldest first. */
export async function findMessagesWith(
  db: Database,
  conversationId: string,
  productId: string,
): Promise<MessageNow[]> {
  const rows = await db.run<Participants & MessageRow>(withProductStatement, [
    conversationId,
    productId,
  ]);
  return rows.map((row) => ({ people: row, message: recordOf(row, row) }));
}

const byClientIdStatement: Statement = {
  name: 'messages_by_client_id',
  text: 'select id, conversation_id, payload_hash from messages where author_id = $1 and client_message_id = $2',
};

/** Finds the message that an author sent with a client id. */
export async function findByClientId(
  db: Database,
  authorId: string,
  clientMessageId: string,
): Promise<Row<'messages', 'id' | 'conversation_id' | 'payload_hash'> | null> {
  const [row] = await db.run<Row<'messages', 'id' | 'conversation_id' | 'payload_hash'>>(
    byClientIdStatement,
    [authorId, clientMessageId],
  );
  return row ?? null;
}

const stateStatement: Statement = {
  name: 'messages_conversation_state',
  text: `select ${STATE_COLUMNS} from conversations where id = $1`,
};

/** Returns the conversation's current state. */
export async function findState(
  db: Database,
  conversationId: string,
): Promise<ConversationStateRow | null> {
  const [row] = await db.run<ConversationStateRow>(stateStatement, [conversationId]);
  return row ?? null;
}
