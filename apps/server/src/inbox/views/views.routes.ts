import * as api from '@stagedoor/contract/inbox/views';
import { type Database, isUuid } from '../../db/database.ts';
import { tooManyViews, viewNotFound } from '../../errors.ts';
import { type Router, reply } from '../../http/route.ts';
import { deleteView, findViews, saveView } from './views.store.ts';

export function bindViewRoutes(router: Router, db: Database): void {
  router.bind(api.listViews, async ({ actor }) =>
    reply(200, { data: await findViews(db, actor.admin.id) }),
  );

  router.bind(api.saveView, async ({ actor, body }) => {
    const data = await saveView(db, actor.admin.id, body);
    if (data === null) throw tooManyViews();
    return reply(200, { data });
  });

  router.bind(api.deleteView, async ({ actor, params }) => {
    const isDeleted = isUuid(params.id) && (await deleteView(db, actor.admin.id, params.id));
    if (!isDeleted) throw viewNotFound();
    return reply(200, { data: { deleted: true } });
  });
}
