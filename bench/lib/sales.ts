import { openEmpty, type Staff, stopwatch } from './empty-database.ts';
import { dropIndexes } from './indexes.ts';

const ADMINS = 20;
const PRODUCTS = 50;
const DAYS = 400;
/** Messages per conversation; every second one is an answer, and every fifth answer offers a product. */
const MESSAGES = 50;
/** Conversations per insert statement. */
const BATCH = 10_000;

interface Amount {
  /** The URL of an empty database. */
  readonly url: string;
  readonly messages: number;
  /** The email address of the admin who reads the analytics; the first of the admins. */
  readonly owner: string;
  readonly log: (line: string) => void;
}

/**
 * Migrates an empty database and fills it with messages, one offer for every ten messages, and purchases of three tenths of the
 * offers.
 */
export async function generateSales({ url, messages, owner, log }: Amount): Promise<void> {
  const stage = stopwatch(log);
  const staff: Staff = Array.from({ length: ADMINS }, (_, place) => [
    place === 0 ? owner : `admin-${place}@example.com`,
    'manager',
  ]);
  const client = await openEmpty(url, staff, log);
  try {
    // Skip triggers and foreign keys: their work is done at the end, or the data satisfies them anyway.
    await client.query('set session_replication_role = replica');
    const tables = [
      'fans',
      'conversations',
      'messages',
      'product_sends',
      'purchases',
      'sent_messages',
    ];
    const indexes = await dropIndexes(client, tables);
    await client.query(products);
    const conversations = Math.ceil(messages / MESSAGES);
    for (let from = 1; from <= conversations; from += BATCH) {
      const to = Math.min(from + BATCH - 1, conversations);
      await client.query(people, [from, to]);
      await client.query(dialogues, [from, to]);
      stage(`${(to * MESSAGES).toLocaleString('en')} messages`);
    }
    await client.query(offers);
    stage('products sent');
    await client.query(sales);
    stage('products bought');
    await client.query('set session_replication_role = origin');
    await client.query('select note_sent_messages()');
    stage('noted what was sent, as the migration does');
    for (const { name, definition } of indexes) {
      await client.query(definition);
      stage(`index ${name}`);
    }
    await client.query('vacuum analyze');
    stage('vacuumed and analysed');
    await client.query('select sum_up_anew()');
    stage('summed up, as the migration does');
    await client.query('vacuum analyze');
    await client.query('checkpoint');
    stage('vacuumed and analysed again');
  } finally {
    await client.end();
  }
}

/** Builds ascending ids in a custom format. */
const uuid = (kind: string, number: string) =>
  `('${kind}0000-0000-8000-a000-' || lpad(to_hex(${number}), 12, '0'))::uuid`;

const products = `
  insert into products (id, title, price_cents, full_key, preview_key, mime_type, size, width, height)
  select ${uuid('aaaa', 'n')}, 'Product ' || n, 100 * n, 'full', 'preview', 'image/jpeg', 1, 1, 1
  from generate_series(1, ${PRODUCTS}) as n`;

const people = `
  with fan as (
    insert into fans (id, external_id, first_name) select ${uuid('bbbb', 'i')}, 'fan-' || i, 'Fan ' || i
    from generate_series($1::int, $2::int) as i
  )
  insert into conversations (id, fan_id, creator_id, last_seq, last_message_at)
  select ${uuid('cccc', 'i')}, ${uuid('bbbb', 'i')}, creators.id, ${MESSAGES}, now()
  from creators, generate_series($1::int, $2::int) as i`;

/** Fans write at intervals; the replies take from a minute to a day. */
const dialogues = `
  insert into messages (id, conversation_id, seq, from_fan, author_id, client_message_id, payload_hash, content, created_at, read_at)
  select ${uuid('dddd', `i::bigint * ${MESSAGES} + seq`)}, ${uuid('cccc', 'i')}, seq, seq % 2 = 1,
    case when seq % 2 = 1 then ${uuid('bbbb', 'i')} else ids[1 + floor(random() * ${ADMINS})::int] end,
    'g' || lpad((i::bigint * ${MESSAGES} + seq)::text, 12, '0'), '\\x00', 'Hello there', at, at
  from (
    select i, seq, ids, date_trunc('milliseconds', began + step * ((seq - 1) / 2)
      + case when seq % 2 = 0 then least(interval '20 seconds' * exp(random() * 8), step * 0.9) else interval '0' end) as at
    from (
      select i, now() - interval '${DAYS} days' * share as began, interval '${DAYS} days' * share / ${MESSAGES / 2} as step
      from (select i, random() as share from generate_series($1::int, $2::int) as i) as shares
    ) as begun,
      generate_series(1, ${MESSAGES}) as seq, (select array_agg(id) as ids from admins) as staff
  ) as timed`;

const offers = `
  insert into product_sends (attachment_id, message_id, conversation_id, fan_id, product_id, admin_id, price_cents, sent_at)
  select m.id, m.id, m.conversation_id, c.fan_id, ${uuid('aaaa', `1 + floor(random() * ${PRODUCTS})::int`)}, author_id,
    1 + floor(random() * 5000)::int, m.created_at
  from messages m join conversations c on c.id = m.conversation_id where seq % 10 = 4 order by m.created_at`;

const sales = `
  insert into purchases
    (attachment_id, message_id, conversation_id, fan_id, product_id, admin_id, amount_cents, payment_reference, payload_hash,
      purchased_at, refunded_at)
  select attachment_id, message_id, conversation_id, fan_id, product_id, admin_id, price_cents, attachment_id::text, '\\x00',
    bought, case when random() < 0.03 then bought + interval '1 day' end
  from (
    -- A fan buys a product once.
    select distinct on (fan_id, product_id) *,
      date_trunc('milliseconds', least(now(), sent_at + random() * interval '2 days')) as bought
    from product_sends order by fan_id, product_id
  ) as sent where random() < 0.3 order by bought`;
