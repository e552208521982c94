import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { ADVISORY_LOCKS } from '../../db/advisory-locks.ts';
import type { ConversationQueues } from '../../db/conversation-queues.ts';
import { type Database, type Statement, violates } from '../../db/database.ts';
import {
  type ConversationStateRow,
  STATE_COLUMNS,
} from '../../inbox/conversations/conversations.store.ts';
import type { StoredAttachment } from '../../media/stored-attachment.ts';
import { PREVIEW_CHARS } from './messages.store.ts';

export interface NewMessage {
  /** A UUID. */
  readonly id: string;
  readonly conversationId: string;
  readonly fromFan: boolean;
  /** The fan, or the admin who writes as the creator. */
  readonly authorId: string;
  /** The id that the author's client chose for the message. */
  readonly clientMessageId: string;
  /** Distinguishes a retry from another message sent with the same id. */
  readonly payloadHash: Buffer;
  readonly content: string;
  readonly replyToMessageId: string | null;
  readonly attachments: readonly StoredAttachment[];
  readonly preview: string;
  /** The newest message the admin had seen, or {@link NOTHING_SEEN}; undefined to send even if teammates wrote since. */
  readonly seenId: string | undefined;
  /** Null unless a job sends the message. */
  readonly unattended: Unattended | null;
}

/** Set for a creator's message that a job sends. Staff may not have read the fan's latest messages. */
export interface Unattended {
  /** Any message after this `seq`, except mass and unsent messages, prevents the send; null to send in any case. */
  readonly afterSeq: number | null;
}

/** The `seenId` of an admin who has seen no message, or whose newest seen message is unknown. */
export const NOTHING_SEEN = '00000000-0000-0000-0000-000000000000';

/** A stored message's effect on its conversation. */
export interface StoredMessage extends ConversationStateRow {
  readonly fan_id: string;
  readonly creator_id: string;
  readonly outbox_ids: number[];
  /** The fan's newest message that this reply marked as read. */
  readonly last_read_id: string | null;
  readonly last_read_seq: number | null;
  readonly last_read_at: Date | null;
  /** If the message claimed the conversation, the outbox id of the claim's event, which has the next version; otherwise null. */
  readonly claim_outbox_id: number | null;
}

const SOURCE = readFileSync(new URL('./send.sql', import.meta.url), 'utf8');

/** Contains a hash of the function, so that two server versions on the same database don't replace each other's function. */
const FUNCTION = `send_message_${createHash('sha256').update(SOURCE).digest('hex').slice(0, 12)}`;

/** Creates the function of `send.sql` in the database. Must have run before the first message. */
export async function createSendFunction({ kysely }: Database): Promise<void> {
  await kysely.transaction().execute(async (tx) => {
    // PostgreSQL raises an error if two transactions replace a function at the same time.
    await sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.sendFunction})`.execute(tx);
    await sql.raw(SOURCE.replace('send_message', FUNCTION)).execute(tx);
  });
}

/** Calls the function of `send.sql`, with its parameters in order. */
export const sendStatement: Statement = {
  name: 'messages_send',
  text: `select ${STATE_COLUMNS}, fan_id, creator_id, outcome, outbox_ids, claim_outbox_id,
      last_read_id, last_read_seq, last_read_at
    from ${FUNCTION}($1, $2, $3, $4, $5, $6, $7, $8, $9, left($10, ${PREVIEW_CHARS}), $11, $12, $13) sent,
      lateral (select (sent.conversation).*) stored`,
};

type Refusal = 'repeated' | 'taken' | 'teammate_replied' | 'misoffered';

/**
 * Stores a message with all its effects, or changes nothing.
 * @returns the conversation after the message; null for an unknown conversation, or if there is a message after `afterSeq`;
 * `repeated` if the author used the id before; `taken` if another message has one of the uploads; `teammate_replied` if a teammate
 * wrote after the newest message that the admin saw; `misoffered` if the fan owns a product offered for sale, or doesn't own a
 * free one
 */
export async function insertMessage(
  db: Database,
  queues: ConversationQueues,
  message: NewMessage,
): Promise<StoredMessage | Refusal | null> {
  const { conversationId, attachments, unattended } = message;
  const sender = message.fromFan ? 'fan' : unattended === null ? 'admin' : 'job';
  const values = [
    message.id,
    conversationId,
    sender,
    message.authorId,
    message.clientMessageId,
    message.payloadHash,
    message.content,
    message.replyToMessageId,
    JSON.stringify(attachments),
    message.preview,
    message.seenId ?? null,
    unattended?.afterSeq ?? null,
  ];
  type Row = StoredMessage & { readonly outcome: 'stored' | Refusal | null };
  try {
    // The queue stores several messages in one transaction. Messages with attachments skip it, because each locks its products.
    const [row] =
      attachments.length > 0
        ? await db.run<Row>(sendStatement, [...values, true])
        : await queues.run<Row>(conversationId, (waits) => ({
            statement: sendStatement,
            values: [...values, waits],
          }));
    return row?.outcome === 'stored' ? row : (row?.outcome ?? null);
  } catch (error) {
    // A constraint, not a lookup, decides between two concurrent sends. The failed statement changed nothing.
    if (violates(error, 'messages_client_message_id_key')) return 'repeated';
    if (violates(error, 'uploads_taken')) return 'taken';
    throw error;
  }
}
