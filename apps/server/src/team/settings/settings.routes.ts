import { getSettings, updateSettings } from '@stagedoor/contract/team/settings';
import type { Database } from '../../db/database.ts';
import { settingsConflict } from '../../errors.ts';
import { type Router, reply } from '../../http/route.ts';
import { changeSettings, readSettings } from './settings.store.ts';

export function bindSettingsRoutes(router: Router, { db }: { readonly db: Database }): void {
  router.bind(getSettings, async () => reply(200, { data: await readSettings(db.kysely) }));

  router.bind(updateSettings, async ({ actor, body }) => {
    const { settings, isChanged } = await changeSettings(db, actor.admin.id, body);
    if (!isChanged) throw settingsConflict(settings);
    return reply(200, { data: settings });
  });
}
