import {
  getAdminFields,
  getNotes,
  getTags,
  removeTag as removeTagEndpoint,
  replaceTags as replaceTagsEndpoint,
  updateAdminFields,
  updateNotes,
  type FanNotesInput,
  type FanTag,
  type FanTagInput,
} from '@stagedoor/contract/fans';
import { type Database, isUuid } from '../../db/database.ts';
import {
  conversationNotFound,
  fanNotFound,
  invalidRequest,
  notesConflict,
  tagNotFound,
} from '../../errors.ts';
import { reply, type Router } from '../../http/route.ts';
import type { Outbox } from '../../realtime/outbox.ts';
import { listTags, removeTag, replaceTags, type TagsChanged } from './fan-tags.store.ts';
import { findNotes, saveNotes } from './notes.store.ts';

interface FansRoutes {
  readonly db: Database;
  /** Tells all that a conversation changed. */
  readonly conversationChanged: (conversationId: string) => Promise<void>;
  readonly outbox: Pick<Outbox, 'emitted'>;
}

/** What staff keep about fans, by the conversation and by the fan's id: two doors to the same data. */
export function bindFanRoutes(router: Router, { db, conversationChanged, outbox }: FansRoutes): void {
  /** @throws AppError 404 `conversation_not_found` */
  async function fanOf(conversationId: string): Promise<string> {
    const row = isUuid(conversationId)
      ? await db.kysely
          .selectFrom('conversations')
          .select('fan_id')
          .where('id', '=', conversationId)
          .executeTakeFirst()
      : undefined;
    if (row === undefined) throw conversationNotFound();
    return row.fan_id;
  }

  async function notesOf(fanId: string) {
    const notes = isUuid(fanId) ? await findNotes(db, fanId) : null;
    if (notes === null) throw fanNotFound();
    return notes;
  }

  async function save(fanId: string, input: FanNotesInput) {
    const saved = await saveNotes(db, fanId, input);
    if (saved === null) throw notesConflict(await notesOf(fanId));
    return saved;
  }

  async function announce(change: TagsChanged | null): Promise<void> {
    if (change === null) throw tagNotFound();
    await conversationChanged(change.conversationId);
    outbox.emitted([change.outboxId]);
  }

  async function saveTags(fanId: string, tags: readonly FanTagInput[]): Promise<FanTag[]> {
    const library = tags.flatMap((tag) => tag.globalTagId ?? []);
    if (new Set(library).size < library.length) {
      throw invalidRequest({ tags: 'Please add each tag of the library once' });
    }
    await announce(await replaceTags(db, fanId, tags));
    return listTags(db, fanId);
  }

  router.bind(getNotes, async ({ params }) =>
    reply(200, { data: await notesOf(await fanOf(params.id)) }),
  );

  router.bind(updateNotes, async ({ params, body }) =>
    reply(200, { data: await save(await fanOf(params.id), body) }),
  );

  router.bind(getTags, async ({ params }) =>
    reply(200, { data: await listTags(db, await fanOf(params.id)) }),
  );

  router.bind(replaceTagsEndpoint, async ({ params, body }) =>
    reply(200, { data: await saveTags(await fanOf(params.id), body.tags) }),
  );

  router.bind(removeTagEndpoint, async ({ params }) => {
    const fanId = await fanOf(params.id);
    await announce(isUuid(params.tagId) ? await removeTag(db, fanId, params.tagId) : null);
    return reply(200, { data: await listTags(db, fanId) });
  });

  router.bind(getAdminFields, async ({ params }) => {
    const { notes, version } = await notesOf(params.customerId);
    const fields = { admin_notes: notes, admin_tags: await listTags(db, params.customerId) };
    return reply(200, { ...fields, data: { ...fields, version } });
  });

  router.bind(updateAdminFields, async ({ params, body }) => {
    const fanId = params.customerId;
    let { version } = await notesOf(fanId);
    const data: { admin_notes?: string; admin_tags?: FanTag[] } = {};
    if (body.admin_notes !== undefined) {
      const saved = await save(fanId, { notes: body.admin_notes, version: body.version });
      version = saved.version;
      data.admin_notes = saved.notes;
    }
    if (body.admin_tags !== undefined) data.admin_tags = await saveTags(fanId, body.admin_tags);
    return reply(200, { data: { ...data, version } });
  });
}
