import { type Kysely, sql } from 'kysely';

/** Tips, and which sends and sales belong to a mass message. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

/** Rejects a payment that the other table contains. Locks the reference, so that the second of two concurrent inserts fails. */
const onlyIn = (table: string, other: string) => [
  `create function ${table}_paid_once() returns trigger language plpgsql as $$
  begin
    perform pg_advisory_xact_lock(hashtextextended(new.payment_reference, 0));
    if exists (select from ${other} where payment_reference = new.payment_reference) then
      raise unique_violation using constraint = 'payment_used_elsewhere';
    end if;
    return new;
  end $$`,
  `create trigger ${table}_paid_once before insert on ${table} for each row execute function ${table}_paid_once()`,
];

const statements = [
  // Without references to fans and conversations: the rows outlive an erased fan, as figures.
  `create table tips (
    id uuid primary key default gen_random_uuid(),
    conversation_id uuid not null,
    fan_id uuid not null,
    -- Who gets the credit; null: nobody had written in the 24 hours before.
    admin_id uuid references admins (id),
    amount_cents integer not null check (amount_cents > 0),
    -- What the fan wrote with it; deleted with the fan.
    message text,
    payment_reference text not null,
    payload_hash bytea not null,
    tipped_at timestamptz not null,
    refunded_at timestamptz,
    constraint tips_payment_reference_key unique (payment_reference)
  )`,
  'create index tips_conversation on tips (conversation_id, tipped_at desc)',
  'create index tips_fan_id on tips (fan_id)',
  'create index tips_tipped_at on tips (tipped_at)',
  ...onlyIn('tips', 'purchases'),
  ...onlyIn('purchases', 'tips'),

  // Tips count as spending. A fan who only tipped has no last purchase.
  'alter table fan_spending alter column last_purchase_at drop not null',
  `create or replace function sum_up_spending() returns trigger language plpgsql as $$
  declare
    fan uuid := case when tg_op = 'DELETE' then old.fan_id else new.fan_id end;
    conversation uuid := case when tg_op = 'DELETE' then old.conversation_id else new.conversation_id end;
  begin
    insert into fan_spending
      select f.id, sum(p.cents), count(p.bought_at), max(p.bought_at)
      from fans f join (
        select amount_cents as cents, purchased_at as bought_at from purchases
          where conversation_id = conversation and refunded_at is null
        union all
        select amount_cents, null from tips where conversation_id = conversation and refunded_at is null
      ) p on true
      where f.id = fan group by f.id
    on conflict (fan_id) do update set cents = excluded.cents, purchases = excluded.purchases,
      last_purchase_at = excluded.last_purchase_at;
    if not found then
      delete from fan_spending where fan_id = fan;
    end if;
    return null;
  end $$`,
  `create trigger tips_summed after insert or delete or update of refunded_at, amount_cents
    on tips for each row execute function sum_up_spending()`,

  // Null for everything but mass messages.
  'alter table sent_messages add column campaign_id uuid',
  'alter table product_sends add column campaign_id uuid',
  'alter table purchases add column campaign_id uuid',
  // A mass message does not end a fan's wait.
  `create or replace function note_sent_messages() returns void language sql set work_mem = '128MB' as $$
    insert into sent_messages (admin_id, sent_at, waited_since, campaign_id)
    select author_id, created_at, case when after_fan then waiting_since end, campaign_id
    from (
      select author_id, from_fan, created_at, after_fan, campaign_id,
        max(created_at) filter (where from_fan and not after_fan) over (partition by conversation_id order by seq)
          as waiting_since
      from (
        select conversation_id, seq, author_id, from_fan, created_at, campaign_id,
          lag(from_fan, 1, false) over (partition by conversation_id order by seq) as after_fan
        from messages where campaign_id is null
        union all
        select conversation_id, seq, author_id, false, created_at, campaign_id, false
        from messages where campaign_id is not null
      ) as told
    ) as waits
    where not from_fan order by created_at
  $$`,

  // Sums of mass messages and of tips. `messages` excludes mass messages; `sends`, `purchases` and `cents` include them.
  `alter table analytics_quarters add column mass_messages integer not null default 0, add column mass_sends integer not null default 0,
    add column mass_purchases integer not null default 0, add column mass_cents bigint not null default 0,
    add column tips integer not null default 0, add column tip_cents bigint not null default 0`,
  `alter table analytics_admin_days add column tips integer not null default 0,
    add column tip_cents bigint not null default 0`,

  `create or replace function count_late_sale(sale purchases, times integer) returns void language plpgsql as $$
  declare
    cents bigint := times * sale.amount_cents::bigint;
    mass integer := (sale.campaign_id is not null)::integer;
  begin
    insert into analytics_quarters as q (quarter, purchases, cents, mass_purchases, mass_cents)
      values (date_bin('15 minutes', sale.purchased_at, 'epoch'), times, cents, mass * times, mass * cents)
      on conflict (quarter) do update set purchases = q.purchases + excluded.purchases, cents = q.cents + excluded.cents,
        mass_purchases = q.mass_purchases + excluded.mass_purchases, mass_cents = q.mass_cents + excluded.mass_cents;
    insert into analytics_admin_days as d (day, admin_id, purchases, cents)
      values (date_bin('1 day', sale.purchased_at, 'epoch'), sale.admin_id, times, cents)
      on conflict (day, admin_id) do update set purchases = d.purchases + excluded.purchases, cents = d.cents + excluded.cents;
    insert into analytics_product_days as d (day, product_id, purchases, cents)
      values (date_bin('1 day', sale.purchased_at, 'epoch'), sale.product_id, times, cents)
      on conflict (day, product_id) do update set purchases = d.purchases + excluded.purchases, cents = d.cents + excluded.cents;
  end $$`,
  // Adds a tip to a day that was already summed up, or with -1 removes it.
  `create function count_late_tip(tip tips, times integer) returns void language plpgsql as $$
  begin
    insert into analytics_quarters as q (quarter, tips, tip_cents)
      values (date_bin('15 minutes', tip.tipped_at, 'epoch'), times, times * tip.amount_cents::bigint)
      on conflict (quarter) do update set tips = q.tips + excluded.tips, tip_cents = q.tip_cents + excluded.tip_cents;
    if tip.admin_id is not null then
      insert into analytics_admin_days as d (day, admin_id, tips, tip_cents)
        values (date_bin('1 day', tip.tipped_at, 'epoch'), tip.admin_id, times, times * tip.amount_cents::bigint)
        on conflict (day, admin_id) do update set tips = d.tips + excluded.tips, tip_cents = d.tip_cents + excluded.tip_cents;
    end if;
  end $$`,
  // Locks like count_sale.
  `create function count_tip() returns trigger language plpgsql as $$
  declare
    summed timestamptz;
  begin
    select summed_up_to into summed from analytics_progress for share;
    if tg_op <> 'INSERT' and old.refunded_at is null and old.tipped_at < summed then
      perform count_late_tip(old, -1);
    end if;
    if tg_op <> 'DELETE' and new.refunded_at is null and new.tipped_at < summed then
      perform count_late_tip(new, 1);
    end if;
    return null;
  end $$`,
  `create trigger tips_counted after insert or delete or update of refunded_at, tipped_at, amount_cents, admin_id
    on tips for each row execute function count_tip()`,

  `create or replace function sum_up_days(up_to timestamptz) returns void language plpgsql set work_mem = '128MB' as $$
  declare
    since timestamptz;
  begin
    select summed_up_to into since from analytics_progress for update;
    if up_to <= since then
      return;
    end if;
    update analytics_progress set summed_up_to = up_to;
    with facts as materialized (
      select date_bin('15 minutes', at, 'epoch') as quarter, date_bin('1 day', at, 'epoch') as day, admin_id, product_id,
        sum(messages) as messages, sum(sends) as sends, sum(purchases) as purchases, sum(cents) as cents,
        sum(mass_messages) as mass_messages, sum(sends * mass) as mass_sends, sum(purchases * mass) as mass_purchases,
        sum(cents * mass) as mass_cents, sum(tips) as tips, sum(tip_cents) as tip_cents
      from (
        select sent_at as at, case when campaign_id is null then admin_id end as admin_id, null::uuid as product_id, 0 as mass,
          (campaign_id is null)::integer as messages, 0 as sends, 0 as purchases, 0 as cents,
          (campaign_id is not null)::integer as mass_messages, 0 as tips, 0 as tip_cents
          from sent_messages where sent_at >= since and sent_at < up_to
        union all
        select sent_at, admin_id, product_id, (campaign_id is not null)::integer, 0, 1, 0, 0, 0, 0, 0
          from product_sends where sent_at >= since and sent_at < up_to
        union all
        select purchased_at, admin_id, product_id, (campaign_id is not null)::integer, 0, 0, 1, amount_cents, 0, 0, 0
          from purchases where purchased_at >= since and purchased_at < up_to and refunded_at is null
        union all
        select tipped_at, admin_id, null, 0, 0, 0, 0, 0, 0, 1, amount_cents
          from tips where tipped_at >= since and tipped_at < up_to and refunded_at is null
      ) as happened group by 1, 2, 3, 4
    ), quarters as (
      insert into analytics_quarters (quarter, messages, sends, purchases, cents, mass_messages, mass_sends, mass_purchases,
        mass_cents, tips, tip_cents)
      select quarter, sum(messages), sum(sends), sum(purchases), sum(cents), sum(mass_messages), sum(mass_sends),
        sum(mass_purchases), sum(mass_cents), sum(tips), sum(tip_cents) from facts group by 1 order by 1
    ), by_admin as (
      insert into analytics_admin_days (day, admin_id, messages, sends, purchases, cents, tips, tip_cents)
      select day, admin_id, sum(messages), sum(sends), sum(purchases), sum(cents), sum(tips), sum(tip_cents) from facts
      where admin_id is not null group by 1, 2 order by 1, 2
    )
    insert into analytics_product_days
      select day, product_id, sum(sends), sum(purchases), sum(cents) from facts where product_id is not null
      group by 1, 2 order by 1, 2;
    insert into analytics_waits
      select 1, date_bin('1 day', sent_at, 'epoch'), admin_id, wait_bucket(sent_at - waited_since), count(*)
      from sent_messages where sent_at >= since and sent_at < up_to and waited_since is not null
      group by 2, 3, 4 order by 2, 3, 4;
    insert into analytics_waits as w
      select 32, date_bin('32 days', day, 'epoch'), admin_id, bucket, sum(answers)
      from analytics_waits where days = 1 and day >= since and day < up_to group by 2, 3, 4 order by 2, 3, 4
      on conflict (days, day, admin_id, bucket) do update set answers = w.answers + excluded.answers;
  end $$`,
];
