import type { ServerEvent } from '@stagedoor/contract/realtime';
import { runIn } from '../../db/database.ts';
import { insertEvents } from '../../db/outbox-events.ts';
import { collectValues } from '../../db/searches.ts';
import type { Row, Tx } from '../../db/tables.ts';
import { insertWebhooks } from '../../db/webhook-events.ts';
import { countOffers, lockProducts } from '../products/products.store.ts';
import { compileCampaign, type Delivery, productsOf } from './campaign-sql.ts';

/** The outcome for the recipients in a batch. */
export interface Batch {
  /** The conversations that got the message. */
  readonly sent: readonly string[];
  /** The number of recipients examined; 0: none is due, or all are locked by others. */
  readonly picked: number;
  /** How many were sent and skipped, by variant. */
  readonly counts: readonly {
    readonly variant: number;
    readonly sent: number;
    readonly skipped: number;
  }[];
}

interface Decided {
  readonly id: string;
  readonly variant: number;
  readonly reason: string | null;
  /** Whether the recipient waits for their quiet hours to end. */
  readonly waits: boolean;
}

/**
 * Decides for up to `size` due recipients of a locked campaign whether they get the message, and stores the messages. A
 * recipient's row and message commit together. Everything that excludes a fan is checked after their conversation is locked, so
 * nothing can change until the commit. Conversations that others have locked are left for the next batch.
 *
 * A mass message doesn't affect the inbox: it only takes the conversation's next `seq` and `version`.
 * @param author the admin who started the campaign
 */
export async function sendBatch(
  tx: Tx,
  delivery: Delivery,
  author: string,
  size: number,
): Promise<Batch> {
  const picked = await runIn<Row<'campaign_recipients', 'conversation_id' | 'fan_id'>>(
    tx,
    `select conversation_id, fan_id from campaign_recipients
    where campaign_id = $1 and state = 'pending' and due_at <= now() order by due_at limit $2`,
    [delivery.id, size],
  );
  const wanted = picked.map(({ conversation_id }) => conversation_id);
  if (wanted.length === 0) return { sent: [], picked: 0, counts: [] };
  const locked = await runIn<{ id: string }>(
    tx,
    `select id from conversations where id = any($1::uuid[]) order by id for no key update skip locked`,
    [wanted],
  );
  const ids = locked.map(({ id }) => id);
  const decided: Decided[] = [];
  if (ids.length < wanted.length) {
    const fans = picked.map(({ fan_id }) => fan_id);
    decided.push(...(await skipErased(tx, delivery.id, fans)));
  }
  if (ids.length > 0) {
    // Lock the products before the statement that changes them, to avoid deadlocks.
    await lockProducts(tx, productsOf(delivery.variants));
    const others = await storeBatch(tx, delivery, author, ids);
    decided.push(...others);
    const counts = countSent(others);
    await countOffers(tx, offersOf(delivery, counts));
  }
  return {
    sent: decided.filter(isSent).map(({ id }) => id),
    picked: decided.length,
    counts: countSent(decided),
  };
}

const isSent = ({ reason, waits }: Decided) => reason === null && !waits;

function countSent(decided: readonly Decided[]): Batch['counts'] {
  return [0, 1].map((variant) => {
    const own = decided.filter((each) => each.variant === variant);
    return {
      variant,
      sent: own.filter(isSent).length,
      skipped: own.filter(({ reason }) => reason !== null).length,
    };
  });
}

/** Returns how often each product was offered. */
function offersOf({ variants }: Delivery, counts: Batch['counts']): Map<string, number> {
  const offers = new Map<string, number>();
  for (const [index, { attachments }] of variants.entries()) {
    const sent = counts[index]?.sent ?? 0;
    for (const { product } of attachments)
      if (product !== null && sent > 0)
        offers.set(product.id, (offers.get(product.id) ?? 0) + sent);
  }
  return offers;
}

/** Skips recipients whose fan was erased after the audience was stored. @param fans of pending recipients */
const skipErased = (tx: Tx, campaignId: string, fans: readonly string[]) =>
  runIn<Decided>(
    tx,
    // No condition on `state`: with one, PostgreSQL may read all pending recipients instead of looking up each by key.
    `update campaign_recipients r set state = 'skipped', reason = 'erased'
    where campaign_id = $1 and fan_id = any($2::uuid[])
      and not exists (select from conversations c where c.id = r.conversation_id)
    returning conversation_id as id, variant, reason, false as waits`,
    [campaignId, fans],
  );

