import type { StaffMember } from '@stagedoor/contract/team/staff';
import { sql } from 'kysely';
import { writeAudit } from '../../db/audit.ts';
import {
  changeConversations,
  lockConversations,
  QUEUED_EVENT,
  type QueuedEvent,
} from '../../db/change-conversation.ts';
import { type Database, runIn } from '../../db/database.ts';
import type { Row, Tx } from '../../db/tables.ts';
import { insertWebhooks } from '../../db/webhook-events.ts';
import { deleteTallies } from '../../fans/fan-facts/message-tallies.store.ts';
import { deleteUploadsOf } from '../../media/uploads.store.ts';
import { lockCampaign } from '../../selling/campaigns/campaigns.store.ts';
import { settleUnsent } from '../../selling/campaigns/unsend-batch.store.ts';
import { countOffers, lockProducts } from '../../selling/products/products.store.ts';
import { previewOf } from './outgoing-attachments.ts';

type UnsentMessage = Row<'messages', 'id' | 'conversation_id' | 'seq' | 'created_at'> & {
  readonly unsent_at: Date;
};

/**
 * Unsends messages of the creator, except those that the fans have read or bought. The rows stay, without content, reactions,
 * files and offers. Unsent mass messages no longer count toward the daily cap. The caller locks the conversations, as reads and
 * purchases do, and increments their versions.
 * @param ids UUIDs, at most one per conversation
 */
export async function unsendMessages(
  tx: Tx,
  adminId: string,
  ids: readonly string[],
): Promise<UnsentMessage[]> {
  const unsent = await runIn<UnsentMessage>(
    tx,
    `with unsent as (
      update messages m set content = '', attachments = '[]', reply_to_message_id = null, unsent_by = $2,
        unsent_at = date_trunc('milliseconds', clock_timestamp()),
        -- An unsent message must not count as unread.
        read_at = date_trunc('milliseconds', clock_timestamp())
      where id = any($1::uuid[]) and not from_fan and read_at is null and unsent_at is null
        and not exists (select from purchases p where p.message_id = m.id)
      returning id, conversation_id, seq, created_at, unsent_at, campaign_id
    ), reacted as (
      delete from reactions where message_id in (select id from unsent)
    ), webhooks as (
      ${insertWebhooks('message.deleted', 'u.conversation_id', `jsonb_build_object('message_id', u.id, 'mass', u.campaign_id is not null)`, 'unsent u')}
    ), uncounted as (
      -- The day's count covers the newest mass messages: it includes this one only if fewer newer ones exist.
      update conversations c set mass_messages_on_day = mass_messages_on_day - 1 from unsent u
      where c.id = u.conversation_id and u.campaign_id is not null and mass_messages_on_day > (
        select count(*) from messages m where m.conversation_id = u.conversation_id and m.seq > u.seq
          and m.campaign_id is not null and m.unsent_at is null)
    ) select id, conversation_id, seq, created_at, unsent_at from unsent`,
    [ids, adminId],
  );
  if (unsent.length === 0) return [];
  const offers = await runIn<Row<'product_sends', 'product_id'>>(
    tx,
    'delete from product_sends where message_id = any($1::uuid[]) returning product_id',
    [unsent.map(({ id }) => id)],
  );
  await deleteUploadsOf(tx, unsent);
  const changed = unsent.map(({ conversation_id }) => conversation_id);
  await deleteTallies(tx, changed);
  const counts = new Map<string, number>();
  for (const { product_id } of offers) counts.set(product_id, (counts.get(product_id) ?? 0) - 1);
  await lockProducts(tx, [...counts.keys()]);
  await countOffers(tx, counts);
  return unsent;
}

/** A conversation's fields that depend on which messages it has. */
type Shown = Row<
  'conversations',
  | 'last_message_content'
  | 'last_staff_id'
  | 'last_staff_seq'
  | 'waiting_since'
  | 'creator_wrote_at'
  | 'last_seq'
>;

