import type { KeyScope } from '@stagedoor/contract/endpoint';
import type { PlatformKey } from '@stagedoor/contract/platform/platform-keys';
import { type Kysely, sql } from 'kysely';
import { ADVISORY_LOCKS } from '../../db/advisory-locks.ts';
import type { Database } from '../../db/database.ts';
import type { Row, Tables, Tx } from '../../db/tables.ts';

/** Counts the keys that are not revoked. Holds a lock until the transaction ends, so that concurrent creations wait. */
export async function countLiveKeys(tx: Tx): Promise<number> {
  await sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.platformKeys})`.execute(tx);
  const { count } = await tx
    .selectFrom('platform_keys')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

/** @returns the new key's id */
export async function insertKey(
  tx: Tx,
  key: {
    readonly name: string;
    readonly scope: KeyScope;
    readonly hint: string;
    readonly hash: Buffer;
    readonly adminId: string;
  },
): Promise<string> {
  const { id } = await tx
    .insertInto('platform_keys')
    .values({
      name: key.name,
      scope: key.scope,
      hint: key.hint,
      key_hash: key.hash,
      created_by: key.adminId,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** @param id a UUID @returns `revoked`: whether this call revoked it; null if there is no such key */
export async function revokeKey(
  tx: Tx,
  id: string,
): Promise<{ name: string; revoked: boolean } | null> {
  const key = await tx
    .selectFrom('platform_keys')
    .select(['name', 'revoked_at'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (key === undefined) return null;
  if (key.revoked_at !== null) return { name: key.name, revoked: false };
  await tx
    .updateTable('platform_keys')
    .set({ revoked_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
  return { name: key.name, revoked: true };
}

/** Returns whether a key is valid for the scope, and stores the minute in which the key was last used. */
export async function useKey(db: Database, hash: Buffer, scope: KeyScope): Promise<boolean> {
  const [key] = await db.run<Row<'platform_keys', 'id'> & { is_noted: boolean }>(
    {
      name: 'platform_keys_find',
      text: `select id, coalesce(last_used_at >= date_trunc('minute', now()), false) as is_noted
        from platform_keys where key_hash = $1 and scope = $2 and revoked_at is null`,
    },
    [hash, scope],
  );
  if (key === undefined) return false;
  if (!key.is_noted) {
    await db.run(
      {
        name: 'platform_keys_used',
        text: `update platform_keys set last_used_at = date_trunc('minute', now()) where id = $1`,
      },
      [key.id],
    );
  }
  return true;
}

/** Returns all keys, including revoked ones, newest first. */
export async function listKeys(db: Database): Promise<PlatformKey[]> {
  const rows = await select(db.kysely).orderBy('k.created_at', 'desc').orderBy('k.id').execute();
  return rows.map(present);
}

/** @param id a UUID of an existing key */
export async function findKey(db: Kysely<Tables>, id: string): Promise<PlatformKey> {
  return present(await select(db).where('k.id', '=', id).executeTakeFirstOrThrow());
}

const select = (db: Kysely<Tables>) =>
  db
    .selectFrom('platform_keys as k')
    .leftJoin('admins as a', 'a.id', 'k.created_by')
    .select([
      'k.id',
      'k.name',
      'k.scope',
      'k.hint',
      'k.created_at',
      'k.last_used_at',
      'k.revoked_at',
      'a.id as admin_id',
      'a.codename',
      'a.display_color',
    ]);

type KeyRow = Awaited<ReturnType<ReturnType<typeof select>['execute']>>[number];

function present(row: KeyRow): PlatformKey {
  const { admin_id: id, codename, display_color } = row;
  const known = id !== null && codename !== null && display_color !== null;
  return {
    id: row.id,
    name: row.name,
    scope: row.scope,
    hint: row.hint,
    created_by: known ? { id, codename, display_color } : null,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
  };
}
