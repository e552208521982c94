import { type Kysely, sql } from 'kysely';

/** Makes mass messages that are not sent yet follow changes to what they depend on. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // Why the server paused it; null once an admin changes its state.
  'alter table campaigns add column paused_reason text',

  // The quiet hours by which recipients wait, and when each was to get the message at first. `due_at` is later in quiet hours.
  'alter table campaigns add column quiet_hours text',
  'alter table campaign_recipients add column planned_at timestamptz',

  // Before `on delete set null` makes campaigns forget the segment.
  `create function keep_segment_rule() returns trigger language plpgsql as $$
  begin
    update campaigns set rule = old.rule where segment_id = old.id and audience_at is null;
    return old;
  end $$`,
  `create trigger rule_kept before delete on segments for each row execute function keep_segment_rule()`,
];
