import type { RetentionSettings } from '../../config.ts';
import { purgeAudit } from '../../db/audit.ts';
import type { Core } from '../../domain.ts';
import { purgeInvites } from '../../fans/invites/invites.store.ts';
import type { Retries } from '../../jobs/jobs.ts';
import { type MessageCursor, purgeMessages } from '../messages/purge.store.ts';

/** The maximum number of rows one transaction removes, so that others wait only briefly for its locks. */
export const BATCH = 500;
/** Seconds. */
const DAY = 24 * 60 * 60;
/** The maximum number of batches per job and kind of data, so that stopping the server stays quick. The next job continues. */
const BATCHES = 20;
/** Retries a failed job for about half a day. After that, the next day's job takes over. */
const RETRIES: Retries = { attempts: 20, firstPause: 30, longestPause: 60 * 60 };

/** A day's purge, or the part of it that an earlier job left. */
interface RetentionJob {
  /** The cursor from which to continue purging messages. */
  readonly after?: MessageCursor;
}

/**
 * Purges data older than the configured limits, once a day, in batches.
 * Data without a setting is kept: see docs/decisions/025-retention.md.
 */
export async function defineRetention(
  { db, jobs, log }: Pick<Core, 'db' | 'jobs' | 'log'>,
  settings: RetentionSettings,
) {
  const queue = await jobs.define<RetentionJob>({
    name: 'retention',
    concurrency: 1,
    retries: RETRIES,
    run,
    async gaveUp(_job, error) {
      log.error({ err: error }, 'could not purge old data today');
    },
  });

  async function run({ after }: RetentionJob): Promise<void> {
    const purges = [
      inBatches(settings.audit, (days) => purgeAudit(db, days, BATCH)),
      inBatches(settings.invites, (days) => purgeInvites(db, days, BATCH)),
      walkMessages(after ?? null),
    ] as const;
    // A failed purge doesn't stop the others.
    await Promise.allSettled(purges);
    const [audit, invites, messages] = await Promise.all(purges);
    const gone = { audit: audit.gone, invites: invites.gone, messages: messages.gone };
    if (Object.values(gone).some((count) => count > 0)) log.info({ gone }, 'purged old data');
    if (!audit.more && !invites.more && messages.next === null) return;
    await db.kysely
      .transaction()
      .execute((tx) => queue.add(tx, [messages.next === null ? {} : { after: messages.next }]));
    queue.wake();
  }

  async function walkMessages(
    from: MessageCursor | null,
  ): Promise<{ gone: number; next: MessageCursor | null }> {
    let next = from;
    let gone = 0;
    if (settings.messages === null) return { gone, next: null };
    for (let batch = 0; batch < BATCHES; batch++) {
      const purged = await purgeMessages(db, settings.messages, next, BATCH);
      gone += purged.gone;
      next = purged.next;
      if (next === null) break;
    }
    return { gone, next };
  }

  return {
    /** Queues today's purge, unless any process has already queued it. */
    async today() {
      await queue.addOncePer(DAY, {});
      queue.wake();
    },
  };
}

/** @returns how many rows were removed, and whether there may be more */
async function inBatches(
  days: number | null,
  purge: (days: number) => Promise<number>,
): Promise<{ gone: number; more: boolean }> {
  let gone = 0;
  for (let batch = 0; days !== null && batch < BATCHES; batch++) {
    const count = await purge(days);
    gone += count;
    if (count < BATCH) return { gone, more: false };
  }
  return { gone, more: days !== null };
}
