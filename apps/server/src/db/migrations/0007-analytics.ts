import { type Kysely, sql } from 'kysely';

/** What was sent and sold, kept so that no request counts messages. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  'create index product_sends_sent_at on product_sends (sent_at)',
  'create index purchases_newest on purchases (purchased_at desc, id desc)',
  'create index purchases_admin on purchases (admin_id, purchased_at desc, id desc)',
  'create index purchases_product on purchases (product_id, purchased_at desc, id desc)',
];
