import type { Core } from '../../domain.ts';
import type { Retries } from '../../jobs/jobs.ts';
import { defineInviteEmails, INVITE_RETRIES } from './deliver-invites.ts';
import { inviteUrl } from './invite-link.ts';
import { inviteTokens } from './invite-token.ts';
import { createInvitesService, type InvitesService } from './invites.service.ts';

interface OpenInvitesDependencies extends Core {
  readonly key: Buffer;
  /** When, and how many times, an email is retried. Default: {@link INVITE_RETRIES}. */
  readonly retries: Retries | undefined;
}

/** Creates the invitations service and its email queue. */
export async function openInvites(dependencies: OpenInvitesDependencies): Promise<InvitesService> {
  const { key, retries = INVITE_RETRIES, base } = dependencies;
  const tokens = inviteTokens(key);
  const mails = await defineInviteEmails({
    ...dependencies,
    tokens,
    retries,
    urlOf: (token) => inviteUrl(base(), token),
  });
  return createInvitesService({ ...dependencies, tokens, mails });
}
