import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { Tables } from '../../db/tables.ts';
import type { Jobs, Queue } from '../../jobs/jobs.ts';
import { mailFailure } from '../../mail/mail-failure.ts';
import type { Mailer } from '../../mail/mailer.ts';
import { findAdmin } from '../admins/admins.store.ts';

/** What an admin is told of their passkeys, whoever did it. */
interface Notice {
  readonly id: string;
  readonly admin_id: string;
  readonly what: 'added' | 'removed' | 'reset';
  /** The passkey's; null where all of them are meant. */
  readonly name: string | null;
  /** An ISO instant. */
  readonly at: string;
}

/** Tells admins by mail of changes to their passkeys. */
export interface PasskeyNotices {
  /** In the transaction that makes the change: there is neither one without the other. */
  add(
    tx: Transaction<Tables>,
    adminId: string,
    notice: Pick<Notice, 'what' | 'name'>,
  ): Promise<void>;
  /** Has it sent at once; to be called after the commit. */
  wake(): void;
}

interface NoticeDependencies {
  readonly db: Database;
  readonly jobs: Jobs;
  readonly mailer: Mailer;
  readonly log: { warn(details: object, message: string): void };
}

/** The queue from which these mails go out, for about a day if need be. */
export async function definePasskeyNotices(deps: NoticeDependencies): Promise<PasskeyNotices> {
  const { db, jobs, mailer, log } = deps;
  const gaveUp = async ({ admin_id }: Notice, error: unknown) =>
    log.warn({ admin_id, reason: mailFailure(error).reason }, 'a passkey notice was not mailed');
  const queue: Queue<Notice> = await jobs.define<Notice>({
    name: 'passkey-notices',
    concurrency: 1,
    retries: { attempts: 30, firstPause: 5, longestPause: 60 * 60 },
    async run(notice) {
      const admin = await findAdmin(db.kysely, notice.admin_id);
      if (admin === null) return;
      try {
        await mailer.send({ id: notice.id, to: admin.email, ...noticeMail(notice) });
      } catch (error) {
        if (!mailFailure(error).isPermanent) throw error;
        await gaveUp(notice, error);
      }
    },
    gaveUp,
  });
  return {
    async add(tx, adminId, { what, name }) {
      const at = new Date().toISOString();
      await queue.add(tx, [{ id: randomUUID(), admin_id: adminId, what, name, at }]);
    },
    wake: queue.wake,
  };
}

const SUBJECTS = {
  added: 'A passkey was added to your Stagedoor account',
  removed: 'A passkey was removed from your Stagedoor account',
  reset: 'Your Stagedoor passkeys were reset',
} as const;

const STORIES: Readonly<Record<Notice['what'], (name: string) => string>> = {
  added: (name) =>
    `The passkey “${name}” was added to your account. It is asked for when you sign in.`,
  removed: (name) => `The passkey “${name}” was removed from your account.`,
  reset: () =>
    'All passkeys of your account were removed, because they were lost, and you were signed out everywhere. At your next sign-in you can add a new one.',
};

function noticeMail({ what, name, at }: Notice): { subject: string; text: string } {
  return {
    subject: SUBJECTS[what],
    text: `${STORIES[what](name ?? '')}

It happened on ${at.slice(0, 10)} at ${at.slice(11, 16)} UTC.

If this was you, or was agreed with you, there is nothing to do. If not, tell whoever manages your team at once: they can
sign you out everywhere and reset your passkeys.
`,
  };
}
