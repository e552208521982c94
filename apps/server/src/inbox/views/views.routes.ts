import * as api from '@stagedoor/contract/inbox/views';
import { type Database, isUuid } from '../../db/database.ts';
import { tooManyViews, viewNotFound } from '../../errors.ts';
import { type Router, reply } from '../../http/route.ts';
import type { SegmentFilter } from '../conversations/conversations.routes.ts';
import { deleteView, findViews, saveView } from './views.store.ts';

interface ViewRoutes {
  readonly db: Database;
  readonly segmentFilter: SegmentFilter;
}

export function bindViewRoutes(router: Router, { db, segmentFilter }: ViewRoutes): void {
  router.bind(api.listViews, async ({ actor }) =>
    reply(200, { data: await findViews(db, actor.admin.id) }),
  );

  router.bind(api.saveView, async ({ actor, body }) => {
    // Called only to refuse unknown segments.
    if (body.segment !== null) await segmentFilter(db, body.segment);
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
