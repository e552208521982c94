import { type Kysely, sql } from 'kysely';

/** Indexes for searching staff notes: by time, and by trigrams of the text. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  'create index staff_notes_created_at on staff_notes (created_at)',
  'create index staff_notes_content on staff_notes using gin (content gin_trgm_ops)',
];
