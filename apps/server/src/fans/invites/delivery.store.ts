import type { BenefitType } from '@stagedoor/contract/fans/invites';
import type { Database } from '../../db/database.ts';

/** Which mail of which invitation; one that was sent again meanwhile has another version, and the old job nothing to do. */
export interface InviteMailJob {
  readonly invite_id: string;
  readonly token_version: number;
}

interface DueInvite {
  readonly email: string;
  readonly benefit_type: BenefitType;
  readonly expires_at: Date;
}

/**
 * The invitation that a job is to send, or null when there is nothing left to do. Its link's hash is stored again: it
 * differs only where the installation lost its key, and then only this mail's link may work.
 */
export async function takeForMail(
  db: Database,
  { invite_id, token_version }: InviteMailJob,
  tokenHash: Buffer,
): Promise<DueInvite | null> {
  const [invite] = await db.run<DueInvite>(
    {
      name: 'invites_take_for_mail',
      text: `update invites set token_hash = $3
        where id = $1 and token_version = $2 and state = 'queued' and expires_at > now()
        returning email, benefit_type, expires_at`,
    },
    [invite_id, token_version, tokenHash],
  );
  return invite ?? null;
}

/** Someone may have opened it before this was noted. */
export async function markSent(db: Database, job: InviteMailJob): Promise<void> {
  await db.run(
    {
      name: 'invites_mark_sent',
      text: `update invites set state = case when state = 'queued' then 'sent' else state end, sent_at = now(), error = null
        where id = $1 and token_version = $2 and sent_at is null`,
    },
    [job.invite_id, job.token_version],
  );
}

/** @param reason for staff */
export async function markFailed(db: Database, job: InviteMailJob, reason: string): Promise<void> {
  await db.run(
    {
      name: 'invites_mark_failed',
      text: `update invites set state = 'failed', error = $3
        where id = $1 and token_version = $2 and state = 'queued'`,
    },
    [job.invite_id, job.token_version, reason],
  );
}

/** Notes why it did not go out yet. */
export async function noteError(db: Database, job: InviteMailJob, reason: string): Promise<void> {
  await db.run(
    {
      name: 'invites_note_error',
      text: `update invites set error = $3 where id = $1 and token_version = $2 and state = 'queued'`,
    },
    [job.invite_id, job.token_version, reason],
  );
}
