import type { Mention, Teammate } from '@stagedoor/contract/messaging/mentions';
import type { Database, Statement } from '../../db/database.ts';
import { insertEvents } from '../../db/outbox-events.ts';
import type { Row } from '../../db/tables.ts';
import type { TimeCursor } from '../../http/cursor.ts';
import { NOTE_COLUMNS, type NoteRow } from './staff-notes.store.ts';

/** A limit above the size of any team. */
const TEAMMATES_MAX = 1_000;

const teammatesStatement: Statement = {
  name: 'staff_notes_teammates',
  text: `select id, codename, display_color, can_manage_messages from admins
    where is_active order by lower(codename) collate "C" limit ${TEAMMATES_MAX}`,
};

/** Returns all active staff, sorted by codename. */
export const findTeammates = (db: Database): Promise<Teammate[]> =>
  db.run<Teammate>(teammatesStatement, []);

export interface MentionRow extends NoteRow, Row<'staff_note_mentions', 'at' | 'read_at'> {
  readonly fan: Mention['fan'];
}

const pageStatement: Statement = {
  name: 'staff_notes_mentions',
  text: `select own.at, own.read_at, ${NOTE_COLUMNS},
      jsonb_build_object('id', f.id, 'first_name', f.first_name, 'last_name', f.last_name, 'username', f.username,
        'email', f.email, 'avatar_url', f.avatar_url) as fan
    from (
      select note_id, at, read_at from staff_note_mentions
      where admin_id = $1 and not is_self and (at, note_id) < ($2::timestamptz, $3::uuid)
      order by at desc, note_id desc limit $4
    ) own
    join staff_notes n on n.id = own.note_id
    join admins author on author.id = n.author_id
    join conversations c on c.id = n.conversation_id
    join fans f on f.id = c.fan_id
    order by own.at desc, own.note_id desc`,
};

/** Greater than or equal to any id. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Returns the notes that mention an admin, newest first. @param before null for the first page */
export function findMentions(
  db: Database,
  adminId: string,
  before: TimeCursor | null,
  limit: number,
): Promise<MentionRow[]> {
  const { at, id } = before ?? { at: 'infinity', id: LAST_ID };
  return db.run<MentionRow>(pageStatement, [adminId, at, id, limit]);
}

const readStatement: Statement = {
  name: 'staff_notes_read_mentions',
  text: `with read as (
      update staff_note_mentions set read_at = now() where admin_id = $1 and note_id in (
        select note_id from staff_note_mentions
        where admin_id = $1 and read_at is null and not is_self and ($2::uuid[] is null or note_id = any($2))
          and ($3::text is null or (at, note_id) <=
            (select at, note_id from staff_note_mentions where admin_id = $1 and not is_self and note_id::text = $3))
        for update skip locked)
      returning note_id
    ), queued as (
      ${insertEvents('mentions_read', `jsonb_build_object('admin_id', $1::uuid)`, 'where exists (select from read)')}
    )
    select id as outbox_id from queued`,
};

/**
 * Marks an admin's mentions as read. Skips locked ones: they are being read, or deleted with their note or fan.
 * @param noteIds UUIDs; null for all
 * @param upTo the id of the note with the newest mention to mark; null for all. If it doesn't mention the admin, nothing is marked
 * @returns the event's outbox id; null if nothing was unread
 */
export async function markMentionsRead(
  db: Database,
  adminId: string,
  noteIds: readonly string[] | null,
  upTo: string | null,
): Promise<number | null> {
  const [row] = await db.run<{ outbox_id: number }>(readStatement, [adminId, noteIds, upTo]);
  return row?.outbox_id ?? null;
}

/** Counts an admin's unread mentions. */
export async function countUnread(db: Database, adminId: string): Promise<number> {
  const [row] = await db.run<{ count: number }>(
    {
      name: 'staff_notes_unread_mentions',
      text: `select count(*)::int as count from staff_note_mentions
        where admin_id = $1 and read_at is null and not is_self`,
    },
    [adminId],
  );
  return row?.count ?? 0;
}
