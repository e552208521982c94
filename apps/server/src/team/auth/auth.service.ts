import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { OTP_LENGTH, type SignedInAdmin } from '@stagedoor/contract/team/auth';
import { writeAudit } from '../../db/audit.ts';
import type { Database } from '../../db/database.ts';
import * as errors from '../../errors.ts';
import { type AdminActor, bearer } from '../../http/route.ts';
import { letter } from '../../mail/letter.ts';
import type { Mail, Mailer } from '../../mail/mailer.ts';
import { type Language, type Texts, textsIn } from '../../texts.ts';
import { findActiveAdmin, presentAdmin } from '../admins/admins.store.ts';
import type { SecurityNotices } from '../admins/security-notices.ts';
import * as store from './auth.store.ts';
import { WARNED_AFTER } from './failures.store.ts';
import { remember } from './remember.ts';
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
  readonly notices: SecurityNotices;
  /** Codes are stored as HMACs with this key. It isn't in the database, so a dump alone can't reveal the six-digit codes. */
  readonly codeKey: Buffer;
  readonly log: { error(details: object, message: string): void };
}

export type AuthService = ReturnType<typeof createAuthService>;

/** The minimum interval between two codes to the same address. Seconds. */
const RESEND_SECONDS = 60;
/** How long a session check is reused for further socket events of the session. Milliseconds. */
const RECENT_MS = 500;
const MAIL_ATTEMPTS = 3;
const MAIL_RETRY_MS = 2_000;

/** Returns the error text for a code requested too soon after another. */
const waitText = (seconds: number, { t }: Texts): string =>
  seconds > RESEND_SECONDS
    ? t(
        'A code has already been sent. Please wait {count, plural, one {# minute} other {# minutes}} before requesting another.',
        { count: Math.ceil(seconds / 60) },
      )
    : t(
        'A code has already been sent. Please wait {count, plural, one {# second} other {# seconds}} before requesting another.',
        { count: seconds },
      );

