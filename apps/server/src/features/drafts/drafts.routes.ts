import {
  discardDraft,
  discardDrafts,
  getDraft,
  listDrafts as listDraftsEndpoint,
  saveDraft,
} from '@stagedoor/contract/drafts';
import { type Database, isUuid } from '../../db/database.ts';
import { conversationNotFound, invalidRequest } from '../../errors.ts';
import { type Router, reply } from '../../http/route.ts';
import type { Publisher } from '../../realtime/publish.ts';
import { dropAllDrafts, dropDraft, findDraft, listDrafts, storeDraft } from './drafts.store.ts';

interface DraftRoutes {
  readonly db: Database;
  readonly publish: Pick<Publisher, 'draftUpdated'>;
}

/** What an admin began to write, on whichever of their devices. What can't be told is found when the list is fetched. */
export function bindDraftRoutes(router: Router, { db, publish }: DraftRoutes): void {
  router.bind(listDraftsEndpoint, async ({ actor }) =>
    reply(200, { data: await listDrafts(db, actor.admin.id) }),
  );

  router.bind(discardDrafts, async ({ actor }) => {
    const { version, conversationIds } = await dropAllDrafts(db, actor.admin.id);
    for (const conversation_id of conversationIds) {
      publish.draftUpdated(actor.admin.id, { conversation_id, version, draft: null });
    }
    return reply(200, { data: { version } });
  });

  router.bind(getDraft, async ({ actor, params }) => {
    const draft = isUuid(params.id) ? await findDraft(db, actor.admin.id, params.id) : undefined;
    if (draft === undefined) throw conversationNotFound();
    return reply(200, { data: draft });
  });

  router.bind(saveDraft, async ({ actor, params, body }) => {
    if (!isUuid(params.id)) throw conversationNotFound();
    if (body.text.trim() === '' && body.reply_to === null) {
      const known = await findDraft(db, actor.admin.id, params.id);
      if (known === undefined) throw conversationNotFound();
      throw invalidRequest({ text: 'Please write something, or discard the draft' });
    }
    const typed = { text: body.text, replyTo: body.reply_to, ageMs: body.age_ms };
    const saved = await storeDraft(db, actor.admin.id, params.id, typed);
    // The later edited one may be gone by now: then so is what it was later than.
    const draft = saved === null ? await findDraft(db, actor.admin.id, params.id) : saved;
    if (draft === undefined || draft === null) throw conversationNotFound();
    if (saved !== null) {
      const { conversation_id, version } = draft;
      publish.draftUpdated(actor.admin.id, { conversation_id, version, draft });
    }
    return reply(200, { data: draft });
  });

  router.bind(discardDraft, async ({ actor, params }) => {
    const gone = isUuid(params.id) ? await dropDraft(db, actor.admin.id, params.id) : null;
    if (gone === null) throw conversationNotFound();
    const { version, existed } = gone;
    if (existed) {
      const event = { conversation_id: params.id.toLowerCase(), version, draft: null };
      publish.draftUpdated(actor.admin.id, event);
    }
    return reply(200, { data: { version } });
  });
}
