import type { Database } from '../../db/database.ts';
import type { Row } from '../../db/tables.ts';

interface Acceptance extends Row<'invites', 'benefit_type' | 'benefit_ends_at'> {
  readonly accepted_at: Date;
}

/** Returns an invitation's acceptance; null if it isn't accepted or was deleted. */
export async function findAcceptance(db: Database, inviteId: string): Promise<Acceptance | null> {
  const [row] = await db.run<Acceptance>(
    {
      name: 'invites_acceptance',
      text: `select benefit_type, accepted_at, benefit_ends_at from invites
        where id = $1 and state = 'accepted'`,
    },
    [inviteId],
  );
  return row ?? null;
}
