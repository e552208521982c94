import type { FanNotes, FanNotesInput } from '@stagedoor/contract/fans';
import type { Database, Statement } from '../../db/database.ts';

const COLUMNS = 'dob, location, marital_status, years_of_support, notes, notes_version as version';
const FIELDS = ['dob', 'location', 'marital_status', 'years_of_support', 'notes'] as const;

const findStatement: Statement = {
  name: 'notes_find',
  text: `select ${COLUMNS} from fans where id = $1`,
};

/** @param fanId a UUID */
export async function findNotes(db: Database, fanId: string): Promise<FanNotes | null> {
  const [row] = await db.run<FanNotes>(findStatement, [fanId]);
  return row ?? null;
}

/** A field that is not given (null) keeps its value; `$2` is the version that the caller's text is based on. */
const saveStatement: Statement = {
  name: 'notes_save',
  text: `update fans set ${FIELDS.map((field, index) => `${field} = coalesce($${index + 3}, ${field})`).join(', ')},
      notes_version = notes_version + 1
    where id = $1 and ($2::int is null or notes_version = $2) returning ${COLUMNS}`,
};

/** @returns null when the notes were saved by someone else since the given version, or there is no such fan */
export async function saveNotes(
  db: Database,
  fanId: string,
  input: FanNotesInput,
): Promise<FanNotes | null> {
  const values = FIELDS.map((field) => input[field] ?? null);
  const [row] = await db.run<FanNotes>(saveStatement, [fanId, input.version ?? null, ...values]);
  return row ?? null;
}
