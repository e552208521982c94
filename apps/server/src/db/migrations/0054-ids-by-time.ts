import { type Kysely, sql } from 'kysely';

/** Ids that rise with time, for tables of many rows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

/** Tables with a row per fan or per action; none of these ids is a secret. */
const TABLES = [
  'fans',
  'fan_tags',
  'conversations',
  'reactions',
  'purchases',
  'tips',
  'staff_notes',
  'scheduled_messages',
];

const statements = [
  // UUID version 7: milliseconds, then random bits. Built into PostgreSQL from version 18 on. The two bits change version 4 to 7.
  `create function new_id() returns uuid language sql volatile parallel safe as $$
    select encode(set_bit(set_bit(
      overlay(uuid_send(gen_random_uuid())
        placing substr(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint), 3) from 1 for 6),
      52, 1), 53, 1), 'hex')::uuid
  $$`,
  ...TABLES.map((table) => `alter table ${table} alter column id set default new_id()`),
  'alter table webhook_events alter column event_id set default new_id()',
];
