import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { OTP_LENGTH, type SignedInAdmin } from '@stagedoor/contract/auth';
import type { Database } from '../../db/database.ts';
import {
  invalidCode,
  passkeyEnrolmentRequired,
  passkeyRequired,
  rateLimited,
} from '../../errors.ts';
import { type AdminActor, bearer } from '../../http/route.ts';
import type { Mailer } from '../../mail/mailer.ts';
import { findActiveAdmin, presentAdmin } from '../admins/admins.store.ts';
import {
  CODE_LIFE_SECONDS,
  findSession,
  findSessionByAvatarCookie,
  hasMediaCookie,
  liveSessions,
  openSession,
  type SessionRow,
  storeCode,
  takeTry,
  touchSession,
} from './auth.store.ts';
import {
  AVATAR_COOKIE,
  MEDIA_COOKIE,
  newSession,
  type SessionSecrets,
  sha256,
} from './session-secrets.ts';
import { shareNext } from './share-next.ts';

interface AuthDependencies {
  readonly db: Database;
  readonly mailer: Mailer;
  /** Codes are kept as HMACs under this key, which is not in the database: a dump can't be searched for six digits. */
  readonly codeKey: Buffer;
  readonly log: { error(details: object, message: string): void };
}

export type AuthService = ReturnType<typeof createAuthService>;

/** Seconds between two codes for one address. */
const RESEND_SECONDS = 60;
const MAIL_ATTEMPTS = 3;
const MAIL_RETRY_MS = 2_000;

/** Sign-in by e-mailed codes, and the sessions that follow from it. */
export function createAuthService({ db, mailer, codeKey, log }: AuthDependencies) {
  const underway = new Set<Promise<void>>();

  const hashCode = (email: string, code: string) =>
    createHmac('sha256', codeKey).update(`${email}\n${code}`).digest();

  async function actorOf(session: SessionRow | null): Promise<AdminActor | null> {
    if (session === null) return null;
    if (session.stale) await touchSession(db, session.session_id);
    return { sessionId: session.session_id, admin: presentAdmin(session) };
  }

  const authenticate = shareNext(async (token: string) =>
    actorOf(await findSession(db, sha256(token))),
  );

  async function mailCode(email: string, code: string): Promise<void> {
    const admin = await findActiveAdmin(db, email);
    if (admin === null) return;
    for (let attempt = 1; ; attempt++) {
      try {
        await mailer.send(codeMail(email, code));
        return;
      } catch (error) {
        if (attempt === MAIL_ATTEMPTS) throw error;
        await new Promise((resolve) => setTimeout(resolve, MAIL_RETRY_MS * attempt));
      }
    }
  }

  return {
    /**
     * Sends a code to an address if an active admin has it. Known, unknown and inactive addresses take the same path and
     * give the same answer: who that is, is looked up only once the answer is on its way.
     * @throws AppError 429 `rate_limited`
     */
    async requestCode(email: string): Promise<{ expires_in: number; retry_after: number }> {
      const code = randomInt(10 ** OTP_LENGTH)
        .toString()
        .padStart(OTP_LENGTH, '0');
      const wait = await storeCode(db, email, hashCode(email, code));
      if (wait > 0) {
        throw rateLimited(
          wait,
          `A code was sent already. Please wait ${wait} seconds for another.`,
        );
      }
      const mailed = new Promise((resolve) => setImmediate(resolve))
        .then(() => mailCode(email, code))
        .catch((error: unknown) => log.error({ err: error }, 'a sign-in code could not be mailed'))
        .finally(() => underway.delete(mailed));
      underway.add(mailed);
      return { expires_in: CODE_LIFE_SECONDS, retry_after: RESEND_SECONDS };
    },

    /**
     * Exchanges a code for a session.
     * @throws AppError 401 `invalid_code`, whatever was wrong; 403 `passkey_required` or `passkey_enrolment_required`, with
     * the token by which the sign-in goes on, where the code is not enough
     */
    async verifyCode(
      email: string,
      code: string,
      userAgent: string | null,
    ): Promise<SessionSecrets & { admin: SignedInAdmin }> {
      const stored = await takeTry(db, email);
      if (stored === null || !timingSafeEqual(stored.code_hash, hashCode(email, code))) {
        throw invalidCode();
      }
      const { secrets, hashes } = newSession();
      const opened = await openSession(db, stored.id, {
        ...hashes,
        userAgent: userAgent?.slice(0, 300) ?? null,
      });
      if (opened === null) throw invalidCode();
      if (opened.step === 'passkey') throw passkeyRequired(secrets.token);
      if (opened.step === 'enrol') throw passkeyEnrolmentRequired(secrets.token);
      return { ...secrets, admin: presentAdmin(opened) };
    },

    /** @returns the admin of a live session, with the permissions in force now; null otherwise */
    authenticate,

    /** @returns the same for the session whose avatar cookie a Cookie header carries */
    async authenticateAvatarCookie(header: string): Promise<AdminActor | null> {
      const cookie = cookieOf(header, AVATAR_COOKIE);
      return cookie === null ? null : actorOf(await findSessionByAvatarCookie(db, sha256(cookie)));
    },

    /** Whether a session is still good. */
    async sessionIsLive(id: string): Promise<boolean> {
      return (await liveSessions(db, [id])).has(id);
    },

    /** Whether a request carries the bearer token or the media cookie of a live session. */
    async opensMedia(headers: {
      authorization?: string | undefined;
      cookie?: string | undefined;
    }): Promise<boolean> {
      const token = bearer(headers.authorization);
      if (token !== null) return (await findSession(db, sha256(token))) !== null;
      const cookie = cookieOf(headers.cookie, MEDIA_COOKIE);
      return cookie !== null && hasMediaCookie(db, sha256(cookie));
    },

    /** Resolves when no mail is under way any more. */
    async settle(): Promise<void> {
      await Promise.all(underway);
    },
  };
}

function cookieOf(header: string | undefined, name: string): string | null {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim().split('='));
  return pairs.find(([key]) => key === name)?.[1] ?? null;
}

function codeMail(to: string, code: string) {
  return {
    to,
    subject: `${code} is your Stagedoor code`,
    text: `Your sign-in code is

    ${code}

It works once, for ${CODE_LIFE_SECONDS / 60} minutes. If you did not ask for it, ignore this mail: nobody can sign in without the code.
`,
  };
}
