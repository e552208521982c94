import { type Database, lacks, type Statement, violates } from '../../db/database.ts';
import type { Lanes } from '../../db/lanes.ts';
import { WEBHOOK_COLUMNS, WEBHOOK_IS_SET } from '../../db/webhook-events.ts';
import { type ConversationStateRow, STATE_COLUMNS } from '../conversations/conversations.store.ts';
import type { StoredAttachment } from '../media/stored-attachment.ts';
import { isoText, PREVIEW_CHARS } from './messages.store.ts';
import { HELD } from './reads.store.ts';

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
  readonly attachments: readonly StoredAttachment[];
  /** What the inbox is to show of it. */
  readonly preview: string;
  /** Of one that nobody writes at this moment; null for all others. */
  readonly unattended: Unattended | null;
}

/** A message of the creator's that nobody writes at this moment: whoever sends it has not read what the fan wrote. */
export interface Unattended {
  /** The `seq` that the conversation's last message must have; null: any. */
  readonly afterSeq: number | null;
}

/** What a stored message did to its conversation. */
export interface StoredMessage extends ConversationStateRow {
  readonly fan_id: string;
  readonly creator_id: string;
  readonly created_at: Date;
  readonly outbox_ids: number[];
  /** The fan's newest message that this one, an answer, marked as read. */
  readonly read_up_to_id: string | null;
  readonly read_up_to_seq: number | null;
  readonly read_at: Date | null;
}

/** Strictly later than every message before it: two within a millisecond would otherwise tie. */
const NEXT_INSTANT = `greatest(date_trunc('milliseconds', clock_timestamp()), last_message_at + interval '1 ms')`;

/** @param where what must hold besides */
const taken = (where: string) => `taken as (
      update uploads set message_id = $2
      where id = any($10::uuid[]) and conversation_id = $1 and owner_id = $3 and message_id is null ${where} returning id
    ),`;
const SEQ_IF_TAKEN = `case when (select count(*) from taken) = cardinality($10::uuid[]) then last_seq end`;
/** Products are locked in one order whatever the message's: two that wait for each other would both fail. */
const OFFERED = `offered as (
      insert into product_sends
        (attachment_id, message_id, conversation_id, fan_id, product_id, admin_id, price_cents, sent_at)
      select (a->>'id')::uuid, m.id, c.id, c.fan_id, (a->'product'->>'id')::uuid, $3, (a->'product'->>'price_cents')::int,
        m.created_at
      from jsonb_array_elements($9::jsonb) a, message m, conversation c where jsonb_typeof(a->'product') = 'object'
      returning product_id
    ), sent_products as (
      select id from products where id in (select product_id from offered) order by id for no key update
    ), counted as (
      update products p set times_sent = p.times_sent + o.n
      from sent_products s join (select product_id, count(*)::int as n from offered group by product_id) o on o.product_id = s.id
      where p.id = s.id
    ),`;
/** For the analytics. What the conversation's row says of the wait is what its lock found, whatever others answered meanwhile. */
const NOTED = `noted as (
      insert into sent_messages (admin_id, sent_at, waited_since)
      select $3, m.created_at, c.answered_since from message m, conversation c
    ),`;
/** The platform hears what the creator read and wrote, in this order. */
const HOOKED = `hooked as (
      insert into webhook_events (${WEBHOOK_COLUMNS})
      select fact.type, c.id, c.id::text, jsonb_build_object('message_id', fact.id)
      from conversation c, (
        select 'message.read' as type, id, 1 as place from last_marked
        union all select 'message.created', id, 2 from message
      ) fact where ${WEBHOOK_IS_SET} order by fact.place
    ),`;
/** Of a conversation that is answered: the fan wrote something that the answer doesn't mark. */
const WAIT_GOES_ON = 'unread_count - marked_unread::int > (select count(*) from marked)';

/**
 * Stores a message in one statement: the conversation's row lock gives it its place, and everything that follows from it
 * is committed with it or not at all. A creator's message is an answer, so that it marks what the fan wrote as read –
 * exactly the messages it marks are taken off the unread count, so that one which arrives meanwhile stays unread. Either
 * side's ends staff's mark of unread; the fan's also ends a snooze.
 *
 * Attachments are a variant: it takes the uploads that they are made of, and notes and counts the products that are offered. Should
 * another message have taken one of the uploads, the message gets no place, which it can't be without: all is undone.
 *
 * One that is sent unattended marks nothing, and may ask for what the conversation's last message is.
 */
