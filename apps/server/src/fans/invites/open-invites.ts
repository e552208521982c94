import type { Database } from '../../db/database.ts';
import type { Jobs, Retries } from '../../jobs/jobs.ts';
import type { Mailer } from '../../mail/mailer.ts';
import { defineInviteEmails, INVITE_RETRIES } from './deliver-invites.ts';
import { inviteUrl } from './invite-link.ts';
import { inviteTokens } from './invite-token.ts';
import { createInvitesService, type InvitesService } from './invites.service.ts';

interface OpenInvitesDependencies {
  readonly db: Database;
  readonly jobs: Jobs;
  readonly mailer: Mailer;
  /** The key from which the links are derived. */
  readonly key: Buffer;
  /** How often an email is retried. Default: {@link INVITE_RETRIES}. */
  readonly retries: Retries | undefined;
  readonly webhooks: { wake(): void };
  /** Returns the server's public address, without a trailing slash. */
  readonly base: () => string;
}

/** Creates the invitations service and its email queue. */
export async function openInvites(dependencies: OpenInvitesDependencies): Promise<InvitesService> {
  const { db, jobs, mailer, key, retries = INVITE_RETRIES, webhooks, base } = dependencies;
  const tokens = inviteTokens(key);
  const mails = await defineInviteEmails({
    db,
    jobs,
    mailer,
    tokens,
    retries,
    urlOf: (token) => inviteUrl(base(), token),
  });
  return createInvitesService({ db, tokens, webhooks, mails });
}
