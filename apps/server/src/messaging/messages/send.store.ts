import type { ConversationQueues } from '../../db/conversation-queues.ts';
import { type Database, lacks, type Statement, violates } from '../../db/database.ts';
import { isoText } from '../../db/iso-text.ts';
import type { Call } from '../../db/together.ts';
import { WEBHOOK_COLUMNS, WEBHOOK_IS_SET } from '../../db/webhook-events.ts';
import {
  type ConversationStateRow,
  STATE_COLUMNS,
} from '../../inbox/conversations/conversations.store.ts';
import type { StoredAttachment } from '../../media/stored-attachment.ts';
import { PREVIEW_CHARS } from './messages.store.ts';

/** A message to be stored. */
export interface NewMessage {
  /** A UUID. */
  readonly id: string;
  readonly conversationId: string;
  readonly fromFan: boolean;
  /** The fan, or the admin who writes as the creator. */
  readonly authorId: string;
  /** The author's own id for the message. */
  readonly clientMessageId: string;
  /** Distinguishes a retry from another message sent under the same id. */
  readonly payloadHash: Buffer;
  readonly content: string;
  readonly replyToMessageId: string | null;
  readonly attachments: readonly StoredAttachment[];
  /** The inbox preview of the message. */
  readonly preview: string;
  /** The newest message the admin had seen; {@link NOTHING_SEEN}; undefined: send even if teammates wrote since. */
  readonly seenId: string | undefined;
  /** Null unless a job sends the message. */
  readonly unattended: Unattended | null;
}

/** A creator's message that a job sends: nobody may have read the fan's latest messages. */
export interface Unattended {
  /** The `seq` that the conversation's last message must have; null: any. */
  readonly afterSeq: number | null;
}

/** Stands for the newest seen message where there is none or it is unknown. */
export const NOTHING_SEEN = '00000000-0000-0000-0000-000000000000';

/** A stored message's effect on its conversation. */
export interface StoredMessage extends ConversationStateRow {
  readonly fan_id: string;
  readonly creator_id: string;
  readonly created_at: Date;
  readonly outbox_ids: number[];
  /** The fan's newest message that this reply marked as read. */
  readonly read_up_to_id: string | null;
  readonly read_up_to_seq: number | null;
  readonly read_at: Date | null;
  /** The outbox id of the event for a claim made by the message, one version after it; null: no claim. */
  readonly claim_outbox_id: number | null;
}

/** Strictly later than every earlier message, so that two within a millisecond don't tie. */
const NEXT_INSTANT = `greatest(date_trunc('milliseconds', clock_timestamp()), last_message_at + interval '1 ms')`;

/** @param where a further condition */
const taken = (where: string) => `taken as (
      update uploads set message_id = $2
      where id = any($10::uuid[]) and conversation_id = $1 and owner_id = $3 and message_id is null ${where} returning id
    ),`;
/** Paid offers of products the fan owns, and free ones of products they don't: the message is not stored. */
const MISOFFERED = `misoffered as (
      select from jsonb_array_elements($9::jsonb) a join conversations c on c.id = $1
      where jsonb_typeof(a->'product') = 'object' and (a->'product'->>'price_cents' is null) <> exists (
        select from owned_products o where o.fan_id = c.fan_id and o.product_id = (a->'product'->>'id')::uuid
      )
    ),`;
const NOT_MISOFFERED = 'and not exists (select from misoffered)';
const SEQ_IF_TAKEN = `case when (select count(*) from taken) = cardinality($10::uuid[]) then last_seq end`;
const OFFERED = `offered as (
      insert into product_sends
        (attachment_id, message_id, conversation_id, fan_id, product_id, admin_id, price_cents, sent_at)
      select (a->>'id')::uuid, m.id, c.id, c.fan_id, (a->'product'->>'id')::uuid, $3, (a->'product'->>'price_cents')::int,
        m.created_at
      from jsonb_array_elements($9::jsonb) a, message m, conversation c where a->'product'->>'price_cents' is not null
      returning product_id
    ), counted as (
      update products p set times_sent = p.times_sent + o.n
      from (select product_id, count(*)::int as n from offered group by product_id) o where p.id = o.product_id
    ),`;
/** For the analytics. `answered_since` comes from the locked row, so concurrent replies count the wait once. */
const NOTED = `noted as (
      insert into sent_messages (admin_id, sent_at, waited_since)
      select $3, m.created_at, c.answered_since from message m, conversation c
    ),`;
/** Queues webhooks for what the creator read and wrote, in this order. */
const HOOKED = `hooked as (
      insert into webhook_events (${WEBHOOK_COLUMNS})
      select fact.type, c.id, c.id::text, jsonb_build_object('message_id', fact.id)
      from conversation c, (
        select 'message.read' as type, id, 1 as place from last_marked
        union all select 'message.created', id, 2 from message
      ) fact where ${WEBHOOK_IS_SET} order by fact.place
    ),`;