function storeBatch(
  tx: Tx,
  delivery: Delivery,
  author: string,
  conversations: readonly string[],
): Promise<Decided[]> {
  const { values, add } = collectValues();
  const campaign = compileCampaign(delivery, add);
  const id = `${add(delivery.id)}::uuid`;
  const admin = `${add(author)}::uuid`;
  const text = `
    with decided as materialized (
      select c.id, c.fan_id, c.version, c.last_seq + 1 as seq, r.variant, ${campaign.reason('r.variant')} as reason,
        ${campaign.quietUntil()} as quiet_until, ${campaign.today()} + 1 as today, ${campaign.content('r.variant')} as content,
        ${campaign.attachments('r.variant')} as attachments, new_id() as message_id,
        greatest(date_trunc('milliseconds', clock_timestamp()), c.last_message_at + interval '1 ms',
          c.mass_message_at + interval '1 ms') as at
      from conversations c
      -- 'offset 0' makes the planner look up each recipient by key. Until the table is analyzed after storing the audience, it
      -- would read all pending recipients instead.
      cross join lateral (
        select variant, state from campaign_recipients where campaign_id = ${id} and fan_id = c.fan_id offset 0
      ) r
      join fans f on f.id = c.fan_id ${campaign.joins}
      where c.id = any(${add(conversations)}::uuid[]) and r.state = 'pending'
    ), sent as (
      select * from decided where reason is null and quiet_until is null
    ), stored as (
      insert into messages (id, conversation_id, seq, from_fan, author_id, client_message_id, payload_hash, content,
        attachments, created_at, campaign_id)
      select message_id, id, seq, false, ${admin}, 'campaign ' || ${id} || ' ' || fan_id, sha256(convert_to(content, 'UTF8')),
        content, attachments, at, ${id} from sent
    ), moved as (
      update conversations c set version = c.version + 1, last_seq = sent.seq, mass_message_at = sent.at,
        mass_messages_on_day = sent.today,
        -- The side that wrote last stays the same.
        last_staff_seq = case when c.last_staff_seq = c.last_seq then sent.seq else c.last_staff_seq end
      from sent where c.id = sent.id
    ), noted as (
      insert into sent_messages (admin_id, sent_at, campaign_id) select ${admin}, at, ${id} from sent
    ), offered as (
      insert into product_sends (attachment_id, message_id, conversation_id, fan_id, product_id, admin_id, price_cents, sent_at,
        campaign_id)
      select (a->>'id')::uuid, s.message_id, s.id, s.fan_id, (a->'product'->>'id')::uuid, ${admin},
        (a->'product'->>'price_cents')::int, s.at, ${id}
      from sent s, jsonb_array_elements(s.attachments) a where a->'product'->>'price_cents' is not null
    ), webhooks as (
      ${insertWebhooks('message.created', 's.id', `jsonb_build_object('message_id', s.message_id, 'mass', true)`, 'sent s')}
    ), settled as (
      update campaign_recipients r set
        state = case when d.quiet_until is not null and d.reason is null then 'pending' when d.reason is null then 'sent' else 'skipped' end,
        reason = d.reason,
        message_id = case when d.reason is null and d.quiet_until is null then d.message_id end,
        sent_at = case when d.reason is null and d.quiet_until is null then d.at end,
        due_at = coalesce(d.quiet_until, r.due_at)
      from decided d where r.campaign_id = ${id} and r.fan_id = d.fan_id
    )
    select id, variant, reason, reason is null and quiet_until is not null as waits from decided`;
  return runIn<Decided>(tx, text, values);
}

/** Queues the event of a campaign's progress. @returns its id in the outbox */
export async function queueProgress(
  tx: Tx,
  campaignId: string,
  conversations: readonly string[],
): Promise<{ id: number; payload: Progress }> {
  const [row] = await runIn<{ id: number; payload: Progress }>(
    tx,
    insertEvents(
      'campaign_progress',
      `jsonb_build_object('campaign_id', c.id, 'started_by', c.started_by, 'state', c.state, 'audience', v.audience, 'sent', v.sent,
        'skipped', v.skipped, 'unsent', v.unsent, 'conversation_ids', changed.ids, 'states', changed.states)`,
      `from campaigns c, (select sum(audience)::int as audience, sum(sent)::int as sent, sum(skipped)::int as skipped,
        sum(unsent)::int as unsent from campaign_variants where campaign_id = $1) v,
        (select coalesce(jsonb_agg(id), '[]') as ids,
          coalesce(jsonb_agg(jsonb_build_object('version', version, 'last_seq', last_seq)), '[]') as states
        from conversations where id = any($2::uuid[])) changed
      where c.id = $1`,
    ),
    [campaignId, conversations],
  );
  if (row === undefined) throw new Error('no row returned');
  return row;
}

/** The event of a campaign's progress. Events from before an upgrade don't name the admin who started the campaign. */
export type Progress = ServerEvent<'campaign_progress'> & { readonly started_by?: string | null };
