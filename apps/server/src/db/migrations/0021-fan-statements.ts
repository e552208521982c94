import { type Kysely, sql } from 'kysely';

/** Statements to fans, and promises. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // A statement with a due date is a promise. The message that contained it may be deleted by now.
  `create table fan_statements (
    id uuid primary key,
    conversation_id uuid not null references conversations (id) on delete cascade,
    text text not null,
    message_id uuid,
    due_at timestamptz,
    done_at timestamptz,
    done_by uuid references admins (id),
    admin_id uuid not null references admins (id),
    version integer not null default 1,
    created_at timestamptz not null default now()
  )`,
  'create index fan_statements_conversation on fan_statements (conversation_id, due_at)',
  `create index fan_statements_promised on fan_statements (admin_id, due_at, id)
    where due_at is not null and done_at is null`,
];
