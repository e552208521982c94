import * as api from '@stagedoor/contract/fans/tags';
import { isUuid } from '../../db/database.ts';
import { queueEvent } from '../../db/outbox-events.ts';
import type { Tx } from '../../db/tables.ts';
import type { Core } from '../../domain.ts';
import { tagNotFound } from '../../errors.ts';
import { type Router, reply } from '../../http/route.ts';
import { createTag, deleteTag, listTags, updateTag } from './tags.store.ts';

/** Binds the tag library, which every signed-in admin may change. */
export function bindTagRoutes(router: Router, { db, publish, outbox }: Core): void {
  /** Saves a tag and queues its event in one transaction, then emits the event. */
  async function save(work: (tx: Tx) => Promise<api.GlobalTag | null>): Promise<api.GlobalTag> {
    const { tag, outboxId } = await db.kysely.transaction().execute(async (tx) => {
      const saved = await work(tx);
      if (saved === null) throw tagNotFound();
      return { tag: saved, outboxId: await queueEvent(tx, 'global_tag_updated', { tag: saved }) };
    });
    await outbox.emit([outboxId], () => publish.globalTagUpdated({ tag }));
    return tag;
  }

  router.bind(api.listGlobalTags, async () => reply(200, { data: await listTags(db) }));

  router.bind(api.createGlobalTag, async ({ body }) => {
    const tag = await save((tx) => createTag(tx, body.label, body.color));
    return reply(201, { data: tag });
  });

  router.bind(api.updateGlobalTag, async ({ params, body }) => {
    const tag = await save(async (tx) =>
      isUuid(params.id) ? updateTag(tx, params.id, body) : null,
    );
    return reply(200, { data: tag });
  });

  router.bind(api.deleteGlobalTag, async ({ params }) => {
    const { id } = params;
    const outboxId = await db.kysely.transaction().execute(async (tx) => {
      if (!(isUuid(id) && (await deleteTag(tx, id)))) throw tagNotFound();
      return queueEvent(tx, 'global_tag_deleted', { id });
    });
    await outbox.emit([outboxId], () => publish.globalTagDeleted({ id }));
    return reply(200, { data: { deleted: true } });
  });
}
