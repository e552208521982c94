import { type Kysely, sql } from 'kysely';

/** Subtracts unsent offers from the sums of mass messages, too, and corrects the stored sums. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // As in 0047-unsend, with mass_sends.
  `create or replace function uncount_offers() returns trigger language plpgsql as $$
  declare
    summed timestamptz;
  begin
    select summed_up_to into summed from analytics_progress for share;
    insert into analytics_quarters as q (quarter, sends, mass_sends)
      select date_bin('15 minutes', sent_at, 'epoch') as at, -count(*), -count(campaign_id) from gone
      where sent_at < summed group by 1 order by 1
      on conflict (quarter) do update set sends = q.sends + excluded.sends, mass_sends = q.mass_sends + excluded.mass_sends;
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
  // Unsending waits for this lock, so that no offer is removed while the rest are counted.
  'select from analytics_progress for update',
  `update analytics_quarters q set mass_sends = (
      select count(campaign_id) from product_sends
      where sent_at >= q.quarter and sent_at < q.quarter + interval '15 minutes'
    ) where mass_sends <> 0`,
];
