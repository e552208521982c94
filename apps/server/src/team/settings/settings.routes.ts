import { getSettings, updateSettings } from '@stagedoor/contract/team/settings';
import { knownZones } from '../../db/zones.ts';
import type { Core } from '../../domain.ts';
import { invalidRequest, settingsConflict } from '../../errors.ts';
import { type Router, reply } from '../../http/route.ts';
import { changeSettings, readSettings } from './settings.store.ts';

export function bindSettingsRoutes(
  router: Router,
  { db, emitShared }: Pick<Core, 'db' | 'emitShared'>,
): void {
  const zones = knownZones(db);

  router.bind(getSettings, async () => reply(200, { data: await readSettings(db.kysely) }));

  router.bind(updateSettings, async ({ actor, body }) => {
    const zone = body.time_zone?.toLowerCase();
    if (zone !== undefined && !(await zones()).includes(zone))
      throw invalidRequest({ time_zone: 'Must be an IANA time zone' });
    const { settings, isChanged, update } = await changeSettings(db, actor.admin.id, body);
    if (!isChanged) throw settingsConflict(settings);
    if (update !== undefined) await emitShared(update);
    return reply(200, { data: settings });
  });
}
