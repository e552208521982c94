import { getSettings, updateSettings } from '@stagedoor/contract/team/settings';
import { knownZones } from '../../db/zones.ts';
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
    const zone = body.time_zone?.toLowerCase();
    if (zone !== undefined && !(await zones()).includes(zone))
      throw invalidRequest({ time_zone: 'Must be an IANA time zone' });
    return reply(200, { data: await changeSettings(changeShared, actor.admin.id, body) });
  });
}
