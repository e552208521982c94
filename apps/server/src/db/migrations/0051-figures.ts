import { type Kysely, sql } from 'kysely';

/** The message that each row of `sent_messages` counts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // Not foreign keys: rows outlive the message and the fan. Null for mass messages, and in older rows until a job fills them.
  'alter table sent_messages add column message_id uuid, add column conversation_id uuid',
  `create or replace function note_sent_messages() returns void language sql set work_mem = '128MB' as $$
    insert into sent_messages (admin_id, sent_at, waited_since, campaign_id, message_id, conversation_id)
    select author_id, created_at, case when after_fan then waiting_since end, campaign_id,
      case when campaign_id is null then id end, case when campaign_id is null then conversation_id end
    from (
      select id, conversation_id, author_id, from_fan, created_at, after_fan, campaign_id,
        max(created_at) filter (where from_fan and not after_fan) over (partition by conversation_id order by seq)
          as waiting_since
      from (
        select id, conversation_id, seq, author_id, from_fan, created_at, campaign_id,
          lag(from_fan, 1, false) over (partition by conversation_id order by seq) as after_fan
        from messages where campaign_id is null
        union all
        select id, conversation_id, seq, author_id, false, created_at, campaign_id, false
        from messages where campaign_id is not null
      ) as ordered
    ) as waits
    where not from_fan order by created_at
  $$`,
];
