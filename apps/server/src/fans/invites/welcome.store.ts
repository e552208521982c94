import type { Database } from '../../db/database.ts';
import type { Row } from '../../db/tables.ts';

/** The fields of an invitation that the welcome page needs. */
interface WelcomeRow extends Row<'invites', 'benefit_type' | 'expires_at'> {
  readonly has_expired: boolean;
  readonly was_accepted: boolean;
  /** Whether someone joined with it and can return with its link. */
  readonly joined: boolean;
}

export async function findWelcome(db: Database, tokenHash: Buffer): Promise<WelcomeRow | null> {
  const [invite] = await db.run<WelcomeRow>(
    {
      name: 'welcome_find',
      text: `select i.benefit_type, i.expires_at, i.expires_at <= clock_timestamp() as has_expired,
          i.state = 'accepted' as was_accepted, l.id is not null as joined
        from invites i left join fan_links l on l.link_hash = i.token_hash where i.token_hash = $1`,
    },
    [tokenHash],
  );
  return invite ?? null;
}

/** Marks an invitation as opened, and also as sent, since the email has evidently arrived. */
export async function markOpened(db: Database, tokenHash: Buffer): Promise<void> {
  await db.run(
    {
      name: 'welcome_mark_opened',
      text: `update invites set state = 'opened', opened_at = now(), sent_at = coalesce(sent_at, now()), error = null
        where token_hash = $1 and state in ('queued', 'sent', 'failed') and expires_at > now()`,
    },
    [tokenHash],
  );
}