/**
 * Locks the conversation's row before any check, so that `last_staff_id` includes teammates who sent at the same moment.
 * Messages are also looked up in `messages`, because an older version of the server doesn't set `last_staff_id`.
 * `for share` makes the claim wait for a concurrent removal of the admin.
 * @param seen the parameter for the newest message the admin had seen
 */
const weighed = (seen: string) => `held as materialized (
      select claimed_by, last_staff_id, last_staff_seq, other_staff_seq from conversations where id = $1 for no key update
    ), seen as (
      select coalesce((select seq from messages where conversation_id = $1 and id = ${seen}::uuid), 0) as seq
    ), overtaken as (
      select from held, seen where ${seen}::uuid is not null and (
        case when last_staff_id = $3 then other_staff_seq else last_staff_seq end > seen.seq
        or exists (
          select from messages m
          where m.conversation_id = $1 and m.seq > seen.seq and not m.from_fan and m.author_id <> $3
        ))
    ), claiming as (
      select a.id from held, team_settings s, admins a
      where held.claimed_by is null and s.claim_on_first_reply and a.id = $3 and a.is_active for share of a
    ),`;
const NOT_OVERTAKEN = 'and not exists (select from overtaken)';
/** The fan wrote something that this reply doesn't mark as read. */
const WAIT_GOES_ON = 'unread_count - marked_unread::int > (select count(*) from marked)';

/** 1 if the message claims the conversation, else 0. */
const CLAIMED = '(exists (select from claiming))::int';
const WROTE_LAST = `
               other_staff_seq = case when last_staff_id is distinct from $3 then last_staff_seq else other_staff_seq end,
               last_staff_id = $3, last_staff_seq = last_seq + 1`;
const CLAIM = `
               claim_active_at = case when claimed_by = $3 then clock_timestamp() else claim_active_at end,
               claimed_by = coalesce((select id from claiming), claimed_by)`;
const REOPENED = `status = case
               when status = 'archived' and (select reopen_on_fan_message from team_settings) then 'active' else status end`;
const CLAIM_EVENT = `union all
      select 'conversation_updated', jsonb_build_object('conversation_id', c.id) from conversation c, claiming`;

/** @param seq the parameter for the `seq` that the last message must have */
const isStillLast = (seq: string) => `and (${seq}::int is null or last_seq = ${seq}::int)`;

/** The sender: the fan, an admin who has the conversation open, or a job. */
type Sender = 'fan' | 'creator' | 'unattended';

/**
 * Stores a message in one statement: the conversation's row lock determines its `seq`, and all its effects are committed with it
 * or not at all. A creator's message is a reply, so it marks the fan's messages as read. The unread count drops by exactly the
 * messages it marks, so one that arrives meanwhile stays unread. A message of either side removes staff's unread mark; the fan's
 * also ends a snooze.
 *
 * The variant for attachments takes their uploads, and records and counts the products offered. If another message has taken one
 * of the uploads, `seq` becomes null, which violates its constraint and undoes everything.
 *
 * An unattended message marks and claims nothing, and may require a certain last message.
 */
function insertStatement(sender: Sender, carries: boolean): Statement {
  const fromFan = sender === 'fan';
  const attends = sender === 'creator';
  /** The newest message the admin had seen, or the `seq` that the last message must have. */
  const last = carries ? '$11' : '$8';
  const owned = carries && !fromFan ? NOT_MISOFFERED : '';
  const may = `${{ fan: '', creator: NOT_OVERTAKEN, unattended: isStillLast(last) }[sender]} ${owned}`;
  // Takes uploads only if the message itself is stored.
  const mayTake = {
    fan: '',
    creator: 'and exists (select from conversation)',
    unattended: 'and exists (select from conversation)',
  }[sender];
  return {
    name: `messages_insert_from_${sender}${carries ? '_with_attachments' : ''}`,
    text: `with ${attends ? weighed(last) : ''} ${carries && !fromFan ? MISOFFERED : ''} marked as (
      ${
        attends
          ? `update messages set read_at = date_trunc('milliseconds', statement_timestamp())
             where conversation_id = $1 and from_fan and read_at is null and exists (select from held) ${NOT_OVERTAKEN} ${owned}
             returning id, seq, read_at`
          : 'select null::uuid as id, 0 as seq, null::timestamptz as read_at where false'
      }
    ), conversation as (
      update conversations set
        last_seq = last_seq + 1,
        version = version + 1 + (exists (select 1 from marked))::int${attends ? ` + ${CLAIMED}` : ''},
        last_message_at = ${NEXT_INSTANT},
        first_message_at = coalesce(first_message_at, date_trunc('milliseconds', clock_timestamp())),
        last_message_content = left(${carries ? '$8' : '$6'}, ${PREVIEW_CHARS}),
        marked_unread = false,
        ${
          fromFan
            ? `unread_count = unread_count + 1 - marked_unread::int,
               waiting_since = least(waiting_since, ${NEXT_INSTANT}), snoozed_until = null, ${REOPENED}`
            : `unread_count = unread_count - (select count(*) from marked)::int - marked_unread::int,
               waiting_since = case when ${WAIT_GOES_ON} then waiting_since else 'infinity' end,
               answered_since = case when not (${WAIT_GOES_ON}) then nullif(waiting_since, 'infinity') end,
               ${attends ? `${WROTE_LAST}, ${CLAIM}` : WROTE_LAST}`
        }
      where id = $1 ${may} returning ${STATE_COLUMNS}, fan_id, creator_id, answered_since
    ), ${carries ? taken(mayTake) : ''} message as (
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
        'unread_count', c.unread_count, 'version', c.version - 1${attends ? ` - ${CLAIMED}` : ''}) from conversation c, last_marked m
      union all
      select 'new_message', jsonb_build_object('conversation_id', $1::uuid, 'message_id', id, 'tempId', ${fromFan ? 'null' : '$4::text'},
        'client_id', ${fromFan ? '$4::text' : 'null'})
      from message
      ${attends ? CLAIM_EVENT : ''}
      returning id, event
    )
    select conversation.*, message.created_at, last_marked.id as read_up_to_id, last_marked.seq as read_up_to_seq,
      last_marked.read_at, (select array_agg(id) from queued where event <> 'conversation_updated') as outbox_ids,
      (select id from queued where event = 'conversation_updated') as claim_outbox_id,
      ${attends ? 'exists (select from overtaken)' : 'false'} as overtaken,
      ${owned ? 'exists (select from misoffered)' : 'false'} as misoffered
    from (values (1)) as one left join (conversation cross join message) on true left join last_marked on true`,
  };
}

