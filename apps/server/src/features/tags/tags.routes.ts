import {
  createGlobalTag,
  deleteGlobalTag,
  type GlobalTag,
  listGlobalTags,
  updateGlobalTag,
} from '@stagedoor/contract/tags';
import { type Database, isUuid } from '../../db/database.ts';
import { tagNotFound } from '../../errors.ts';
import { type Router, reply } from '../../http/route.ts';
import type { Publisher } from '../../realtime/publish.ts';
import { createTag, deleteTag, listTags, updateTag } from './tags.store.ts';

interface TagsRoutes {
  readonly db: Database;
  readonly publish: Publisher;
}

/** The library of tags, which every signed-in admin may change. */
export function bindTagRoutes(router: Router, { db, publish }: TagsRoutes): void {
  router.bind(listGlobalTags, async () => reply(200, { data: await listTags(db) }));

  router.bind(createGlobalTag, async ({ body }) => {
    const tag = await createTag(db, body.label, body.color);
    publish.globalTagUpdated({ tag });
    return reply(201, { data: tag });
  });

  router.bind(updateGlobalTag, async ({ params, body }) => {
    const tag: GlobalTag | null = isUuid(params.id) ? await updateTag(db, params.id, body) : null;
    if (tag === null) throw tagNotFound();
    publish.globalTagUpdated({ tag });
    return reply(200, { data: tag });
  });

  router.bind(deleteGlobalTag, async ({ params }) => {
    if (!(isUuid(params.id) && (await deleteTag(db, params.id)))) throw tagNotFound();
    publish.globalTagDeleted({ id: params.id });
    return reply(200, { data: { deleted: true } });
  });
}
