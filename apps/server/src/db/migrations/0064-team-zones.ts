import { type Kysely, sql } from 'kysely';

/** Replaces team time zones that `at time zone` reads as abbreviations, without summer time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update team_settings set version = version + 1, time_zone = case lower(time_zone)
      when 'cet' then 'Europe/Brussels' when 'eet' then 'Europe/Athens'
      when 'met' then 'Europe/Berlin' else 'Europe/Lisbon' end
    where lower(time_zone) in ('cet', 'eet', 'met', 'wet')`.execute(db);
}
