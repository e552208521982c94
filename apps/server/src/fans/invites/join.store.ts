import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { ConversationTouched } from '../../db/outbox-events.ts';
import type { Tx } from '../../db/tables.ts';
import { queueWebhook } from '../../db/webhook-events.ts';
import {
  type OpenedSession,
  openInviteLink,
  reopenInviteLink,
} from '../fan-sessions/fan-sessions.store.ts';
import { insertFan } from '../fans/fans.store.ts';
import { grantBenefit } from '../subscriptions/subscriptions.store.ts';

interface Joining {
  readonly tokenHash: Buffer;
  /** The hash of the new session's token. */
  readonly sessionHash: Buffer;
  readonly firstName: string;
}

interface Joined {
  readonly session: OpenedSession;
  /** Null if the fan had already joined. */
  readonly touched: ConversationTouched | null;
}

/**
 * Joins with an invitation's token: creates the fan with their conversation, grants the benefit and opens a session, all in
 * one transaction. If the fan has already joined, opens another session.
 *
 * Always creates a new fan, even if one with the same email exists: the platform may never have verified that address, so it
 * must not give access to an existing conversation.
 * @returns `unknown` or `expired`; `used` if the invitation was accepted in another way or its link was revoked
 */
export async function joinByInvite(
  db: Database,
  joining: Joining,
): Promise<Joined | 'unknown' | 'used' | 'expired'> {
  const attempt = () => db.kysely.transaction().execute((tx) => join(tx, joining));
  const first = await attempt();
  // A concurrent call with this token may have won the race. The second attempt then finds the fan whom that call created.
  return first === 'used' ? attempt() : first;
}

async function join(
  tx: Tx,
  { tokenHash, sessionHash, firstName }: Joining,
): ReturnType<typeof joinByInvite> {
  // Reads without a lock first, because erasing the fan who joined locks the fan before the invitation.
  const seen = await findInvite(tx, tokenHash).executeTakeFirst();
  if (seen === undefined) return 'unknown';
  if (seen.has_expired) return 'expired';
  if (seen.accepted_at !== null) {
    const session = await reopenInviteLink(tx, tokenHash, sessionHash);
    return session === null ? 'used' : { session, touched: null };
  }
  const invite = await findInvite(tx, tokenHash).forUpdate().executeTakeFirst();
  if (invite === undefined) return 'unknown';
  if (invite.has_expired) return 'expired';
  if (invite.accepted_at !== null) return 'used';
  const { id, email } = invite;
  const made = await insertFan(tx, { externalId: `invite:${id}`, firstName, email });
  if (made === null) return 'used';
  const { fan, touched } = made;
  const endsAt = await grantBenefit(tx, fan, invite.benefit_type);
  await tx
    .updateTable('invites')
    .set({
      state: 'accepted',
      accepted_at: sql<Date>`date_trunc('milliseconds', now())`,
      accepted_by: fan.id,
      benefit_ends_at: endsAt,
      // A person who joined has received and opened the email, even if that wasn't recorded.
      sent_at: sql<Date>`coalesce(sent_at, now())`,
      opened_at: sql<Date>`coalesce(opened_at, now())`,
      error: null,
    })
    .where('id', '=', id)
    .execute();
  const link = { fanId: fan.id, linkHash: tokenHash, expiresAt: invite.expires_at };
  const session = await openInviteLink(tx, link, sessionHash);
  await queueWebhook(tx, {
    type: 'invite.accepted',
    conversationId: fan.conversationId,
    ref: { invite_id: id },
  });
  return { session, touched };
}

const findInvite = (tx: Tx, tokenHash: Buffer) =>
  tx
    .selectFrom('invites')
    .select(['id', 'email', 'benefit_type', 'accepted_at', 'expires_at'])
    .select(sql<boolean>`expires_at <= clock_timestamp()`.as('has_expired'))
    .where('token_hash', '=', tokenHash);
