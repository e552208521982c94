import {
  type FanNotesInput,
  type FanTagInput,
  getAdminFields,
  getNotes,
  getTags,
  removeTag as removeTagEndpoint,
  replaceTags as replaceTagsEndpoint,
  updateAdminFields,
  updateNotes,
} from '@stagedoor/contract/fans/fans';
import type { Kysely, Transaction } from 'kysely';
import { type Database, isUuid } from '../../db/database.ts';
import type { ConversationsChanged, ConversationTouched } from '../../db/outbox-events.ts';
import type { Tables } from '../../db/tables.ts';
import {
  conversationNotFound,
  fanNotFound,
  invalidField,
  notesConflict,
  tagNotFound,
} from '../../errors.ts';
import { type Router, reply } from '../../http/route.ts';
import { listTags, removeTag, replaceTags } from './fan-tags.store.ts';
import { findNotes, saveNotes } from './notes.store.ts';

interface FansRoutes {
  readonly db: Database;
  /** Emits that conversations changed. */
  readonly conversationChanged: ConversationsChanged;
}

/** Binds fans' profile notes and tags, which can be reached by conversation id and by fan id. */
export function bindFanRoutes(router: Router, { db, conversationChanged }: FansRoutes): void {
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

  /** @throws AppError 404 `fan_not_found` */
  async function notesOf(fanId: string, on: Kysely<Tables> = db.kysely) {
    const notes = isUuid(fanId) ? await findNotes(on, fanId) : null;
    if (notes === null) throw fanNotFound();
    return notes;
  }

  /** @throws AppError 409 `notes_conflict` with the stored notes */
  async function save(on: Kysely<Tables>, fanId: string, input: FanNotesInput) {
    const saved = await saveNotes(on, fanId, input);
    if (saved === null) throw notesConflict(await notesOf(fanId, on));
    return saved;
  }

  /** Runs `work` in a transaction, then emits the conversation's change. */
  async function changeTags(
    work: (tx: Transaction<Tables>) => Promise<ConversationTouched | null>,
  ): Promise<void> {
    const change = await db.kysely.transaction().execute(async (tx) => {
      const changed = await work(tx);
      if (changed === null) throw tagNotFound();
      return changed;
    });
    await conversationChanged([change]);
  }

  /** @throws AppError 400 */
  function eachOnce(tags: readonly FanTagInput[]): readonly FanTagInput[] {
    const library = tags.flatMap((tag) => tag.globalTagId?.toLowerCase() ?? []);
    if (new Set(library).size === library.length) return tags;
    throw invalidField('tags', 'Add each library tag only once');
  }

  router.bind(getNotes, async ({ params }) =>
    reply(200, { data: await notesOf(await fanOf(params.id)) }),
  );

  router.bind(updateNotes, async ({ params, body }) =>
    reply(200, { data: await save(db.kysely, await fanOf(params.id), body) }),
  );

  router.bind(getTags, async ({ params }) =>
    reply(200, { data: await listTags(db, await fanOf(params.id)) }),
  );

  router.bind(replaceTagsEndpoint, async ({ params, body }) => {
    const fanId = await fanOf(params.id);
    const tags = eachOnce(body.tags);
    await changeTags((tx) => replaceTags(tx, fanId, tags));
    return reply(200, { data: await listTags(db, fanId) });
  });

  router.bind(removeTagEndpoint, async ({ params }) => {
    const fanId = await fanOf(params.id);
    await changeTags(async (tx) =>
      isUuid(params.tagId) ? removeTag(tx, fanId, params.tagId) : null,
    );
    return reply(200, { data: await listTags(db, fanId) });
  });

  router.bind(getAdminFields, async ({ params }) => {
    const { notes, version } = await notesOf(params.customerId);
    const fields = { admin_notes: notes, admin_tags: await listTags(db, params.customerId) };
    return reply(200, { ...fields, data: { ...fields, version } });
  });

  router.bind(updateAdminFields, async ({ params, body }) => {
    const fanId = params.customerId;
    const { admin_notes, admin_tags } = body;
    let { version } = await notesOf(fanId);
    const saveText = async (on: Kysely<Tables>) => {
      if (admin_notes === undefined) return;
      const saved = await save(on, fanId, { notes: admin_notes, version: body.version });
      version = saved.version;
    };
    if (admin_tags === undefined) {
      await saveText(db.kysely);
    } else {
      const tags = eachOnce(admin_tags);
      await changeTags(async (tx) => {
        // Tags first: they take the conversation's lock, which comes before the fan's.
        const changed = await replaceTags(tx, fanId, tags);
        if (changed !== null) await saveText(tx);
        return changed;
      });
    }
    return reply(200, {
      data: {
        version,
        ...(admin_notes !== undefined && { admin_notes }),
        ...(admin_tags !== undefined && { admin_tags: await listTags(db, fanId) }),
      },
    });
  });
}
