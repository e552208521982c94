import * as api from '@stagedoor/contract/fans/fans';
import type { Kysely } from 'kysely';
import { isUuid } from '../../db/database.ts';
import type { Tables, Tx } from '../../db/tables.ts';
import type { Core } from '../../domain.ts';
import { conversationNotFound, fanNotFound, invalidField, notesConflict } from '../../errors.ts';
import { type Router, reply } from '../../http/route.ts';
import type { ChangeFan, HeldFan } from './change-fan.ts';
import { listTags, removeTag, replaceTags } from './fan-tags.store.ts';
import { findFanOfConversation } from './fans.store.ts';
import { findNotes, saveNotes } from './notes.store.ts';

/** Binds fans' profile notes and tags, which can be reached by conversation id and by fan id. */
export function bindFanRoutes(router: Router, { db }: Core, changeFan: ChangeFan): void {
  /** @throws AppError 404 `conversation_not_found` */
  async function fanOf(conversationId: string): Promise<string> {
    const fan = isUuid(conversationId) ? await findFanOfConversation(db, conversationId) : null;
    if (fan === null) throw conversationNotFound();
    return fan.id;
  }

  /** @throws AppError 404 `fan_not_found` */
  async function notesOf(fanId: string, on: Kysely<Tables> = db.kysely) {
    const notes = isUuid(fanId) ? await findNotes(on, fanId) : null;
    if (notes === null) throw fanNotFound();
    return notes;
  }

  /** @throws AppError 409 `notes_conflict` with the stored notes */
  async function save(tx: Tx, fan: HeldFan, input: api.FanNotesInput) {
    const saved = await saveNotes(tx, fan, input);
    if (saved === null) throw notesConflict(await notesOf(fan.id, tx));
    return saved;
  }

  /** Returns the tags. @throws AppError 400 if a library tag occurs twice */
  function eachOnce(tags: readonly api.FanTagInput[]): readonly api.FanTagInput[] {
    const library = tags.flatMap((tag) => tag.globalTagId ?? []);
    if (new Set(library).size === library.length) return tags;
    throw invalidField('tags', 'Add each library tag only once');
  }

  const large = router.limited({ bodyLimit: api.NOTES_BODY_BYTES });

  router.bind(api.getNotes, async ({ params }) =>
    reply(200, { data: await notesOf(await fanOf(params.id)) }),
  );

  large.bind(api.updateNotes, async ({ params, body }) => {
    // Needs no event: clients fetch profile notes whenever they open them.
    const data = await changeFan({ conversation: params.id }, async (tx, fan) => ({
      shows: null,
      result: await save(tx, fan, body),
    }));
    return reply(200, { data });
  });

  router.bind(api.getTags, async ({ params }) =>
    reply(200, { data: await listTags(db, await fanOf(params.id)) }),
  );

  router.bind(api.replaceTags, async ({ params, body }) => {
    const tags = eachOnce(body.tags);
    const fanId = await changeFan({ conversation: params.id }, async (tx, fan) => {
      await replaceTags(tx, fan, tags);
      return { shows: 'conversation', result: fan.id };
    });
    return reply(200, { data: await listTags(db, fanId) });
  });

  router.bind(api.removeTag, async ({ params }) => {
    const fanId = await changeFan({ conversation: params.id }, async (tx, fan) => {
      await removeTag(tx, fan, params.tagId);
      return { shows: 'conversation', result: fan.id };
    });
    return reply(200, { data: await listTags(db, fanId) });
  });

  router.bind(api.getAdminFields, async ({ params }) => {
    const { notes, version } = await notesOf(params.customerId);
    const fields = { admin_notes: notes, admin_tags: await listTags(db, params.customerId) };
    return reply(200, { ...fields, data: { ...fields, version } });
  });

  large.bind(api.updateAdminFields, async ({ params, body }) => {
    const fanId = params.customerId;
    const { admin_notes, admin_tags } = body;
    const version = await changeFan({ fan: fanId }, async (tx, fan) => {
      if (admin_tags !== undefined) await replaceTags(tx, fan, eachOnce(admin_tags));
      const notes =
        admin_notes === undefined
          ? await notesOf(fanId, tx)
          : await save(tx, fan, { notes: admin_notes, version: body.version });
      return { shows: admin_tags === undefined ? null : 'conversation', result: notes.version };
    });
    return reply(200, {
      data: {
        version,
        ...(admin_notes !== undefined && { admin_notes }),
        ...(admin_tags !== undefined && { admin_tags: await listTags(db, fanId) }),
      },
    });
  });
}
