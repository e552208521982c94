import { type Kysely, sql } from 'kysely';

/** Handovers between staff at the end of a shift. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // Without a receiver, the claims were released.
  `create table handovers (
    id uuid primary key default gen_random_uuid(),
    from_id uuid not null references admins (id),
    to_id uuid references admins (id),
    client_id text not null,
    payload_hash bytea not null,
    brief text not null,
    created_at timestamptz not null default now(),
    accepted_at timestamptz,
    constraint handovers_client_id_key unique (from_id, client_id)
  )`,
  'create index handovers_to on handovers (to_id, (accepted_at is null) desc, created_at desc)',
  'create index handovers_open on handovers (to_id) where accepted_at is null',

  // Erasing a fan removes them from all briefs.
  `create table handover_items (
    handover_id uuid not null references handovers (id) on delete cascade,
    conversation_id uuid not null references conversations (id) on delete cascade,
    position integer not null,
    brief text not null,
    primary key (handover_id, conversation_id)
  )`,
  'create index handover_items_conversation on handover_items (conversation_id)',
];
