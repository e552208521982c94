import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { unhurried } from './database.ts';
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
import * as passkeys from './migrations/0014-passkeys.ts';
import * as retention from './migrations/0015-retention.ts';
import * as nodes from './migrations/0016-nodes.ts';
import * as tagsByFan from './migrations/0017-tags-by-fan.ts';
import * as nextToAnswer from './migrations/0018-next-to-answer.ts';
import * as neverTwice from './migrations/0019-never-twice.ts';
import * as fanFacts from './migrations/0020-fan-facts.ts';
import * as fanStatements from './migrations/0021-fan-statements.ts';
import * as templates from './migrations/0022-templates.ts';
import * as scheduledMessages from './migrations/0023-scheduled-messages.ts';
import * as staffNotes from './migrations/0024-staff-notes.ts';
import * as teamHandovers from './migrations/0025-team-handovers.ts';
import * as notifications from './migrations/0026-notifications.ts';
import * as savedViews from './migrations/0027-saved-views.ts';
import * as handoverDrafts from './migrations/0028-handover-drafts.ts';
import * as templateFiles from './migrations/0029-template-files.ts';
import * as mentionNotices from './migrations/0030-mention-notices.ts';
import * as fanLanguages from './migrations/0031-fan-languages.ts';
import * as soldOnce from './migrations/0032-sold-once.ts';
import * as scheduledPayloads from './migrations/0033-scheduled-payloads.ts';
import * as signInFailures from './migrations/0034-sign-in-failures.ts';
import * as openCheckouts from './migrations/0035-open-checkouts.ts';
import * as fanSessionAge from './migrations/0036-fan-session-age.ts';
import * as doublePaymentRefunds from './migrations/0037-double-payment-refunds.ts';
import * as adminLanguage from './migrations/0038-admin-language.ts';
import * as creatorName from './migrations/0039-creator-name.ts';
import * as segments from './migrations/0040-segments.ts';
import * as campaigns from './migrations/0041-campaigns.ts';
import * as noteSearch from './migrations/0042-note-search.ts';
import * as viewSegments from './migrations/0043-view-segments.ts';
import * as bundles from './migrations/0045-bundles.ts';
import * as tips from './migrations/0046-tips.ts';
import * as unsend from './migrations/0047-unsend.ts';
import * as shifts from './migrations/0049-shifts.ts';
import * as earnings from './migrations/0050-earnings.ts';
import * as figures from './migrations/0051-figures.ts';
import * as earningHeads from './migrations/0052-earning-heads.ts';
import * as idsByTime from './migrations/0054-ids-by-time.ts';
import * as keptResults from './migrations/0055-kept-results.ts';
import * as clockSpans from './migrations/0058-clock-spans.ts';
import * as resultsKeptAtOnce from './migrations/0059-results-kept-at-once.ts';
import * as unsentMassSends from './migrations/0060-unsent-mass-sends.ts';
import * as campaignVersions from './migrations/0061-campaign-versions.ts';
import * as readMarksByKey from './migrations/0062-read-marks-by-key.ts';
import * as campaignsFollowChanges from './migrations/0063-campaigns-follow-changes.ts';
import * as teamZones from './migrations/0064-team-zones.ts';
import type { Tables } from './tables.ts';

/** Sorted by name, each applied once. Applied migrations never change: a correction is a new migration. */
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
  '0014-passkeys': passkeys,
  '0015-retention': retention,
  '0016-nodes': nodes,
  '0017-tags-by-fan': tagsByFan,
  '0018-next-to-answer': nextToAnswer,
  '0019-never-twice': neverTwice,
  '0020-fan-facts': fanFacts,
  '0021-fan-statements': fanStatements,
  '0022-templates': templates,
  '0023-scheduled-messages': scheduledMessages,
  '0024-staff-notes': staffNotes,
  '0025-team-handovers': teamHandovers,
  '0026-notifications': notifications,
  '0027-saved-views': savedViews,
  '0028-handover-drafts': handoverDrafts,
  '0029-template-files': templateFiles,
  '0030-mention-notices': mentionNotices,
  '0031-fan-languages': fanLanguages,
  '0032-sold-once': soldOnce,
  '0033-scheduled-payloads': scheduledPayloads,
  '0034-sign-in-failures': signInFailures,
  '0035-open-checkouts': openCheckouts,
  '0036-fan-session-age': fanSessionAge,
  '0037-double-payment-refunds': doublePaymentRefunds,
  '0038-admin-language': adminLanguage,
  '0039-creator-name': creatorName,
  '0040-segments': segments,
  '0041-campaigns': campaigns,
  '0042-note-search': noteSearch,
  '0043-view-segments': viewSegments,
  '0045-bundles': bundles,
  '0046-tips': tips,
  '0047-unsend': unsend,
  '0049-shifts': shifts,
  '0050-earnings': earnings,
  '0051-figures': figures,
  '0052-earning-heads': earningHeads,
  '0054-ids-by-time': idsByTime,
  '0055-kept-results': keptResults,
  '0058-clock-spans': clockSpans,
  '0059-results-kept-at-once': resultsKeptAtOnce,
  '0060-unsent-mass-sends': unsentMassSends,
  '0061-campaign-versions': campaignVersions,
  '0062-read-marks-by-key': readMarksByKey,
  '0063-campaigns-follow-changes': campaignsFollowChanges,
  '0064-team-zones': teamZones,
};

/** The names of all migrations of this version, in order. */
export const MIGRATIONS: readonly string[] = Object.keys(migrations);

/** @returns the newest applied migration; null if none was ever applied */
export async function newestMigration(db: Kysely<Tables>): Promise<string | null> {
  const { rows: found } =
    await sql`select where to_regclass('kysely_migration') is not null`.execute(db);
  if (found.length === 0) return null;
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration order by name desc limit 1`.execute(db);
  return rows[0]?.name ?? null;
}

/** Maximum number of attempts: a migration of several tables can deadlock with the sends of a running server. */
const TRIES = 10;

/**
 * Migrates a database to the current schema. Several processes can call it at once: the migrator holds a lock. A server of the
 * previous version may be running: a deadlock with its transactions is retried.
 * @param upTo the last migration to apply, for an older schema
 * @returns the names of the migrations applied
 * @throws the error of the first migration that fails, which is rolled back; Error if the database is of a newer version
 */
export async function migrate(db: Kysely<Tables>, upTo?: string): Promise<string[]> {
  const newest = await newestMigration(db);
  if (newest !== null && newest > (MIGRATIONS.at(-1) ?? '')) {
    throw new Error(
      `the database is from a newer version (${newest}). Start that version, or restore a backup from before the upgrade.`,
    );
  }
  return unhurried(db, async (connection) => {
    const migrator = new Migrator({
      db: connection,
      provider: { getMigrations: async () => migrations },
    });
    for (let attempt = 1; ; attempt++) {
      const { error, results = [] } = await (upTo === undefined
        ? migrator.migrateToLatest()
        : migrator.migrateTo(upTo));
      if (error === undefined) return results.map((result) => result.migrationName);
      if (!isDeadlock(error) || attempt === TRIES) throw error;
    }
  });
}

const isDeadlock = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '40P01';
