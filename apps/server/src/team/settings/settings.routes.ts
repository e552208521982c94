import { getSettings, updateSettings } from '@stagedoor/contract/team/settings';
import type { Core } from '../../domain.ts';
import { settingsConflict } from '../../errors.ts';
import { type Router, reply } from '../../http/route.ts';
import { changeSettings, readSettings } from './settings.store.ts';

export function bindSettingsRoutes(
  router: Router,
  { db, emitShared }: Pick<Core, 'db' | 'emitShared'>,
): void {
  router.bind(getSettings, async () => reply(200, { data: await readSettings(db.kysely) }));

  router.bind(updateSettings, async ({ actor, body }) => {
    const { settings, isChanged, update } = await changeSettings(db, actor.admin.id, body);
    if (!isChanged) throw settingsConflict(settings);
    if (update !== undefined) await emitShared(update);
    return reply(200, { data: settings });
  });
}
