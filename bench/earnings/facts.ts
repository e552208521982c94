import type pg from 'pg';

const CONVERSATIONS = 20_000;

/** Offers and other messages per shift. */
const OFFERS = 6;
const REPLIES = 12;

/**
 * Each admin works eight hours a day, five days a week, for three years, and sends six offers per shift. Fans buy four of these,
 * or only three in about a quarter of the shifts.
 */
const STATEMENTS: Readonly<Record<string, string>> = {
  products: `insert into products (title, price_cents, full_key, preview_key, mime_type, size, width, height)
    select 'Product ' || n, 199 + 50 * n, 'full', 'preview', 'image/jpeg', 200000, 1200, 1600 from generate_series(1, 200) n`,
  fans: `insert into fans (external_id, first_name) select 'fan-' || n, 'Fan ' || n from generate_series(1, ${CONVERSATIONS}) n`,
  conversations: `insert into conversations (fan_id, creator_id, last_seq)
    select id, (select id from creators), 100 from fans`,
  rules: `insert into earning_rules (role, percent_hundredths, hourly_cents, credit, effective_at, created_by)
    select role, percent + 100 * year, hourly + 50 * year, credit, now() - interval '3 years 1 month' + year * interval '1 year', a.id
    from (values ('support', 2000, 400, 'sender'), ('moderator', 1250, 900, 'shift'), ('manager', 500, 1500, 'sender'))
        r (role, percent, hourly, credit), generate_series(0, 2) year, (select id from admins where role = 'creator') a
    order by year`,
  'rules of some admins': `insert into earning_rules (admin_id, percent_hundredths, hourly_cents, credit, effective_at, created_by)
    select id, 2500, 500, 'sender', now() - interval '2 years', (select id from admins where role = 'creator')
    from admins where role = 'support' order by email limit 20`,
  shifts: `insert into shifts (admin_id, starts_at, ends_at)
    select id, day + slot, day + slot + interval '8 hours'
    from (select id, n, n % 3 * interval '8 hours' as slot from (select id, row_number() over (order by email) as n from admins) a) a,
      generate_series(date_trunc('day', now()) - interval '3 years', date_trunc('day', now()) + interval '2 weeks', interval '1 day') day
    where (extract(epoch from day)::bigint / 86400 + n) % 7 < 5`,
  clocks: `insert into clocks (admin_id, started_at, last_act_at, ended_at, stopped_by)
    select admin_id, date_trunc('milliseconds', starts_at + random() * interval '10 minutes'), least(ends_at, now()),
      case when ends_at <= now() then date_trunc('milliseconds', ends_at - random() * interval '10 minutes') end,
      case when ends_at <= now() then 'admin' end
    from shifts where starts_at < now() - interval '10 minutes'`,
  offers: `create temporary table offers as
    select row_number() over () as n, id as clock_id, admin_id, gen_random_uuid() as attachment_id, gen_random_uuid() as message_id,
      place <= 3 or place = 4 and pick % 4 < 3 as is_sold, pick,
      date_trunc('milliseconds', started_at + (ended_at - started_at) * (place - random() / 2) / ${OFFERS}) as at
    from (select c.*, place, (random() * 1000000)::int as pick from clocks c, generate_series(1, ${OFFERS}) place where ended_at is not null) c`,
  'numbered fans and products': `create temporary table fan_of as select row_number() over () - 1 as n, id as conversation_id, fan_id from conversations;
    create temporary table product_of as select row_number() over () - 1 as n, id as product_id, price_cents from products`,
  messages: `insert into messages (id, conversation_id, seq, from_fan, author_id, client_message_id, payload_hash, content, created_at)
    select message_id, conversation_id, 1000 + offers.n / ${CONVERSATIONS}, false, admin_id, 'offer-' || offers.n, '', 'Something new, only for you', at
    from offers join fan_of on fan_of.n = offers.n % ${CONVERSATIONS}`,
  product_sends: `insert into product_sends (attachment_id, message_id, conversation_id, fan_id, product_id, admin_id, price_cents, sent_at)
    select attachment_id, message_id, conversation_id, fan_id, product_id, admin_id, price_cents, at
    from offers join fan_of on fan_of.n = offers.n % ${CONVERSATIONS} join product_of on product_of.n = pick % 200`,
  purchases: `insert into purchases (attachment_id, message_id, conversation_id, fan_id, product_id, admin_id, amount_cents, payment_reference, payload_hash, purchased_at, refunded_at)
    select attachment_id, message_id, conversation_id, fan_id, product_id, admin_id, price_cents, 'payment-' || offers.n, '',
      at + interval '1 minute', case when pick % 100 < 3 then least(at + interval '1 day', date_trunc('milliseconds', now())) end
    from offers join fan_of on fan_of.n = offers.n % ${CONVERSATIONS} join product_of on product_of.n = pick % 200 where is_sold`,
  sent_messages: `insert into sent_messages (admin_id, sent_at, waited_since, message_id, conversation_id)
    select admin_id, at, null::timestamptz, message_id, conversation_id from offers join fan_of on fan_of.n = offers.n % ${CONVERSATIONS}
    union all
    select admin_id, at, at - random() * interval '20 minutes', gen_random_uuid(), conversation_id
    from (
      select admin_id, started_at + (ended_at - started_at) * (place - random() / 2) / ${REPLIES} as at, (random() * ${CONVERSATIONS - 1})::int as fan
      from clocks, generate_series(1, ${REPLIES}) place where ended_at is not null
    ) replies join fan_of on fan_of.n = fan order by 2`,
};

/** Fills the tables that earnings are calculated from, in SQL. */
export async function fillFacts(client: pg.Client, stage: (what: string) => void): Promise<void> {
  for (const table of ['purchases', 'clocks'])
    await client.query(`alter table ${table} disable trigger user`);
  for (const [what, statement] of Object.entries(STATEMENTS)) {
    await client.query(statement);
    stage(what);
  }
  for (const table of ['purchases', 'clocks'])
    await client.query(`alter table ${table} enable trigger user`);
}
