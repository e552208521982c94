import type { AdminRecord } from '@stagedoor/contract/team/admins';
import type { SignedInAdmin } from '@stagedoor/contract/team/auth';
import type { Kysely } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { Row, Tables } from '../../db/tables.ts';
import type { Language } from '../../texts.ts';
import { manages } from './roles.ts';

/** The columns that make a {@link SignedInAdmin}. */
export type AdminRow = Row<
  'admins',
  'id' | 'email' | 'codename' | 'role' | 'display_color' | 'can_manage_messages'
>;

/** Returns an admin as they see themselves. */
export function presentAdmin(row: AdminRow): SignedInAdmin {
  return {
    id: row.id,
    email: row.email,
    codename: row.codename,
    role: row.role,
    display_color: row.display_color,
    permissions: {
      can_manage_admins: manages(row.role),
      can_manage_messages: row.can_manage_messages,
    },
  };
}

export type StoredAdmin = Row<'admins'>;

/** Returns an admin as managers see them. */
export function presentRecord(row: StoredAdmin): AdminRecord {
  return {
    ...presentAdmin(row),
    is_active: row.is_active,
    created_at: row.created_at.toISOString(),
    last_active_at: row.last_active_at?.toISOString() ?? null,
    passkeys: row.passkeys,
    version: row.version,
  };
}

/** Returns the active admin with an email address, or null. @param email in lower case */
export async function findActiveAdmin(
  db: Database,
  email: string,
): Promise<Pick<StoredAdmin, 'id' | 'language'> | null> {
  const row = await db.kysely
    .selectFrom('admins')
    .select(['id', 'language'])
    .where('email', '=', email)
    .where('is_active', '=', true)
    .executeTakeFirst();
  return row ?? null;
}

/** Saves the language in which an admin uses the console. */
export async function saveLanguage(db: Database, id: string, language: Language): Promise<void> {
  await db.kysely
    .updateTable('admins')
    .set({ language })
    .where('id', '=', id)
    .where('language', 'is distinct from', language)
    .execute();
}

/** @param id a UUID */
export async function findAdmin(db: Kysely<Tables>, id: string): Promise<StoredAdmin | null> {
  const row = await db.selectFrom('admins').selectAll().where('id', '=', id).executeTakeFirst();
  return row ?? null;
}

/** @param email in lower case */
export async function findByEmail(db: Kysely<Tables>, email: string): Promise<StoredAdmin | null> {
  const row = await db
    .selectFrom('admins')
    .selectAll()
    .where('email', '=', email)
    .executeTakeFirst();
  return row ?? null;
}

/** Returns all current and former admins, active ones first, then by email. */
export function listAdmins(db: Database): Promise<StoredAdmin[]> {
  return db.kysely
    .selectFrom('admins')
    .selectAll()
    .orderBy('is_active', 'desc')
    .orderBy('email')
    .execute();
}