/** The statements for messages without attachments. */
export const insertText = {
  fan: insertStatement('fan', false),
  creator: insertStatement('creator', false),
  unattended: insertStatement('unattended', false),
};
const insertWithAttachments = {
  fan: insertStatement('fan', true),
  creator: insertStatement('creator', true),
  unattended: insertStatement('unattended', true),
};

/** The statement's row; without an id if nothing was stored. */
type Outcome = Partial<StoredMessage> & {
  readonly overtaken: boolean;
  readonly misoffered: boolean;
};

/** Taken before a message with products, so that the ownership check sees the result of concurrent purchases and refunds. */
const lockConversation: Statement = {
  name: 'messages_lock_conversation',
  text: 'select from conversations where id = $1 for no key update',
};

/** In id order, whatever the order in the message, to avoid deadlocks. */
const lockProducts: Statement = {
  name: 'messages_lock_products',
  text: 'select from products where id = any($1::uuid[]) order by id for no key update',
};

/**
 * @returns the conversation after the message; null for an unknown conversation, or one that has moved on. If nothing was stored:
 * `repeated` when the author used the id before, `taken` when another message has one of the uploads, `overtaken` when a teammate
 * wrote after the newest message the admin saw, `misoffered` for a paid offer of a
 * product the fan owns, or a free one of a product they don't own
 */
export async function insertMessage(
  db: Database,
  queues: ConversationQueues,
  message: NewMessage,
): Promise<StoredMessage | 'repeated' | 'taken' | 'overtaken' | 'misoffered' | null> {
  const carries = message.attachments.length > 0;
  const statements = carries ? insertWithAttachments : insertText;
  const uploads = message.attachments.filter((attachment) => attachment.product === null);
  try {
    const { unattended } = message;
    const sender = message.fromFan ? 'fan' : unattended === null ? 'creator' : 'unattended';
    const statement = statements[sender];
    const last = {
      fan: [],
      creator: [message.seenId ?? null],
      unattended: [unattended?.afterSeq ?? null],
    }[sender];
    const values = [
      message.conversationId,
      message.id,
      message.authorId,
      message.clientMessageId,
      message.payloadHash,
      message.content,
      message.replyToMessageId,
    ];
    // Messages with attachments skip the queue, which batches several messages into one transaction: each locks its products in
    // order.
    const rows = carries
      ? await runWithAttachments(db, message, {
          statement,
          values: [
            ...values,
            message.preview,
            JSON.stringify(message.attachments),
            uploads.map(({ id }) => id),
            ...last,
          ],
        })
      : await queues.run<Outcome>(message.conversationId, {
          statement,
          values: [...values, ...last],
        });
    const [outcome] = rows;
    if (outcome?.overtaken) return 'overtaken';
    if (outcome?.misoffered) return 'misoffered';
    return outcome?.id == null ? null : (outcome as StoredMessage);
  } catch (error) {
    // The constraint decides between two concurrent sends, not a lookup; the failed statement left nothing behind.
    if (violates(error, 'messages_client_message_id_key')) return 'repeated';
    if (lacks(error, 'messages', 'seq')) return 'taken';
    throw error;
  }
}

async function runWithAttachments(
  db: Database,
  { conversationId, attachments }: NewMessage,
  call: Call,
): Promise<Outcome[]> {
  const products = attachments.flatMap(({ product }) => product?.id ?? []);
  if (products.length === 0) return db.run<Outcome>(call.statement, call.values);
  const locks: Call[] = [
    { statement: lockConversation, values: [conversationId] },
    { statement: lockProducts, values: [products] },
  ];
  const [, , rows = []] = await db.runTogether<Outcome>([...locks, call]);
  return rows;
}
