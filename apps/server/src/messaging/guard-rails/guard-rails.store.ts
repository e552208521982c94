import type { GuardRails } from '@stagedoor/contract/messaging/guard-rails';
import { toCents, toUsd } from '@stagedoor/contract/selling/cents';
import type { Kysely } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { Row, Tables, Tx } from '../../db/tables.ts';

const present = (row: Row<'guard_rails'>): GuardRails => ({
  banned_words: row.banned_words,
  price_min: row.price_min_cents === null ? null : toUsd(row.price_min_cents),
  price_max: row.price_max_cents === null ? null : toUsd(row.price_max_cents),
  version: row.version,
});

/** @param locked locks the row until the transaction ends */
export async function findGuardRails(
  db: Kysely<Tables>,
  locked?: 'for update',
): Promise<GuardRails> {
  const query = db.selectFrom('guard_rails').selectAll();
  return present(await (locked ? query.forUpdate() : query).executeTakeFirstOrThrow());
}

/** Returns the version of the current settings. */
export async function findVersion(db: Database): Promise<number | null> {
  const [row] = await db.run<Row<'guard_rails', 'version'>>(
    { name: 'guard_rails_version', text: 'select version from guard_rails' },
    [],
  );
  return row?.version ?? null;
}

export async function updateGuardRails(
  tx: Tx,
  { banned_words, price_min, price_max }: GuardRails,
): Promise<GuardRails> {
  const row = await tx
    .updateTable('guard_rails')
    .set((eb) => ({
      banned_words,
      price_min_cents: price_min === null ? null : toCents(price_min),
      price_max_cents: price_max === null ? null : toCents(price_max),
      version: eb('version', '+', 1),
    }))
    .returningAll()
    .executeTakeFirstOrThrow();
  return present(row);
}
