import * as api from '@stagedoor/contract/messaging/drafts';
import { isUuid } from '../../db/database.ts';
import type { Core } from '../../domain.ts';
import { conversationNotFound, invalidField } from '../../errors.ts';
import { type Router, reply } from '../../http/route.ts';
import * as store from './drafts.store.ts';

/** Re-emits events that the originating node failed to emit. */
export const draftReemitters = ({ db, publish }: Pick<Core, 'db' | 'publish'>) => ({
  async draft_updated({ admin_id, conversation_id, version }: store.DraftChanged) {
    const draft = (await store.findDraft(db, admin_id, conversation_id)) ?? null;
    const event = { conversation_id, version: draft?.version ?? version, draft };
    publish.draftUpdated(admin_id, event);
  },
});

/** Binds the drafts of an admin, shared by all their devices. */
export function bindDraftRoutes(router: Router, { db, publish, outbox }: Core): void {
  router.bind(api.listDrafts, async ({ actor }) =>
    reply(200, { data: await store.listDrafts(db, actor.admin.id) }),
  );

  router.bind(api.discardDrafts, async ({ actor }) => {
    const { version, dropped } = await store.dropAllDrafts(db, actor.admin.id);
    for (const { conversationId: conversation_id, outboxId } of dropped) {
      const event = { conversation_id, version, draft: null };
      await outbox.emit([outboxId], () => publish.draftUpdated(actor.admin.id, event));
    }
    return reply(200, { data: { version } });
  });

  router.bind(api.getDraft, async ({ actor, params }) => {
    const draft = isUuid(params.id)
      ? await store.findDraft(db, actor.admin.id, params.id)
      : undefined;
    if (draft === undefined) throw conversationNotFound();
    return reply(200, { data: draft });
  });

  router.bind(api.saveDraft, async ({ actor, params, body }) => {
    if (!isUuid(params.id)) throw conversationNotFound();
    if (body.text.trim() === '' && body.reply_to === null) {
      const known = await store.findDraft(db, actor.admin.id, params.id);
      if (known === undefined) throw conversationNotFound();
      throw invalidField('text', 'Write something, or discard the draft');
    }
    const typed = { text: body.text, replyTo: body.reply_to, ageMs: body.age_ms };
    const saved = await store.storeDraft(db, actor.admin.id, params.id, typed);
    // Null means a newer draft is stored. If that draft has been discarded since, this older text is discarded, too.
    const draft =
      saved === null ? await store.findDraft(db, actor.admin.id, params.id) : saved?.draft;
    if (draft === undefined || draft === null) throw conversationNotFound();
    if (saved) {
      const { conversation_id, version } = draft;
      const event = { conversation_id, version, draft };
      await outbox.emit([saved.outboxId], () => publish.draftUpdated(actor.admin.id, event));
    }
    return reply(200, { data: draft });
  });

  router.bind(api.discardDraft, async ({ actor, params }) => {
    const gone = isUuid(params.id) ? await store.dropDraft(db, actor.admin.id, params.id) : null;
    if (gone === null) throw conversationNotFound();
    const { version, outboxId } = gone;
    if (outboxId !== null) {
      const event = { conversation_id: params.id, version, draft: null };
      await outbox.emit([outboxId], () => publish.draftUpdated(actor.admin.id, event));
    }
    return reply(200, { data: { version } });
  });
}
