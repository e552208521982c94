import type { Core } from '../../domain.ts';
import type { Queue, Retries } from '../../jobs/jobs.ts';
import { mailFailure } from '../../mail/mail-failure.ts';
import { findCreator } from '../../team/creator/creator.store.ts';
import { textsIn } from '../../texts.ts';
import * as store from './delivery.store.ts';
import { inviteMail } from './invite-email.ts';
import { hashOfToken, type InviteTokens } from './invite-token.ts';

/** Retries for about five hours, so that an outage or greylisting at the mail server doesn't lose an invitation. */
export const INVITE_RETRIES: Retries = { attempts: 14, firstPause: 5, longestPause: 60 * 60 };

/** How many emails are sent at the same time. Matches the mailer's number of connections. */
const CONCURRENCY = 2;
/** The number of attempts to record an email as sent, in case the database is unavailable for a moment. */
const NOTE_TRIES = 5;
const NOTE_PAUSE_MS = 1_000;

interface DeliveryDependencies extends Core {
  readonly tokens: InviteTokens;
  readonly retries: Retries;
  readonly urlOf: (token: string) => string;
}

/** Defines the queue that sends each invitation in a separate email. */
export function defineInviteEmails(
  dependencies: DeliveryDependencies,
): Promise<Queue<store.InviteEmailJob>> {
  const { db, jobs, mailer, tokens, retries, urlOf } = dependencies;
  return jobs.define<store.InviteEmailJob>({
    name: 'invite-mails',
    concurrency: CONCURRENCY,
    retries,
    async run(job) {
      const token = tokens(job.invite_id, job.token_version);
      const invite = await store.takeForMail(db, job, hashOfToken(token));
      if (invite === null) return;
      const { display_name: creator } = await findCreator(db.kysely);
      try {
        await mailer.send({
          // A retry keeps the message id, so that mailboxes can detect the duplicate.
          id: `${job.invite_id}.${job.token_version}`,
          ...inviteMail(textsIn(...invite.languages), { ...invite, creator, url: urlOf(token) }),
        });
      } catch (error) {
        const { isPermanent, reason } = mailFailure(error);
        if (isPermanent) {
          await store.markFailed(db, job, reason);
          return;
        }
        await store.noteError(db, job, reason);
        throw error;
      }
      await persist(() => store.markSent(db, job));
    },
    gaveUp: (job, error) => store.markFailed(db, job, mailFailure(error).reason),
  });
}

/** Retries a database update after a send, because the job would otherwise send the email again. */
async function persist(note: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await note();
      return;
    } catch (error) {
      if (attempt === NOTE_TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, NOTE_PAUSE_MS));
    }
  }
}
