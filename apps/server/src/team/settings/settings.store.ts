import type { TeamSettings, TeamSettingsChange } from '@stagedoor/contract/team/settings';
import type { Kysely } from 'kysely';
import { writeAudit } from '../../db/audit.ts';
import type { Database } from '../../db/database.ts';
import type { Tables, Tx } from '../../db/tables.ts';
import { queueSharedUpdate, type SharedUpdate } from '../../realtime/shared-updates.ts';

const COLUMNS = [
  'version',
  'claim_on_first_reply',
  'release_claims_after_hours',
  'reopen_on_fan_message',
  'mass_messages_a_day',
  'quiet_from_hour',
  'quiet_until_hour',
  'time_zone',
  'earning_period',
  'clock_idle_minutes',
  'access_only_on_shift',
] as const;

/** Returns the team's current rules. */
export function readSettings(db: Kysely<Tables> | Tx): Promise<TeamSettings> {
  return db.selectFrom('team_settings').select(COLUMNS).executeTakeFirstOrThrow();
}

/** The rules that decide who can act, and how shifts are shown. */
const SHIFT_RULES = ['time_zone', 'clock_idle_minutes', 'access_only_on_shift'];

/**
 * Changes some of the rules and audits the change with the old values. Changes nothing if the stored version differs from the
 * given version; `isChanged` is then false.
 * @returns the resulting rules, and the event to emit, if any
 */
export function changeSettings(
  db: Database,
  adminId: string,
  { version, ...change }: TeamSettingsChange,
): Promise<{ settings: TeamSettings; isChanged: boolean; update?: SharedUpdate }> {
  return db.kysely.transaction().execute(async (tx) => {
    const before = await tx
      .selectFrom('team_settings')
      .select(COLUMNS)
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (before.version !== version) return { settings: before, isChanged: false };
    const changed = Object.fromEntries(
      Object.entries(change).filter(
        ([rule, value]) => value !== undefined && before[rule as keyof TeamSettings] !== value,
      ),
    );
    if (Object.keys(changed).length === 0) return { settings: before, isChanged: true };
    const settings = await tx
      .updateTable('team_settings')
      .set((eb) => ({ ...changed, version: eb('version', '+', 1) }))
      .returning(COLUMNS)
      .executeTakeFirstOrThrow();
    const was = Object.fromEntries(
      Object.keys(changed).map((rule) => [rule, before[rule as keyof TeamSettings]]),
    );
    const details = { ...changed, was };
    await writeAudit(tx, { adminId, action: 'settings.update', targetId: adminId, details });
    if (!SHIFT_RULES.some((rule) => rule in changed)) return { settings, isChanged: true };
    const update = await queueSharedUpdate(tx, { what: 'shifts' }, null);
    return { settings, isChanged: true, update };
  });
}
