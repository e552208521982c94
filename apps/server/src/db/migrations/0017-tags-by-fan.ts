import { type Kysely, sql } from 'kysely';

/** An index from which the fans with a tag can be read without the table. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  'create index fan_tags_global_tag_fan on fan_tags (global_tag_id, fan_id) where global_tag_id is not null',
  'drop index fan_tags_global_tag_id',
];
