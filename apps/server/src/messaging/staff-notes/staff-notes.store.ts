import type { StaffNote } from '@stagedoor/contract/messaging/staff-notes';
import type { StaffMember } from '@stagedoor/contract/team/staff';
import type { Database, Statement } from '../../db/database.ts';
import type { Row } from '../../db/tables.ts';
import type { TimeCursor } from '../../http/cursor.ts';

/** A note as the queries return it. */
export interface NoteRow
  extends Row<
    'staff_notes',
    'id' | 'conversation_id' | 'content' | 'created_at' | 'edited_at' | 'version'
  > {
  readonly author: StaffMember;
  readonly mentions: StaffMember[] | null;
}

/** Returns SQL for the {@link StaffMember} in a row of `admins`. @param admin the row's alias */
export const memberOf = (admin: string) =>
  `jsonb_build_object('id', ${admin}.id, 'codename', ${admin}.codename, 'display_color', ${admin}.display_color)`;

/** The columns of a {@link NoteRow}, from notes `n` and their authors `author`. */
export const NOTE_COLUMNS = `n.id, n.conversation_id, n.content, n.version, n.created_at, n.edited_at,
  ${memberOf('author')} as author, (
    select jsonb_agg(${memberOf('named')} order by named.codename)
    from staff_note_mentions m join admins named on named.id = m.admin_id where m.note_id = n.id
  ) as mentions`;

export const presentNote = (row: NoteRow): StaffNote => ({
  id: row.id,
  conversation_id: row.conversation_id,
  content: row.content,
  author: row.author,
  mentions: row.mentions ?? [],
  created_at: row.created_at.toISOString(),
  edited_at: row.edited_at?.toISOString() ?? null,
  version: row.version,
});

const pageStatement: Statement = {
  name: 'staff_notes_page',
  text: `select ${NOTE_COLUMNS} from (
      select * from staff_notes where conversation_id = $1
        and created_at >= $2::timestamptz and (created_at, id) < ($3::timestamptz, $4::uuid)
      order by created_at desc, id desc limit $5
    ) n join admins author on author.id = n.author_id
    order by n.created_at desc, n.id desc`,
};

/** Less than or equal to any id. */
const NO_ID = '00000000-0000-0000-0000-000000000000';

/** Returns a conversation's notes from an instant up to a cursor, newest first. */
export function findNotes(
  db: Database,
  conversationId: string,
  { from, before, limit }: { from: Date | null; before: TimeCursor | null; limit: number },
): Promise<NoteRow[]> {
  const { at, id } = before ?? { at: 'infinity', id: NO_ID };
  return db.run<NoteRow>(pageStatement, [conversationId, from ?? '-infinity', at, id, limit]);
}

export const cursorBefore = (instant: string): TimeCursor => ({
  at: new Date(instant).toISOString(),
  id: NO_ID,
});

const findStatement: Statement = {
  name: 'staff_notes_find',
  text: `select ${NOTE_COLUMNS} from staff_notes n join admins author on author.id = n.author_id where n.id = $1`,
};

/** @param id a UUID */
export async function findNote(db: Database, id: string): Promise<StaffNote | null> {
  const [row] = await db.run<NoteRow>(findStatement, [id]);
  return row ? presentNote(row) : null;
}
