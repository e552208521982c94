import type { FanNotes, FanNotesInput } from '@stagedoor/contract/fans/fans';
import { type Kysely, sql } from 'kysely';
import type { Tables, Tx } from '../../db/tables.ts';
import type { HeldFan } from './change-fan.ts';

const FIELDS = ['dob', 'location', 'marital_status', 'years_of_support', 'notes'] as const;

/** @param fanId a UUID */
export async function findNotes(db: Kysely<Tables>, fanId: string): Promise<FanNotes | null> {
  const notes = await db
    .selectFrom('fans')
    .select([...FIELDS, 'notes_version as version'])
    .where('id', '=', fanId)
    .executeTakeFirst();
  return notes ?? null;
}

/**
 * Saves the given fields and keeps the rest. Without fields, changes nothing.
 * @param input `version` is the version on which the caller's text is based; without it, the save overwrites any version
 * @returns null if the stored version differs
 */
export async function saveNotes(
  tx: Tx,
  fan: HeldFan,
  { version, ...given }: FanNotesInput,
): Promise<FanNotes | null> {
  const raise = Object.keys(given).length > 0 ? 1 : 0;
  const saved = await tx
    .updateTable('fans')
    .set((eb) => ({ ...given, notes_version: eb('notes_version', '+', raise) }))
    .where('id', '=', fan.id)
    .$if(version !== undefined, (query) =>
      // The caller's number can exceed the column's range.
      query.where('notes_version', '=', sql<number>`${version}::bigint`),
    )
    .returning([...FIELDS, 'notes_version as version'])
    .executeTakeFirst();
  return saved ?? null;
}
