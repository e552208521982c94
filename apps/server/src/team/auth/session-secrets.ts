import { createHash, randomBytes } from 'node:crypto';

/** The cookie that authorizes media URLs, because an <img> can't send a bearer token. It gives no other access. */
export const MEDIA_COOKIE = 'stagedoor_media';
/** The cookie that replaces the bearer token on the two avatar calls. It gives no other access. */
export const AVATAR_COOKIE = 'stagedoor_avatar';

const WEEK_SECONDS = 7 * 24 * 3_600;

/** The secrets of a session that the browser holds: the bearer token and the values of two cookies. */
export interface SessionSecrets {
  readonly token: string;
  readonly cookie: string;
  readonly mediaCookie: string;
}

/** Hashes a 256-bit secret for storage. */
export const sha256 = (value: string): Buffer => createHash('sha256').update(value).digest();

const secret = () => randomBytes(32).toString('base64url');

/** Creates the secrets of a session and the hashes to store. */
export function newSession() {
  const secrets: SessionSecrets = { token: secret(), cookie: secret(), mediaCookie: secret() };
  const hashes = {
    tokenHash: sha256(secrets.token),
    cookieHash: sha256(secrets.cookie),
    mediaCookieHash: sha256(secrets.mediaCookie),
  };
  return { secrets, hashes };
}

/**
 * Returns a session's cookies as values of Set-Cookie headers.
 * @param secrets null to clear the cookies
 * @param secure whether browsers connect over TLS
 */
export function sessionCookies(
  secrets: Omit<SessionSecrets, 'token'> | null,
  secure: boolean,
): string[] {
  const { cookie, mediaCookie } = secrets ?? { cookie: '', mediaCookie: '' };
  const age = secrets === null ? 0 : WEEK_SECONDS;
  const rest = `HttpOnly; SameSite=Strict; Max-Age=${age}${secure ? '; Secure' : ''}`;
  return [
    `${AVATAR_COOKIE}=${cookie}; Path=/api; ${rest}`,
    `${MEDIA_COOKIE}=${mediaCookie}; Path=/api/media; ${rest}`,
  ];
}
