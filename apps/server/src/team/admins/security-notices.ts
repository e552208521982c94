import { randomUUID } from 'node:crypto';
import type { AdminRole } from '@stagedoor/contract/team/auth';
import type { Tx } from '../../db/tables.ts';
import type { Core } from '../../domain.ts';
import { atLocalhost } from '../../http/same-machine.ts';
import type { Queue } from '../../jobs/jobs.ts';
import { letter } from '../../mail/letter.ts';
import { mailFailure } from '../../mail/mail-failure.ts';
import type { Mail } from '../../mail/mailer.ts';
import { type Texts, textsIn } from '../../texts.ts';
import { findAdmin, type StoredAdmin } from './admins.store.ts';
import { otherManagers } from './changes.store.ts';
import { manages } from './roles.ts';

/** Wrong sign-in codes, or a change to an admin's passkeys or to the staff. */
type SecurityChange =
  | { readonly what: 'added' | 'removed' /** The passkey's name. */; readonly name: string }
  | { readonly what: 'reset'; readonly name: null }
  | { readonly what: 'wrong_codes'; readonly name: null; readonly inARow: number }
  | StaffChange;

interface StaffChange {
  /** `welcome` goes to the added admin, the others to managers. */
  readonly what: 'welcome' | 'admin_added' | 'admin_promoted';
  /** The admin's address. */
  readonly name: string;
  readonly role: AdminRole;
  /** The actor's address; null for the server's command line. */
  readonly by: string | null;
}

type Notice = SecurityChange & {
  readonly id: string;
  /** The recipient. */
  readonly admin_id: string;
  /** An ISO instant. */
  readonly at: string;
};

/** Emails admins about wrong sign-in codes and about changes to their passkeys and to the staff. */
export interface SecurityNotices {
  /** Adds a notice for each recipient, in the transaction that makes the change. */
  add(tx: Tx, recipients: readonly string[], change: SecurityChange): Promise<void>;
  /** Sends new notices immediately. Call it after the commit. */
  wake(): void;
}

type NoticeDependencies = Pick<Core, 'db' | 'jobs' | 'mailer' | 'base'> & {
  readonly log: { warn(details: object, message: string): void };
};

/** Defines the queue that sends these emails. It retries for about a day. */
export async function defineSecurityNotices(deps: NoticeDependencies): Promise<SecurityNotices> {
  const { db, jobs, mailer, base, log } = deps;
  const gaveUp = async ({ admin_id }: Notice, error: unknown) =>
    log.warn(
      { admin_id, reason: mailFailure(error).reason },
      'a security notice could not be emailed',
    );
  const queue: Queue<Notice> = await jobs.define<Notice>({
    // Can't be renamed: jobs in the database carry this name.
    name: 'passkey-notices',
    concurrency: 1,
    retries: { attempts: 30, firstPause: 5, longestPause: 60 * 60 },
    async run(notice) {
      const admin = await findAdmin(db.kysely, notice.admin_id);
      if (admin === null || !isFor(admin, notice)) return;
      try {
        await mailer.send({
          id: notice.id,
          ...noticeMail(textsIn(admin.language), admin.email, notice, atLocalhost(base())),
        });
      } catch (error) {
        if (!mailFailure(error).isPermanent) throw error;
        await gaveUp(notice, error);
      }
    },
    gaveUp,
  });
  return {
    async add(tx, recipients, change) {
      const at = new Date().toISOString();
      const notices = recipients.map((admin_id) => ({ ...change, id: randomUUID(), admin_id, at }));
      await queue.add(tx, notices);
    },
    wake: queue.wake,
  };
}

/** Checks whether the admin still gets the notice. They may have been removed or demoted since. */
const isFor = ({ is_active, role }: StoredAdmin, { what }: Notice): boolean =>
  what === 'added' ||
  what === 'removed' ||
  what === 'reset' ||
  (is_active && (what === 'welcome' || what === 'wrong_codes' || manages(role)));

