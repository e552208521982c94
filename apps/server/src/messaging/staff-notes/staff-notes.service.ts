import { createHash } from 'node:crypto';
import { mentionedIn } from '@stagedoor/contract/messaging/mention-text';
import { STAFF_NOTE_MENTIONS_MAX, type StaffNote } from '@stagedoor/contract/messaging/staff-notes';
import { isUuid, violates } from '../../db/database.ts';
import type { Core } from '../../domain.ts';
import * as errors from '../../errors.ts';
import { pageOf, timeCursors } from '../../http/cursor.ts';
import type { AdminActor } from '../../http/route.ts';
import * as changesStore from './changes.store.ts';
import * as store from './staff-notes.store.ts';

const cursors = timeCursors(3);

export type StaffNotesService = ReturnType<typeof createStaffNotesService>;

/** A time span of a conversation: ISO instants, `from` included, `to` excluded. */
interface Span {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/**
 * Manages staff notes, which are shown among the messages of a conversation. They don't change the conversation's version,
 * order, last message or unread count.
 * @param mentioned called after the commit with the admins whom the note newly mentions
 */
export function createStaffNotesService(
  { db, publish, outbox, requireConversation }: Core,
  mentioned: (note: StaffNote, adminIds: readonly string[]) => void,
) {
  /** Emits a new or changed note to all staff. */
  async function settle(change: changesStore.SavedNote): Promise<StaffNote> {
    const note = await store.findNote(db, change.id);
    // The note has been deleted since; the deletion has its own event.
    if (note === null) throw errors.staffNoteNotFound();
    await outbox.emit([change.outbox_id], () =>
      publish.staffNoteSaved({ note, mentioned: [...change.mentioned] }),
    );
    mentioned(note, change.mentioned);
    return note;
  }

  /** @throws AppError 404 `staff_note_not_found`, or 403 `not_note_author` if there is such a note */
  async function refuse(conversationId: string, id: string): Promise<never> {
    const note = isUuid(id) ? await store.findNote(db, id) : null;
    throw note?.conversation_id === conversationId
      ? errors.notNoteAuthor()
      : errors.staffNoteNotFound();
  }

  return {
    /** @throws AppError 404 `conversation_not_found` */
    async list(conversationId: string, { from, to, cursor, limit }: Span) {
      if (!isUuid(conversationId)) throw errors.conversationNotFound();
      const end = to === undefined ? null : store.cursorBefore(to);
      const before = cursor === undefined ? end : cursors.decode(cursor);
      const rows = await store.findNotes(db, conversationId, {
        from: from === undefined ? null : new Date(from),
        before,
        limit: limit + 1,
      });
      if (rows.length === 0) await requireConversation(conversationId);
      const { page, next_cursor } = pageOf(rows, limit, ({ created_at, id }) =>
        cursors.encode({ at: created_at.toISOString(), id }),
      );
      return { data: page.map(store.presentNote).toReversed(), next_cursor };
    },

    /** @throws AppError 404 for the conversation, 400 for too many mentions, 409 for a client id used for another note */
    async create(
      { admin }: AdminActor,
      conversationId: string,
      input: { readonly client_id: string; readonly content: string },
    ): Promise<{ note: StaffNote; created: boolean }> {
      if (!isUuid(conversationId)) throw errors.conversationNotFound();
      const { client_id: clientId, content } = input;
      const payloadHash = hashOf(conversationId, content);
      const mentions = mentionsOf(content);
      const draft = {
        conversationId,
        authorId: admin.id,
        clientId,
        payloadHash,
        content,
        mentions,
      };
      try {
        const inserted = await changesStore.insertNote(db, draft);
        if (inserted === null) throw errors.conversationNotFound();
        return { note: await settle(inserted), created: true };
      } catch (error) {
        if (violates(error, 'staff_notes_conversation_id_fkey'))
          throw errors.conversationNotFound();
        if (!violates(error, 'staff_notes_client_id_key')) throw error;
      }
      const original = await changesStore.findByClientId(db, admin.id, clientId);
      const note = original && (await store.findNote(db, original.id));
      if (original === null || note === null) throw errors.staffNoteNotFound();
      if (!original.payload_hash.equals(payloadHash))
        throw errors.idempotencyConflict('This id was already used for another note');
      return { note, created: false };
    },

    /** @throws AppError 404, 403 `not_note_author`, 400 for too many mentions */
    async update(
      { admin }: AdminActor,
      { id: conversationId, noteId }: { readonly id: string; readonly noteId: string },
      content: string,
    ): Promise<StaffNote> {
      const mentions = mentionsOf(content);
      const target = { id: noteId, conversationId, authorId: admin.id };
      const known = isUuid(conversationId) && isUuid(noteId);
      const changed = known
        ? await changesStore.updateNote(db, target, { content, mentions })
        : null;
      return changed === null ? refuse(conversationId, noteId) : settle(changed);
    },

    /** @throws AppError 404, 403 `not_note_author` */
    async remove(
      { admin }: AdminActor,
      { id: conversationId, noteId }: { readonly id: string; readonly noteId: string },
    ): Promise<void> {
      const any = admin.permissions.can_manage_admins;
      const target = { id: noteId, conversationId, adminId: admin.id, any };
      const known = isUuid(conversationId) && isUuid(noteId);
      const gone = known ? await changesStore.deleteNote(db, target) : null;
      if (gone === null) return refuse(conversationId, noteId);
      const event = { conversation_id: conversationId, id: gone.id };
      await outbox.emit([gone.outbox_id], () => publish.staffNoteDeleted(event));
    },

    /** Re-emits events that the originating node failed to emit. */
    reemitters: {
      /** @param ref without `mentioned` if the previous version of the server queued it */
      async staff_note_saved(ref: { note_id: string; mentioned?: string[] }) {
        const note = await store.findNote(db, ref.note_id);
        if (note !== null) publish.staffNoteSaved({ note, mentioned: ref.mentioned ?? [] });
      },
      staff_note_deleted: publish.staffNoteDeleted,
    },
  };
}

/** @throws AppError 400 */
function mentionsOf(content: string): string[] {
  const ids = mentionedIn(content);
  if (ids.length <= STAFF_NOTE_MENTIONS_MAX) return ids;
  throw errors.invalidField('content', `Mention at most ${STAFF_NOTE_MENTIONS_MAX} teammates`);
}

const hashOf = (conversationId: string, content: string): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([conversationId, content]))
    .digest();
