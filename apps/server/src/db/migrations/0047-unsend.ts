import { type Kysely, sql } from 'kysely';

/** Unsending messages, and the messages of a campaign. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // An unsent message's row stays, without content, so that its seq is not missing.
  'alter table messages add column unsent_at timestamptz, add column unsent_by uuid',
  `create or replace function last_message_of(conversation uuid, side_is_fan boolean) returns timestamptz
    language sql stable parallel safe cost 1 as $$
      select max(created_at) from messages
      where conversation_id = conversation and from_fan = side_is_fan and campaign_id is null and unsent_at is null
    $$`,

  `alter table campaigns add column unsent_at timestamptz, add column unsent_by uuid references admins (id),
    add column is_unsending boolean not null default false,
    -- The last fan that was processed; recipients are processed in the order of their fan ids.
    add column unsent_up_to uuid`,
  'create index campaigns_unsending on campaigns (created_at) where is_unsending',

  // The offer that the page sells; null in rows of the previous version.
  'alter table open_checkouts add column attachment_id uuid',

  // Removes offers from days that were already summed up. Because of the lock, either the summing-up doesn't see these offers, or
  // this trigger sees how far the summing-up got. Rows are written in a fixed order, so that two deletions don't deadlock.
  `create function uncount_offers() returns trigger language plpgsql as $$
  declare
    summed timestamptz;
  begin
    select summed_up_to into summed from analytics_progress for share;
    insert into analytics_quarters as q (quarter, sends)
      select date_bin('15 minutes', sent_at, 'epoch') as at, -count(*) from gone where sent_at < summed group by 1 order by 1
      on conflict (quarter) do update set sends = q.sends + excluded.sends;
    insert into analytics_admin_days as d (day, admin_id, sends)
      select date_bin('1 day', sent_at, 'epoch') as at, admin_id, -count(*) from gone where sent_at < summed
      group by 1, 2 order by 1, 2
      on conflict (day, admin_id) do update set sends = d.sends + excluded.sends;
    insert into analytics_product_days as d (day, product_id, sends)
      select date_bin('1 day', sent_at, 'epoch') as at, product_id, -count(*) from gone where sent_at < summed
      group by 1, 2 order by 1, 2
      on conflict (day, product_id) do update set sends = d.sends + excluded.sends;
    return null;
  end $$`,
  `create trigger product_sends_uncounted after delete on product_sends referencing old table as gone
    for each statement execute function uncount_offers()`,
];
