import { getSettings, updateSettings } from '@stagedoor/contract/team/settings';
import { knownZones, zoneForDatabase } from '../../db/zones.ts';
import type { Core } from '../../domain.ts';
import { invalidRequest } from '../../errors.ts';
import { type Router, reply } from '../../http/route.ts';
import { changeSettings, readSettings } from './settings.store.ts';

export function bindSettingsRoutes(
  router: Router,
  { db, changeShared }: Pick<Core, 'db' | 'changeShared'>,
): void {
  const zones = knownZones(db);

  router.bind(getSettings, async () => reply(200, { data: await readSettings(db.kysely) }));

  router.bind(updateSettings, async ({ actor, body }) => {
    const time_zone = body.time_zone && zoneForDatabase(body.time_zone);
    if (time_zone !== undefined && !(await zones()).includes(time_zone.toLowerCase()))
      throw invalidRequest({ time_zone: 'Must be an IANA time zone' });
    const change = { ...body, time_zone };
    return reply(200, { data: await changeSettings(changeShared, actor.admin.id, change) });
  });
}
