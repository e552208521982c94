import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import * as start from './migrations/0001-start.ts';
import * as conversationActions from './migrations/0002-conversation-actions.ts';
import * as mediaAndProducts from './migrations/0003-media-and-products.ts';
import * as mediaAccess from './migrations/0004-media-access.ts';
import * as productThumbnails from './migrations/0005-product-thumbnails.ts';
import * as staff from './migrations/0006-staff.ts';
import * as analytics from './migrations/0007-analytics.ts';
import * as invites from './migrations/0008-invites.ts';
import * as fanErasure from './migrations/0009-fan-erasure.ts';
import * as fanSessions from './migrations/0010-fan-sessions.ts';
import * as webhooks from './migrations/0011-webhooks.ts';
import * as subscriptions from './migrations/0012-subscriptions.ts';
import * as returnedPayments from './migrations/0013-returned-payments.ts';
import * as tagsByFan from './migrations/0018-tags-by-fan.ts';
import type { Tables } from './tables.ts';

/** In order of their names, each applied once. Applied ones never change: a correction is a new one. */
const migrations: Record<string, Migration> = {
  '0001-start': start,
  '0002-conversation-actions': conversationActions,
  '0003-media-and-products': mediaAndProducts,
  '0004-media-access': mediaAccess,
  '0005-product-thumbnails': productThumbnails,
  '0006-staff': staff,
  '0007-analytics': analytics,
  '0008-invites': invites,
  '0009-fan-erasure': fanErasure,
  '0010-fan-sessions': fanSessions,
  '0011-webhooks': webhooks,
  '0012-subscriptions': subscriptions,
  '0013-returned-payments': returnedPayments,
  '0018-tags-by-fan': tagsByFan,
};

/** The names of all that this version knows, in order. */
export const MIGRATIONS: readonly string[] = Object.keys(migrations);

/** @returns the newest that was applied to a database; null: none, it is not one of ours */
export async function newestMigration(db: Kysely<Tables>): Promise<string | null> {
  const { rows: found } =
    await sql`select where to_regclass('kysely_migration') is not null`.execute(db);
  if (found.length === 0) return null;
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration order by name desc limit 1`.execute(db);
  return rows[0]?.name ?? null;
}

/**
 * Brings a database's schema up to date. Safe beside others that do the same: the migrator holds a lock meanwhile.
 * @param upTo the last migration to apply, for an older schema
 * @returns the names of those applied now
 * @throws what the first failing migration threw, its transaction rolled back
 */
export async function migrate(db: Kysely<Tables>, upTo?: string): Promise<string[]> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
  });
  const { error, results = [] } = await (upTo === undefined
    ? migrator.migrateToLatest()
    : migrator.migrateTo(upTo));
  if (error !== undefined) throw error;
  return results.map((result) => result.migrationName);
}
