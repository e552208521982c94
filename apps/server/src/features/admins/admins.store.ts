import type { AdminRole, SignedInAdmin } from '@stagedoor/contract/auth';
import { type Database, violates } from '../../db/database.ts';
import { DISPLAY_COLORS, FRUITS } from './fruits.ts';

/** Roles that manage admins, the catalogue and analytics. */
const MANAGING_ROLES: readonly AdminRole[] = ['manager', 'creator'];

/** The columns that make a {@link SignedInAdmin}. */
export interface AdminRow {
  readonly id: string;
  readonly email: string;
  readonly codename: string;
  readonly role: AdminRole;
  readonly display_color: string;
  readonly can_manage_messages: boolean;
}

/** An admin as they themselves see it. */
export function presentAdmin(row: AdminRow): SignedInAdmin {
  return {
    id: row.id,
    email: row.email,
    codename: row.codename,
    role: row.role,
    display_color: row.display_color,
    permissions: {
      can_manage_admins: MANAGING_ROLES.includes(row.role),
      can_manage_messages: row.can_manage_messages,
    },
  };
}

/** @returns the active admin with that address (in lower case), or null */
export async function findActiveAdmin(db: Database, email: string): Promise<AdminRow | null> {
  const row = await db.kysely
    .selectFrom('admins')
    .select(['id', 'email', 'codename', 'role', 'display_color', 'can_manage_messages'])
    .where('email', '=', email)
    .where('is_active', '=', true)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Adds an admin with message privileges and the next free codename. An address that is already there keeps its row.
 * @returns whether it was added
 */
export async function addAdmin(db: Database, email: string, role: AdminRole): Promise<boolean> {
  for (;;) {
    const taken = await db.kysely.selectFrom('admins').select('codename').execute();
    const codename = freeCodename(new Set(taken.map((row) => row.codename)));
    const color = DISPLAY_COLORS[taken.length % DISPLAY_COLORS.length] ?? DISPLAY_COLORS[0];
    try {
      const added = await db.kysely
        .insertInto('admins')
        .values({ email, role, codename, display_color: color })
        .onConflict((conflict) => conflict.column('email').doNothing())
        .returning('id')
        .executeTakeFirst();
      return added !== undefined;
    } catch (error) {
      // Someone else took the codename meanwhile: the next one, then.
      if (!violates(error, 'admins_codename_key')) throw error;
    }
  }
}

function freeCodename(taken: ReadonlySet<string>): string {
  const free = FRUITS.filter((fruit) => !taken.has(fruit));
  const picked = free[Math.floor(Math.random() * free.length)];
  if (picked !== undefined) return picked;
  for (let number = 2; ; number++) {
    const numbered = FRUITS.map((fruit) => `${fruit} ${number}`).find((name) => !taken.has(name));
    if (numbered !== undefined) return numbered;
  }
}

/** An admin, whether or not they may still sign in. */
export interface ListedAdmin {
  readonly email: string;
  readonly role: AdminRole;
  readonly codename: string;
  readonly is_active: boolean;
}

/** Everyone who ever was an admin, by address. */
export async function listAdmins(db: Database): Promise<ListedAdmin[]> {
  return db.kysely
    .selectFrom('admins')
    .select(['email', 'role', 'codename', 'is_active'])
    .orderBy('email')
    .execute();
}

/**
 * Lets a removed admin in again, under the codename that they had.
 * @returns whether there was one with that address
 */
export async function restoreAdmin(db: Database, email: string, role: AdminRole): Promise<boolean> {
  const result = await db.kysely
    .updateTable('admins')
    .set({ is_active: true, role })
    .where('email', '=', email)
    .where('is_active', '=', false)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/**
 * Takes an admin's access away: inactive, out of every session, their claims free.
 * @returns whether there was an active admin with that address
 */
export async function deactivateAdmin(db: Database, email: string): Promise<boolean> {
  return db.kysely.transaction().execute(async (tx) => {
    const admin = await tx
      .updateTable('admins')
      .set({ is_active: false })
      .where('email', '=', email)
      .where('is_active', '=', true)
      .returning('id')
      .executeTakeFirst();
    if (admin === undefined) return false;
    await tx.deleteFrom('sessions').where('admin_id', '=', admin.id).execute();
    await tx
      .updateTable('conversations')
      .set((eb) => ({ claimed_by: null, version: eb('version', '+', 1) }))
      .where('claimed_by', '=', admin.id)
      .execute();
    return true;
  });
}