/** Signs admins in with emailed codes, and manages their sessions. */
export function createAuthService({ db, mailer, notices, codeKey, log }: AuthDependencies) {
  const underway = new Set<Promise<void>>();

  const hashCode = (email: string, code: string) =>
    createHmac('sha256', codeKey).update(`${email}\n${code}`).digest();

  async function actorOf(session: store.SessionRow | null): Promise<AdminActor | null> {
    if (session === null) return null;
    if (session.stale) await store.touchSession(db, session.session_id);
    const { session_id: sessionId, is_off_shift: isOffShift } = session;
    return { sessionId, isOffShift, admin: presentAdmin(session) };
  }

  const authenticate = shareNext(async (token: string) =>
    actorOf(await store.findSession(db, sha256(token))),
  );
  const recent = remember(authenticate, RECENT_MS);

  /** Runs work after the reply is sent, so that the response time doesn't reveal whether the address is known. */
  function afterReply(work: () => Promise<void>, failure: string): void {
    const done = new Promise((resolve) => setImmediate(resolve))
      .then(work)
      .catch((error: unknown) => log.error({ err: error }, failure))
      .finally(() => underway.delete(done));
    underway.add(done);
  }

  async function mailCode(email: string, code: string, language: Language | null): Promise<void> {
    const admin = await findActiveAdmin(db, email);
    if (admin !== null) await send(codeMail(textsIn(language, admin.language), email, code));
  }

  /** Audits a wrong code, and warns the admin by email after {@link WARNED_AFTER} in a row. */
  async function noteFailure(email: string, inARow: number): Promise<void> {
    const admin = await findActiveAdmin(db, email);
    if (admin === null) return;
    await db.kysely.transaction().execute(async (tx) => {
      await writeAudit(tx, {
        adminId: admin.id,
        action: 'sign_in.fail',
        targetId: admin.id,
        details: { factor: 'code', in_a_row: inARow },
      });
      if (inARow === WARNED_AFTER)
        await notices.add(tx, [admin.id], { what: 'wrong_codes', name: null, inARow });
    });
    if (inARow === WARNED_AFTER) notices.wake();
  }

  async function send(mail: Mail): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await mailer.send(mail);
        return;
      } catch (error) {
        if (attempt === MAIL_ATTEMPTS) throw error;
        await new Promise((resolve) => setTimeout(resolve, MAIL_RETRY_MS * attempt));
      }
    }
  }

  return {
    /**
     * Sends a code to an address if an active admin has it. Known, unknown and inactive addresses get the same reply: the
     * admin is looked up only after the reply is sent.
     * @param language the language of the sign-in page; by default the one that the admin used last
     * @throws AppError 429 `rate_limited`, or `too_many_wrong_codes` while the address must wait
     */
    async requestCode(
      email: string,
      language: Language | null,
    ): Promise<{ expires_in: number; retry_after: number }> {
      const code = randomInt(10 ** OTP_LENGTH)
        .toString()
        .padStart(OTP_LENGTH, '0');
      const wait = await store.storeCode(db, email, hashCode(email, code));
      if (wait?.reason === 'wrong_codes') throw errors.tooManyWrongCodes(wait.seconds);
      if (wait !== null) {
        throw errors.rateLimited(wait.seconds, waitText(wait.seconds, textsIn(language)));
      }
      afterReply(() => mailCode(email, code, language), 'a sign-in code could not be emailed');
      return { expires_in: store.CODE_LIFE_SECONDS, retry_after: RESEND_SECONDS };
    },

    /**
     * Exchanges a code for a session.
     * @throws AppError 401 `invalid_code` for any wrong input; 429 `too_many_wrong_codes` while the address must wait; 403
     * `passkey_required` or `passkey_enrolment_required`, with a token to continue the sign-in, if the code is not enough
     */
    async verifyCode(
      email: string,
      code: string,
      userAgent: string | null,
    ): Promise<SessionSecrets & { admin: SignedInAdmin }> {
      const stored = await store.takeTry(db, email);
      if (typeof stored === 'number') throw errors.tooManyWrongCodes(stored);
      if (stored === null) throw errors.invalidCode();
      if (!timingSafeEqual(stored.code_hash, hashCode(email, code))) {
        afterReply(() => noteFailure(email, stored.failures), 'a wrong code could not be recorded');
        throw errors.invalidCode();
      }
      const { secrets, hashes } = newSession();
      const opened = await store.openSession(db, stored.id, {
        ...hashes,
        userAgent: userAgent?.slice(0, 300) ?? null,
      });
      if (opened === null) throw errors.invalidCode();
      if (opened.step === 'passkey') throw errors.passkeyRequired(secrets.token);
      if (opened.step === 'enrol') throw errors.passkeyEnrolmentRequired(secrets.token);
      return { ...secrets, admin: presentAdmin(opened) };
    },

    /** Returns the admin of a live session with their current permissions, or null. */
    authenticate,

    /** Like `authenticate`, but may reuse a check that began up to half a second ago, unless `changed` was called since. */
    authenticateRecent: recent.ask,

    /** Must be called after anything that may have changed an admin, a session or a shift. */
    changed: recent.clear,

    /** Returns the admin of a live session like `authenticate`, but by the avatar cookie in a Cookie header. */
    async authenticateAvatarCookie(header: string): Promise<AdminActor | null> {
      const cookie = cookieOf(header, AVATAR_COOKIE);
      return cookie === null
        ? null
        : actorOf(await store.findSessionByAvatarCookie(db, sha256(cookie)));
    },

    async sessionIsLive(id: string): Promise<boolean> {
      return (await store.liveSessions(db, [id])).has(id);
    },

    /** Checks whether a request carries the bearer token or the media cookie of a live session. */
    async opensMedia(headers: {
      authorization?: string | undefined;
      cookie?: string | undefined;
    }): Promise<boolean> {
      const token = bearer(headers.authorization);
      if (token !== null) return (await store.findSession(db, sha256(token))) !== null;
      const cookie = cookieOf(headers.cookie, MEDIA_COOKIE);
      return cookie !== null && store.hasMediaCookie(db, sha256(cookie));
    },

    /** Waits for work that continues after the response was sent. */
    async settle(): Promise<void> {
      await Promise.all(underway);
    },
  };
}

function cookieOf(header: string | undefined, name: string): string | null {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim().split('='));
  return pairs.find(([key]) => key === name)?.[1] ?? null;
}

function codeMail(texts: Texts, to: string, code: string): Mail {
  const { t } = texts;
  const minutes = store.CODE_LIFE_SECONDS / 60;
  return letter(texts, {
    to,
    subject: t('{code} is your Stagedoor code', { code }),
    paragraphs: [
      t('Your sign-in code:'),
      code,
      t('It works once, for {minutes, plural, one {# minute} other {# minutes}}.', { minutes }),
      t('If you did not request it, ignore this email. Nobody can sign in without the code.'),
    ],
  });
}
