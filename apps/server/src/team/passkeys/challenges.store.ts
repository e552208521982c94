import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';

/** Seconds that a challenge can be answered, by the database's clock. */
const CHALLENGE_LIFE_SECONDS = 300;

/** What a challenge is for, and who may answer it: one sign-in, or one session. */
export type ChallengeFor =
  | { readonly purpose: 'sign_in' | 'enrol'; readonly pendingId: string }
  | { readonly purpose: 'add' | 'confirm'; readonly sessionId: string };

const columnsOf = (of: ChallengeFor) =>
  'pendingId' in of
    ? { pending_id: of.pendingId, session_id: null }
    : { pending_id: null, session_id: of.sessionId };

/** Makes a challenge, in the place of one for the same that was not answered. @returns 256 bits in base64url */
export async function newChallenge(db: Database, of: ChallengeFor): Promise<string> {
  const challenge = randomBytes(32).toString('base64url');
  const key = 'pendingId' in of ? 'pending_id' : 'session_id';
  await db.kysely
    .insertInto('passkey_challenges')
    .values({ challenge, purpose: of.purpose, ...columnsOf(of) })
    .onConflict((conflict) =>
      conflict
        .columns([key, 'purpose'])
        .doUpdateSet({ challenge, created_at: sql`clock_timestamp()` }),
    )
    .execute();
  return challenge;
}

/** Takes a challenge away: of those who answer it at once one finds it. @returns whether it was there, and still good */
export async function takeChallenge(
  db: Database,
  challenge: string,
  of: ChallengeFor,
): Promise<boolean> {
  const { pending_id, session_id } = columnsOf(of);
  const taken = await db.kysely
    .deleteFrom('passkey_challenges')
    .where('challenge', '=', challenge)
    .where('purpose', '=', of.purpose)
    .where('pending_id', 'is not distinct from', pending_id)
    .where('session_id', 'is not distinct from', session_id)
    .returning(
      sql<boolean>`created_at > clock_timestamp() - make_interval(secs => ${CHALLENGE_LIFE_SECONDS})`.as(
        'good',
      ),
    )
    .executeTakeFirst();
  return taken?.good ?? false;
}
