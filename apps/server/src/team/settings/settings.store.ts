import type { TeamSettings, TeamSettingsChange } from '@stagedoor/contract/team/settings';
import type { Kysely } from 'kysely';
import { writeAudit } from '../../db/audit.ts';
import type { Tables, Tx } from '../../db/tables.ts';
import { settingsConflict } from '../../errors.ts';
import type { ChangeShared } from '../../realtime/shared-updates.ts';

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

/** The rules that decide who can act, when idle clocks stop, and how shifts are shown. */
const SHIFT_RULES = ['time_zone', 'clock_idle_minutes', 'access_only_on_shift'];
/** The rules that decide when open pay periods end. */
const EARNING_RULES = ['time_zone', 'earning_period'];

/**
 * Changes some of the rules and audits the change with the old values.
 * @throws AppError 409 with the stored rules if their version differs from the given one
 */
export function changeSettings(
  changeShared: ChangeShared,
  adminId: string,
  { version, ...change }: TeamSettingsChange,
): Promise<TeamSettings> {
  return changeShared(async (tx, share) => {
    const before = await tx
      .selectFrom('team_settings')
      .select(COLUMNS)
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (before.version !== version) throw settingsConflict(before);
    const changed = Object.fromEntries(
      Object.entries(change).filter(
        ([rule, value]) => value !== undefined && before[rule as keyof TeamSettings] !== value,
      ),
    );
    if (Object.keys(changed).length === 0) return before;
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
    if (SHIFT_RULES.some((rule) => rule in changed)) await share({ what: 'shifts' });
    if (EARNING_RULES.some((rule) => rule in changed)) await share({ what: 'earnings' });
    return settings;
  });
}
