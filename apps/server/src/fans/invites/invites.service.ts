import { distinctAddresses, isEmailAddress } from '@stagedoor/contract/email-address';
import {
  type BenefitType,
  type Invite,
  type InviteState,
  NO_INVITE_EMAILS,
} from '@stagedoor/contract/fans/invites';
import { writeAudit } from '../../db/audit.ts';
import { isUuid } from '../../db/database.ts';
import { newId } from '../../db/new-id.ts';
import type { Tx } from '../../db/tables.ts';
import { queueWebhook } from '../../db/webhook-events.ts';
import type { Core } from '../../domain.ts';
import { AppError, invalidField, inviteNotFound, rateLimited } from '../../errors.ts';
import { numberCursors, pageOf } from '../../http/cursor.ts';
import type { AdminActor } from '../../http/route.ts';
import type { Queue } from '../../jobs/jobs.ts';
import type { InviteEmailJob } from './delivery.store.ts';
import { hashOfToken, type InviteTokens } from './invite-token.ts';
import * as store from './invites.store.ts';

/** The maximum number of invitation emails in 24 hours, by one admin and by all admins. Limits the damage of a stolen session. */
const DAILY_MAILS = { mine: 200, all: 1_000 } as const;
const LIMIT_REACHED = 'Daily limit reached';
const STANDING_REASONS = { member: 'Already a member', invited: 'Already invited' } as const;
/** Seconds after which a caller who reached a limit should retry. */
const LIMIT_RETRY_AFTER = 60 * 60;

interface InvitesDependencies extends Core {
  readonly tokens: InviteTokens;
  readonly mails: Queue<InviteEmailJob>;
}

/** The result for each address in a call. */
export interface InviteOutcome {
  readonly success: { email: string; id: string }[];
  readonly errors: { email: string; reason: string }[];
}

export type InvitesService = ReturnType<typeof createInvitesService>;

export function createInvitesService({ db, tokens, mails, webhooks }: InvitesDependencies) {
  const hashFor = (id: string, version: number) => hashOfToken(tokens(id, version));

  /** Returns how many more emails an admin may send. Blocks concurrent calls until the transaction ends. */
  async function budget(tx: Tx, adminId: string): Promise<number> {
    await store.lockInvites(tx);
    const { mine, all } = await store.countMails(tx, adminId);
    return Math.max(0, Math.min(DAILY_MAILS.mine - mine, DAILY_MAILS.all - all));
  }

  return {
    /**
     * Invites each address with a separate email, in the given order, up to the daily limits.
     * @throws AppError 400 if there are no addresses
     */
    async create(
      { admin }: AdminActor,
      entries: readonly string[],
      benefitType: BenefitType,
    ): Promise<InviteOutcome> {
      const addresses = distinctAddresses(entries);
      if (addresses.length === 0) throw invalidField('emails', NO_INVITE_EMAILS);
      const outcome = await db.kysely.transaction().execute(async (tx) => {
        let left = await budget(tx, admin.id);
        const taken = await store.findUninvitable(tx, addresses.filter(isEmailAddress));
        const errors: InviteOutcome['errors'] = [];
        const invites: { id: string; email: string; tokenHash: Buffer }[] = [];
        for (const email of addresses) {
          const standing = taken.get(email);
          if (!isEmailAddress(email)) errors.push({ email, reason: 'Not a valid email address' });
          else if (standing) errors.push({ email, reason: STANDING_REASONS[standing] });
          else if (left === 0) errors.push({ email, reason: LIMIT_REACHED });
          else {
            left--;
            const id = newId();
            invites.push({ id, email, tokenHash: hashFor(id, 1) });
          }
        }
        if (invites.length > 0)
          await store.insertInvites(tx, invites, { adminId: admin.id, benefitType });
        for (const { id } of invites) {
          // Omits the email address, because it can be erased from invitations but not from the log.
          await writeAudit(tx, {
            adminId: admin.id,
            action: 'invite.create',
            targetId: id,
            details: { benefit_type: benefitType },
          });
          await queueWebhook(tx, {
            type: 'invite.created',
            conversationId: null,
            ref: { invite_id: id },
          });
        }
        await mails.add(
          tx,
          invites.map(({ id }) => ({ invite_id: id, token_version: 1 })),
        );
        return { success: invites.map(({ id, email }) => ({ email, id })), errors };
      });
      mails.wake();
      webhooks.wake();
      return outcome;
    },

    /**
     * Sends an invitation again with a new link.
     * @throws AppError 404 `invite_not_found`; 409 `invite_used` or `invite_pending`; 429 `rate_limited`
     */
    async resend({ admin }: AdminActor, id: string): Promise<Invite> {
      if (!isUuid(id)) throw inviteNotFound();
      await db.kysely.transaction().execute(async (tx) => {
        const left = await budget(tx, admin.id);
        const invite = await store.lockInvite(tx, id);
        if (invite === null) throw inviteNotFound();
        refuseResend(invite);
        const standing = (await store.findUninvitable(tx, [invite.email], id)).get(invite.email);
        if (standing === 'member')
          throw new AppError('invite_used', { message: STANDING_REASONS.member });
        if (standing === 'invited')
          throw new AppError('invite_pending', { message: STANDING_REASONS.invited });
        if (left === 0) throw rateLimited(LIMIT_RETRY_AFTER, LIMIT_REACHED);
        const version = invite.token_version + 1;
        const next = { id, tokenVersion: version, tokenHash: hashFor(id, version) };
        await store.requeueInvite(tx, next, admin.id);
        await writeAudit(tx, { adminId: admin.id, action: 'invite.resend', targetId: id });
        await mails.add(tx, [{ invite_id: id, token_version: version }]);
      });
      mails.wake();
      const invite = await store.findInvite(db, id);
      if (invite === null) throw inviteNotFound();
      return invite;
    },

    /** Lists invitations. @param cursor the previous page's `next_cursor`. @throws AppError 400 for an invalid cursor */
    async list(
      state: InviteState | undefined,
      cursor: string | undefined,
      limit: number,
    ): Promise<{ data: Invite[]; next_cursor: string | null }> {
      const before = cursor === undefined ? null : numberCursors.decode(cursor).at;
      const rows = await store.listInvites(db, { state, before }, limit + 1);
      const { page, next_cursor } = pageOf(rows, limit, ({ seq }) =>
        numberCursors.encode({ at: seq }),
      );
      return { data: page.map(store.presentInvite), next_cursor };
    },
  };
}

function refuseResend({ state, can_resend, wait }: store.ResendRow): void {
  if (can_resend) return;
  if (state === 'accepted') throw new AppError('invite_used');
  if (state === 'queued' || wait === null) throw new AppError('invite_pending');
  throw rateLimited(wait, 'This invitation was sent less than a day ago');
}