const insertStatement = (fromFan: boolean, carries: boolean, isUnattended = false): Statement => ({
  name: `messages_insert_from_${fromFan ? 'fan' : 'creator'}${isUnattended ? '_unattended' : ''}${carries ? '_with_attachments' : ''}`,
  text: `with ${fromFan || isUnattended ? '' : HELD} marked as (
      ${
        fromFan || isUnattended
          ? 'select null::uuid as id, 0 as seq, null::timestamptz as read_at where false'
          : `update messages set read_at = date_trunc('milliseconds', statement_timestamp())
             where conversation_id = $1 and from_fan and read_at is null and exists (select from held)
             returning id, seq, read_at`
      }
    ), conversation as (
      update conversations set
        last_seq = last_seq + 1,
        version = version + 1 + (exists (select 1 from marked))::int,
        last_message_at = ${NEXT_INSTANT},
        first_message_at = coalesce(first_message_at, date_trunc('milliseconds', clock_timestamp())),
        last_message_content = left(${carries ? '$8' : '$6'}, ${PREVIEW_CHARS}),
        marked_unread = false,
        ${
          fromFan
            ? `unread_count = unread_count + 1 - marked_unread::int,
               waiting_since = least(waiting_since, ${NEXT_INSTANT}), snoozed_until = null`
            : `unread_count = unread_count - (select count(*) from marked)::int - marked_unread::int,
               waiting_since = case when ${WAIT_GOES_ON} then waiting_since else 'infinity' end,
               answered_since = case when not (${WAIT_GOES_ON}) then nullif(waiting_since, 'infinity') end`
        }
      where id = $1 ${isUnattended ? isStillLast(carries ? '$11' : '$8') : ''} returning ${STATE_COLUMNS}, fan_id, creator_id, answered_since
    ), ${carries ? taken(isUnattended ? 'and exists (select from conversation)' : '') : ''} message as (
      insert into messages
        (id, conversation_id, seq, from_fan, author_id, client_message_id, payload_hash, content, reply_to_message_id, created_at
        ${carries ? ', attachments' : ''})
      select $2, id, ${carries ? SEQ_IF_TAKEN : 'last_seq'}, ${fromFan}, $3, $4, $5, $6, $7, last_message_at
        ${carries ? ', $9::jsonb' : ''} from conversation
      returning id, created_at
    ), ${carries && !fromFan ? OFFERED : ''} ${fromFan ? '' : NOTED} last_marked as (
      select id, seq, read_at from marked order by seq desc limit 1
    ), ${fromFan ? '' : HOOKED} queued as (
      insert into outbox (event, payload)
      select 'message_read', jsonb_build_object(
        'conversation_id', c.id, 'read_at', ${isoText('m.read_at')}, 'up_to_message_id', m.id, 'up_to_seq', m.seq,
        'unread_count', c.unread_count, 'version', c.version - 1) from conversation c, last_marked m
      union all
      select 'new_message', jsonb_build_object('conversation_id', $1::uuid, 'message_id', id, 'tempId', ${fromFan ? 'null' : '$4::text'},
        'client_id', ${fromFan ? '$4::text' : 'null'})
      from message
      returning id
    )
    select conversation.*, message.created_at, (select array_agg(id) from queued) as outbox_ids,
      last_marked.id as read_up_to_id, last_marked.seq as read_up_to_seq, last_marked.read_at
    from conversation cross join message left join last_marked on true`,
});

const isStillLast = (seq: string) => `and (${seq}::int is null or last_seq = ${seq}::int)`;

/** Without attachments. */
export const insertText = {
  fan: insertStatement(true, false),
  creator: insertStatement(false, false),
  unattended: insertStatement(false, false, true),
};
const insertWithAttachments = {
  fan: insertStatement(true, true),
  creator: insertStatement(false, true),
  unattended: insertStatement(false, true, true),
};

/**
 * @returns the conversation as the message left it; `repeated` when the author used the id before, `taken` when another
 * message has one of the uploads, and then nothing changed; null for an unknown conversation, or one that has gone on
 */
export async function insertMessage(
  db: Database,
  lanes: Lanes,
  message: NewMessage,
): Promise<StoredMessage | 'repeated' | 'taken' | null> {
  const carries = message.attachments.length > 0;
  const statements = carries ? insertWithAttachments : insertText;
  const uploads = message.attachments.filter((attachment) => attachment.product === null);
  try {
    const { unattended } = message;
    const sender = unattended === null ? 'creator' : 'unattended';
    const statement = statements[message.fromFan ? 'fan' : sender];
    const last = unattended === null ? [] : [unattended.afterSeq];
    const values = [
      message.conversationId,
      message.id,
      message.authorId,
      message.clientMessageId,
      message.payloadHash,
      message.content,
      message.replyToMessageId,
    ];
    // Products are locked in one order by each message, not by several in one transaction.
    const rows = carries
      ? await db.run<StoredMessage>(statement, [
          ...values,
          message.preview,
          JSON.stringify(message.attachments),
          uploads.map(({ id }) => id),
          ...last,
        ])
      : await lanes.run<StoredMessage>(message.conversationId, {
          statement,
          values: [...values, ...last],
        });
    return rows[0] ?? null;
  } catch (error) {
    // The constraint, not a look-up before, is what keeps two at once apart; the failed statement left nothing.
    if (violates(error, 'messages_client_message_id_key')) return 'repeated';
    if (lacks(error, 'messages', 'seq')) return 'taken';
    throw error;
  }
}
