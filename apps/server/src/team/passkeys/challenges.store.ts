import { randomBytes } from 'node:crypto';
import type { Assertion, NewCredential } from '@stagedoor/contract/team/webauthn';
import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { challengeIn } from './ceremony.ts';

/** Seconds until a challenge expires, by the database's clock. */
const CHALLENGE_LIFE_SECONDS = 300;

/** A challenge's purpose, and the pending sign-in or session that may answer it. */
export type ChallengeFor =
  | { readonly purpose: 'sign_in' | 'enrol'; readonly pendingId: string }
  | { readonly purpose: 'add' | 'confirm'; readonly sessionId: string };

const columnsOf = (of: ChallengeFor) =>
  'pendingId' in of
    ? { pending_id: of.pendingId, session_id: null }
    : { pending_id: null, session_id: of.sessionId };

/** Creates a challenge and replaces an unanswered one for the same purpose. @returns 256 bits in base64url */
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

/**
 * Consumes the challenge that a response answers. Of several simultaneous answers, only one succeeds.
 * @returns the challenge; null if there was none or it was no longer valid
 */
export async function takeChallenge(
  db: Database,
  response: NewCredential | Assertion,
  of: ChallengeFor,
): Promise<string | null> {
  const challenge = challengeIn(response);
  if (challenge === null) return null;
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
  return taken?.good ? challenge : null;
}
