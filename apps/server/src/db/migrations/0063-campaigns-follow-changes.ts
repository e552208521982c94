import { type Kysely, sql } from 'kysely';

/** Lets unsent mass messages follow changes to their segment and to the quiet hours. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // When each recipient would be due without quiet hours. Altered first, because a fan's reply also locks the tables in this order.
  'alter table campaign_recipients add column planned_at timestamptz',
  // Why the server paused it, null once an admin changes its state; and the quiet hours that `due_at` is based on.
  'alter table campaigns add column paused_reason text, add column quiet_hours text',

  // Runs before `on delete set null` removes the segment from its campaigns.
  `create function keep_segment_rule() returns trigger language plpgsql as $$
  begin
    update campaigns set rule = old.rule where segment_id = old.id and audience_at is null;
    return old;
  end $$`,
  `create trigger rule_kept before delete on segments for each row execute function keep_segment_rule()`,
];
