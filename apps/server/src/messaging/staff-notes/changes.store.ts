import { insertAudit } from '../../db/audit.ts';
import type { Database, Statement } from '../../db/database.ts';
import { insertEvents } from '../../db/outbox-events.ts';
import type { Row } from '../../db/tables.ts';

/** A note that was written, changed or deleted, with the outbox id of its event. */
interface NoteChange {
  readonly id: string;
  readonly outbox_id: number;
}

export interface SavedNote extends NoteChange {
  /** The admins this change newly mentions, without the author. */
  readonly mentioned: readonly string[];
}

/** Event payloads have ids but no text: the note is read when the event is emitted. */
const queued = (event: 'staff_note_saved' | 'staff_note_deleted', key: string, more = '') =>
  insertEvents(
    event,
    `jsonb_build_object('conversation_id', conversation_id, '${key}', id${more})`,
    'from note',
  );

/** {@link mentioned}'s new ids, except the author's. */
const MENTIONED = `coalesce((select jsonb_agg(admin_id) from mentioned where not is_self), '[]')`;

const queuedSaved = queued('staff_note_saved', 'note_id', `, 'mentioned', ${MENTIONED}`);

const audited = (action: string) =>
  insertAudit(
    '$3',
    `conversation.${action}`,
    'conversation_id',
    `jsonb_build_object('note_id', id, 'author_id', author_id)`,
    'from note',
  );

/** Inserts mentions for the ids that belong to admins, including removed admins. */
const mentioned = (at: string, ids: string) => `
  insert into staff_note_mentions (note_id, admin_id, at, is_self, read_at)
  select note.id, named.id, ${at}, named.id = note.author_id, case when named.id = note.author_id then ${at} end
  from note join admins named on named.id = any(${ids}::uuid[])
  on conflict do nothing returning admin_id, is_self`;

const insertStatement: Statement = {
  name: 'staff_notes_insert',
  text: `with note as (
      insert into staff_notes (conversation_id, author_id, client_id, payload_hash, content)
      select id, $2, $3, $4, $5 from conversations where id = $1
      returning id, conversation_id, author_id, created_at
    ), mentioned as (${mentioned('note.created_at', '$6')}
    ), queued as (${queuedSaved})
    select note.id, queued.id as outbox_id, ${MENTIONED} as mentioned from note, queued`,
};

/**
 * Writes a note.
 * @param draft its ids are UUIDs, except `clientId`, which can be any text
 * @returns null if there is no such conversation
 * @throws a violation of `staff_notes_client_id_key` for a client id that the author has used before
 */
export async function insertNote(
  db: Database,
  draft: {
    conversationId: string;
    authorId: string;
    clientId: string;
    payloadHash: Buffer;
    content: string;
    mentions: readonly string[];
  },
): Promise<SavedNote | null> {
  const { conversationId, authorId, clientId, payloadHash, content, mentions } = draft;
  const [row] = await db.run<SavedNote>(insertStatement, [
    conversationId,
    authorId,
    clientId,
    payloadHash,
    content,
    mentions,
  ]);
  return row ?? null;
}

/** Finds the note that an author wrote with a client id. */
export async function findByClientId(
  db: Database,
  authorId: string,
  clientId: string,
): Promise<Row<'staff_notes', 'id' | 'payload_hash'> | null> {
  const [row] = await db.run<Row<'staff_notes', 'id' | 'payload_hash'>>(
    {
      name: 'staff_notes_by_client_id',
      text: 'select id, payload_hash from staff_notes where author_id = $1 and client_id = $2',
    },
    [authorId, clientId],
  );
  return row ?? null;
}

const NOW = `date_trunc('milliseconds', clock_timestamp())`;

const updateStatement: Statement = {
  name: 'staff_notes_update',
  text: `with note as (
      update staff_notes set content = $4, version = version + 1, edited_at = ${NOW}
      where id = $1 and conversation_id = $2 and author_id = $3
      returning id, conversation_id, author_id, edited_at
    ), dropped as (
      delete from staff_note_mentions m using note where m.note_id = note.id and m.admin_id <> all($5::uuid[])
    ), mentioned as (${mentioned('note.edited_at', '$5')}
    ), audited as (${audited('edit_staff_note')}
    ), queued as (${queuedSaved})
    select note.id, queued.id as outbox_id, ${MENTIONED} as mentioned from note, queued`,
};

/** Changes the author's own note. Admins still mentioned keep their read state. @returns null if the author has no such note */
export async function updateNote(
  db: Database,
  target: { id: string; conversationId: string; authorId: string },
  { content, mentions }: { content: string; mentions: readonly string[] },
): Promise<SavedNote | null> {
  const { id, conversationId, authorId } = target;
  const values = [id, conversationId, authorId, content, mentions];
  const [row] = await db.run<SavedNote>(updateStatement, values);
  return row ?? null;
}

const deleteStatement: Statement = {
  name: 'staff_notes_delete',
  text: `with note as (
      delete from staff_notes where id = $1 and conversation_id = $2 and ($4 or author_id = $3)
      returning id, conversation_id, author_id
    ), audited as (${audited('delete_staff_note')}
    ), queued as (${queued('staff_note_deleted', 'id')})
    select note.id, queued.id as outbox_id from note, queued`,
};

/** Deletes a note. @param target with `any` if the admin may delete others' notes @returns null if there was none to delete */
export async function deleteNote(
  db: Database,
  target: { id: string; conversationId: string; adminId: string; any: boolean },
): Promise<NoteChange | null> {
  const { id, conversationId, adminId, any } = target;
  const [row] = await db.run<NoteChange>(deleteStatement, [id, conversationId, adminId, any]);
  return row ?? null;
}
