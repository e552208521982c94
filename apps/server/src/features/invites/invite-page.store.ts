import type { BenefitType } from '@stagedoor/contract/invites';
import type { Database } from '../../db/database.ts';

/** All that the page of an invitation's link may know. */
export interface ShownInvite {
  readonly benefit_type: BenefitType;
  readonly expires_at: Date;
  readonly was_accepted: boolean;
  readonly has_expired: boolean;
  readonly creator: string;
}

export async function findShownInvite(
  db: Database,
  tokenHash: Buffer,
): Promise<ShownInvite | null> {
  const [invite] = await db.run<ShownInvite>(
    {
      name: 'invites_shown',
      text: `select i.benefit_type, i.expires_at, i.state = 'accepted' as was_accepted, i.expires_at <= now() as has_expired,
          c.display_name as creator
        from invites i, creators c where i.token_hash = $1`,
    },
    [tokenHash],
  );
  return invite ?? null;
}

/** Notes that a person looked at it; whoever did, the mail has arrived. */
export async function markOpened(db: Database, tokenHash: Buffer): Promise<void> {
  await db.run(
    {
      name: 'invites_mark_opened',
      text: `update invites set state = 'opened', opened_at = now(), sent_at = coalesce(sent_at, now()), error = null
        where token_hash = $1 and state in ('queued', 'sent', 'failed') and expires_at > now()`,
    },
    [tokenHash],
  );
}