/** Returns a locked conversation's fields after one of its messages was unsent. */
async function shownWithout(tx: Tx, unsent: UnsentMessage, isMass: boolean): Promise<Shown> {
  const left =
    'from messages where conversation_id = c.id and campaign_id is null and unsent_at is null';
  const [row] = await runIn<
    Shown & {
      readonly newest: Row<
        'messages',
        'seq' | 'from_fan' | 'author_id' | 'content' | 'attachments'
      > | null;
      readonly reply_seq: number | null;
      readonly replied_at: Date | null;
      readonly asked_at: Date | null;
    }
  >(
    tx,
    `select c.last_seq, c.last_message_content, c.last_staff_id, c.last_staff_seq, c.waiting_since, c.creator_wrote_at,
      to_jsonb(newest) as newest, reply.seq as reply_seq,
      reply.created_at as replied_at, asked.created_at as asked_at
    from conversations c
    left join lateral (select seq, from_fan, author_id, content, attachments ${left} order by seq desc limit 1) newest on true
    left join lateral (select seq, author_id, created_at ${left} and not from_fan order by seq desc limit 1) reply on true
    left join lateral (
      select created_at ${left} and from_fan and seq > coalesce(reply.seq, 0) order by seq limit 1
    ) asked on true
    where c.id = $1`,
    [unsent.conversation_id],
  );
  if (row === undefined) throw new Error('no row returned');
  const { newest, reply_seq, replied_at, asked_at, ...shown } = row;
  if (isMass) return shown;
  const wasLast = unsent.seq > (newest?.seq ?? 0);
  return {
    ...shown,
    ...(wasLast && {
      last_message_content: newest && previewOf(newest.content, newest.attachments),
      ...(newest?.from_fan === false
        ? { last_staff_id: newest.author_id, last_staff_seq: shown.last_seq }
        : { last_staff_seq: reply_seq }),
    }),
    // If the reply was unsent, the fan has been waiting since their first message after the previous reply.
    waiting_since:
      asked_at !== null && asked_at.getTime() < Number(shown.waiting_since)
        ? asked_at
        : shown.waiting_since,
    creator_wrote_at: replied_at ?? new Date(0),
  };
}

/** Why a message can't be unsent. */
export type UnsendRefusal = 'not_found' | 'not_author' | 'read' | 'purchased' | 'unsent';

/**
 * Unsends one message, with its audit row and its event.
 * @param mayUnsendAny whether the admin may unsend the messages of others @param messageId a UUID
 */
export function unsendMessage(
  db: Database,
  admin: StaffMember,
  mayUnsendAny: boolean,
  messageId: string,
): Promise<QueuedEvent<'message_unsent'> | UnsendRefusal> {
  return db.kysely.transaction().execute(async (tx) => {
    const [target] = await runIn<
      Row<'messages', 'conversation_id' | 'campaign_id' | 'author_id' | 'from_fan'>
    >(tx, 'select conversation_id, campaign_id, author_id, from_fan from messages where id = $1', [
      messageId,
    ]);
    if (target === undefined || target.from_fan) return 'not_found';
    const { conversation_id, campaign_id, author_id } = target;
    if (author_id !== admin.id && !mayUnsendAny) return 'not_author';
    if (campaign_id !== null) await lockCampaign(tx, campaign_id);
    await lockConversations(tx, sql`id = ${conversation_id}`);
    const [unsent] = await unsendMessages(tx, admin.id, [messageId]);
    if (unsent === undefined) return refusalOf(tx, messageId);
    if (campaign_id !== null) await settleUnsent(tx, campaign_id, [conversation_id]);
    const after = await shownWithout(tx, unsent, campaign_id !== null);
    const { last_message_content, waiting_since } = after;
    const fields = {
      message_id: messageId,
      seq: unsent.seq,
      unsent: { at: unsent.unsent_at.toISOString(), by: admin },
      last_message_content,
      last_message_by: after.last_staff_seq === after.last_seq ? after.last_staff_id : null,
      waiting_since: waiting_since instanceof Date ? waiting_since.toISOString() : null,
    };
    const [changed] = await changeConversations<QueuedEvent<'message_unsent'>>(
      tx,
      [
        [conversation_id],
        JSON.stringify(fields),
        last_message_content,
        after.last_staff_id,
        after.last_staff_seq,
        fields.waiting_since ?? 'infinity',
        after.creator_wrote_at,
      ],
      {
        set: `last_message_content = $3, last_staff_id = $4, last_staff_seq = $5, waiting_since = $6, creator_wrote_at = $7`,
        event: 'message_unsent',
        payload: '$2::jsonb',
        select: QUEUED_EVENT,
      },
    );
    if (changed === undefined) throw new Error('no row returned');
    await writeAudit(tx, {
      adminId: admin.id,
      action: 'conversation.unsend',
      targetId: conversation_id,
      details: { message_id: messageId, ...(author_id !== admin.id && { author_id }) },
    });
    return changed;
  });
}

/** Returns why a message was not unsent. */
async function refusalOf(tx: Tx, messageId: string): Promise<UnsendRefusal> {
  const [row] = await runIn<{ unsent: boolean; purchased: boolean }>(
    tx,
    `select unsent_at is not null as unsent, exists (select from purchases p where p.message_id = m.id) as purchased
    from messages m where id = $1`,
    [messageId],
  );
  if (row === undefined) return 'not_found';
  if (row.unsent) return 'unsent';
  return row.purchased ? 'purchased' : 'read';
}
