import { type Kysely, sql } from 'kysely';

/** A fan has a trial or a subscription, from an invitation or from the platform. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  'alter table fan_benefits add column status text',
  `update fan_benefits set status = case benefit_type when 'full_subscription' then 'subscribed' else 'trial' end`,
  'alter table fan_benefits alter column status set not null',
  `alter table fan_benefits add constraint fan_benefits_status_check check (status in ('trial', 'subscribed'))`,
  // Null if the platform set it, not an invitation.
  'alter table fan_benefits alter column benefit_type drop not null',

  // Servers of the previous version write only the benefit; this trigger derives the status.
  `create function benefit_status() returns trigger language plpgsql as $$
  begin
    if new.benefit_type is not null and (
      new.status is null
      or tg_op = 'UPDATE' and new.status = old.status and new.benefit_type is distinct from old.benefit_type
        -- A subscription that still runs is extended by a trial, and stays one.
        and not (old.status = 'subscribed' and (old.ends_at is null or old.ends_at > now()))
    ) then
      new.status := case new.benefit_type when 'full_subscription' then 'subscribed' else 'trial' end;
    end if;
    return new;
  end $$`,
  `create trigger fan_benefits_status before insert or update on fan_benefits
    for each row execute function benefit_status()`,
];
