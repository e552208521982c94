import type { Database } from '../../db/database.ts';
import type { Row } from '../../db/tables.ts';

/** A job that sends an invitation's email. Resending the invitation changes its version, so that the old job does nothing. */
export interface InviteEmailJob {
  readonly invite_id: string;
  readonly token_version: number;
}

interface DueInvite extends Row<'invites', 'email' | 'benefit_type' | 'expires_at'> {
  /** The languages that staff noted for a fan with this address, in the staff's order. */
  readonly languages: readonly string[];
}

/**
 * Returns the invitation that a job must send, or null if it was already handled. Stores the token's hash again, because the
 * token in this email is different if the installation's key was replaced.
 */
export async function takeForMail(
  db: Database,
  { invite_id, token_version }: InviteEmailJob,
  tokenHash: Buffer,
): Promise<DueInvite | null> {
  const [invite] = await db.run<DueInvite>(
    {
      name: 'invites_take_for_mail',
      text: `update invites set token_hash = $3
        where id = $1 and token_version = $2 and state = 'queued' and expires_at > now()
        returning email, benefit_type, expires_at, array(
          select unnest(f.languages) from fans f where f.email = invites.email
        ) as languages`,
    },
    [invite_id, token_version, tokenHash],
  );
  return invite ?? null;
}

/** Marks an invitation as sent, unless it was already opened. */
export async function markSent(db: Database, job: InviteEmailJob): Promise<void> {
  await db.run(
    {
      name: 'invites_mark_sent',
      text: `update invites set state = case when state = 'queued' then 'sent' else state end, sent_at = now(), error = null
        where id = $1 and token_version = $2 and sent_at is null`,
    },
    [job.invite_id, job.token_version],
  );
}

/** Marks an invitation as failed. @param reason shown to staff */
export async function markFailed(db: Database, job: InviteEmailJob, reason: string): Promise<void> {
  await db.run(
    {
      name: 'invites_mark_failed',
      text: `update invites set state = 'failed', error = $3
        where id = $1 and token_version = $2 and state = 'queued'`,
    },
    [job.invite_id, job.token_version, reason],
  );
}

/** Records why an invitation has not been sent yet. */
export async function noteError(db: Database, job: InviteEmailJob, reason: string): Promise<void> {
  await db.run(
    {
      name: 'invites_note_error',
      text: `update invites set error = $3 where id = $1 and token_version = $2 and state = 'queued'`,
    },
    [job.invite_id, job.token_version, reason],
  );
}
