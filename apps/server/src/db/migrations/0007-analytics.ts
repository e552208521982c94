import { type Kysely, sql } from 'kysely';

/** Records of sends and sales, so that no request has to count messages. See docs/decisions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  'create index product_sends_sent_at on product_sends (sent_at)',
  'create index purchases_newest on purchases (purchased_at desc, id desc)',
  'create index purchases_admin on purchases (admin_id, purchased_at desc, id desc)',
  'create index purchases_product on purchases (product_id, purchased_at desc, id desc)',

  // When the fan started to wait for the latest reply; sends read the time from here.
  'alter table conversations add column answered_since timestamptz',

  // A row for each staff message. It contains neither text nor fan, so that it can outlive the fan. waited_since: when the fan
  // started to wait, if this message was the reply.
  `create table sent_messages (
    admin_id uuid not null,
    sent_at timestamptz not null,
    waited_since timestamptz
  )`,
  // Adds rows for messages that were not recorded when they were sent. A reply ends the wait that began with the first of the
  // fan's messages directly before it.
  `create function note_sent_messages() returns void language sql set work_mem = '128MB' as $$
    insert into sent_messages (admin_id, sent_at, waited_since)
    select author_id, created_at, case when after_fan then waiting_since end
    from (
      select author_id, from_fan, created_at, after_fan,
        max(created_at) filter (where from_fan and not after_fan) over (partition by conversation_id order by seq)
          as waiting_since
      from (
        select conversation_id, seq, author_id, from_fan, created_at,
          lag(from_fan, 1, false) over (partition by conversation_id order by seq) as after_fan
        from messages
      ) as told
    ) as waits
    where not from_fan order by created_at
  $$`,
  'select note_sent_messages()',
  'create index sent_messages_sent_at on sent_messages (sent_at)',

  // Sums of past days (UTC); newer data is counted from the rows. Stored per quarter of an hour, because days in every time zone
  // consist of whole quarters.
  `create table analytics_progress (
    singleton boolean primary key default true check (singleton),
    summed_up_to timestamptz not null
  )`,
  `insert into analytics_progress (summed_up_to) values ('epoch')`,
  `create table analytics_quarters (
    quarter timestamptz primary key,
    messages integer not null default 0,
    sends integer not null default 0,
    purchases integer not null default 0,
    cents bigint not null default 0
  )`,
  `create table analytics_admin_days (
    day timestamptz not null,
    admin_id uuid not null,
    messages integer not null default 0,
    sends integer not null default 0,
    purchases integer not null default 0,
    cents bigint not null default 0,
    primary key (day, admin_id)
  )`,
  `create table analytics_product_days (
    day timestamptz not null,
    product_id uuid not null,
    sends integer not null default 0,
    purchases integer not null default 0,
    cents bigint not null default 0,
    primary key (day, product_id)
  )`,
  // The number of replies by length of the wait (bucket), for single days and for groups of 32 days.
  `create table analytics_waits (
    days smallint not null check (days in (1, 32)),
    day timestamptz not null,
    admin_id uuid not null,
    bucket smallint not null,
    answers integer not null,
    primary key (days, day, admin_id, bucket)
  )`,
  // Eight buckets for each doubling of the wait, starting at one second.
  `create function wait_bucket(wait interval) returns smallint language sql immutable parallel safe
    return floor(8 * ln(greatest(date_part('epoch', wait), 1)) / ln(2::float8))::smallint`,

  // Adds a sale to a day that was already summed up, or with -1 removes it.
  `create function count_late_sale(sale purchases, times integer) returns void language plpgsql as $$
  begin
    insert into analytics_quarters as q (quarter, purchases, cents)
      values (date_bin('15 minutes', sale.purchased_at, 'epoch'), times, times * sale.amount_cents::bigint)
      on conflict (quarter) do update set purchases = q.purchases + excluded.purchases, cents = q.cents + excluded.cents;
    insert into analytics_admin_days as d (day, admin_id, purchases, cents)
      values (date_bin('1 day', sale.purchased_at, 'epoch'), sale.admin_id, times, times * sale.amount_cents::bigint)
      on conflict (day, admin_id) do update set purchases = d.purchases + excluded.purchases, cents = d.cents + excluded.cents;
    insert into analytics_product_days as d (day, product_id, purchases, cents)
      values (date_bin('1 day', sale.purchased_at, 'epoch'), sale.product_id, times, times * sale.amount_cents::bigint)
      on conflict (day, product_id) do update set purchases = d.purchases + excluded.purchases, cents = d.cents + excluded.cents;
  end $$`,
  // Because of the lock, either the summing-up sees this sale, or this sale sees how far the summing-up got.
  `create function count_sale() returns trigger language plpgsql as $$
  declare
    summed timestamptz;
  begin
    select summed_up_to into summed from analytics_progress for share;
    if tg_op <> 'INSERT' and old.refunded_at is null and old.purchased_at < summed then
      perform count_late_sale(old, -1);
    end if;
    if tg_op <> 'DELETE' and new.refunded_at is null and new.purchased_at < summed then
      perform count_late_sale(new, 1);
    end if;
    return null;
  end $$`,
  `create trigger purchases_counted after insert or delete or update of refunded_at, purchased_at, amount_cents, admin_id, product_id
    on purchases for each row execute function count_sale()`,

  // Sums up all days before `up_to` (the start of a day) that are not summed up yet. The rows of those days no longer change,
  // except for sales. A statement sees what was committed when it began, so the sales are read only after the lock is taken.
  `create function sum_up_days(up_to timestamptz) returns void language plpgsql set work_mem = '128MB' as $$
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
        sum(messages) as messages, sum(sends) as sends, sum(purchases) as purchases, sum(cents) as cents
      from (
        select sent_at as at, admin_id, null::uuid as product_id, 1 as messages, 0 as sends, 0 as purchases, 0 as cents
          from sent_messages where sent_at >= since and sent_at < up_to
        union all
        select sent_at, admin_id, product_id, 0, 1, 0, 0 from product_sends where sent_at >= since and sent_at < up_to
        union all
        select purchased_at, admin_id, product_id, 0, 0, 1, amount_cents from purchases
          where purchased_at >= since and purchased_at < up_to and refunded_at is null
      ) as happened group by 1, 2, 3, 4
    ), quarters as (
      insert into analytics_quarters
      select quarter, sum(messages), sum(sends), sum(purchases), sum(cents) from facts group by 1 order by 1
    ), by_admin as (
      insert into analytics_admin_days
      select day, admin_id, sum(messages), sum(sends), sum(purchases), sum(cents) from facts group by 1, 2 order by 1, 2
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
  // Recalculates everything from the rows, for rows that were not written by the server's own statements.
  `create function sum_up_anew() returns void language plpgsql as $$
  begin
    perform 1 from analytics_progress for update;
    delete from analytics_quarters;
    delete from analytics_admin_days;
    delete from analytics_product_days;
    delete from analytics_waits;
    update analytics_progress set summed_up_to = '-infinity';
    perform sum_up_days(date_bin('1 day', clock_timestamp() - interval '1 minute', 'epoch'));
  end $$`,
  'select sum_up_anew()',
];