/**
 * Emails all other active managers that this admin was added or promoted. Emails a new admin where to sign in.
 * @param by the actor's address; null for the server's command line
 */
export async function noticeManagers(
  tx: Tx,
  notices: SecurityNotices,
  what: 'admin_added' | 'admin_promoted',
  { id, email, role }: StoredAdmin,
  by: string | null,
): Promise<void> {
  const change = { name: email, role, by };
  await notices.add(tx, await otherManagers(tx, id), { what, ...change });
  if (what === 'admin_added') await notices.add(tx, [id], { what: 'welcome', ...change });
}

function noticeMail(texts: Texts, to: string, notice: Notice, url: string): Mail {
  const { t, locale } = texts;
  const { subject, story, advice } = storyOf(texts, notice, url);
  const format = new Intl.DateTimeFormat(locale, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  const time = format.format(new Date(notice.at));
  return letter(texts, {
    to,
    subject,
    paragraphs:
      notice.what === 'welcome'
        ? [story, advice]
        : [story, t('It happened on {time} (UTC).', { time }), advice],
  });
}

/** Returns the email's subject, what happened, and what to do about it. */
function storyOf({ t }: Texts, notice: Notice, url: string) {
  const ownPasskeys = t(
    'If this was you, or you agreed to it, you don’t need to do anything. If not, contact a manager of your team immediately: they can sign you out everywhere and reset your passkeys.',
  );
  const staff = t(
    'If you expected this, you don’t need to do anything. If not, remove the admin in the console immediately, and check the audit log for other changes.',
  );
  const { what, name } = notice;
  switch (what) {
    case 'added':
      return {
        subject: t('A passkey was added to your Stagedoor account'),
        story: t('The passkey “{name}” was added to your account. You will need it to sign in.', {
          name,
        }),
        advice: ownPasskeys,
      };
    case 'removed':
      return {
        subject: t('A passkey was removed from your Stagedoor account'),
        story: t('The passkey “{name}” was removed from your account.', { name }),
        advice: ownPasskeys,
      };
    case 'reset':
      return {
        subject: t('Your Stagedoor passkeys were reset'),
        story: t(
          'All passkeys of your account were removed because they were lost, and you were signed out everywhere. You can add a new one the next time you sign in.',
        ),
        advice: ownPasskeys,
      };
    case 'wrong_codes':
      return {
        subject: t('Wrong sign-in codes for your Stagedoor account'),
        story: t(
          'Someone entered {count, plural, one {# wrong sign-in code} other {# wrong sign-in codes}} in a row for your account. From now on there is a wait before each new attempt: one minute at first, then longer each time.',
          { count: notice.inARow },
        ),
        advice: t(
          'If this was you, wait and sign in with a new code. If not, nobody got in, and nobody can without a code from your mailbox. A passkey gives your account extra protection. If you can’t wait, ask a manager of your team to remove you and add you again.',
        ),
      };
    case 'welcome':
      return {
        subject: t('You can now sign in to Stagedoor'),
        story: t('{actor} added you to the staff as {role}.', staffChange(t, notice)),
        advice: t('Sign in at {url} with this email address. You’ll get a code by email.', { url }),
      };
    case 'admin_added':
      return {
        subject: t('An admin was added to Stagedoor'),
        story: t('{actor} added {admin} to the staff as {role}.', staffChange(t, notice)),
        advice: staff,
      };
    case 'admin_promoted':
      return {
        subject: t('An admin was promoted in Stagedoor'),
        story: t('{actor} promoted {admin} to {role}.', staffChange(t, notice)),
        advice: staff,
      };
  }
}

function staffChange(t: Texts['t'], { by, name, role }: StaffChange) {
  const roles: Record<AdminRole, string> = {
    support: t('support'),
    moderator: t('moderator'),
    manager: t('manager'),
    creator: t('creator'),
  };
  return { actor: by ?? t('Someone with access to the server'), admin: name, role: roles[role] };
}
