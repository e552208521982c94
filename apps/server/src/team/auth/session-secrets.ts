import { createHash, randomBytes } from 'node:crypto';

/** The cookie with which pages show files: an <img> can't carry a bearer token. It opens nothing else. */
export const MEDIA_COOKIE = 'stagedoor_media';
/** The cookie that stands in for the bearer token on the two avatar calls. It opens nothing else. */
export const AVATAR_COOKIE = 'stagedoor_avatar';

const WEEK_SECONDS = 7 * 24 * 3_600;

/** What a browser holds of a session: the bearer token, and the values of its two cookies. */
export interface SessionSecrets {
  readonly token: string;
  readonly cookie: string;
  readonly mediaCookie: string;
}

/** How secrets of 256 bits are kept. */
export const sha256 = (value: string): Buffer => createHash('sha256').update(value).digest();

const secret = () => randomBytes(32).toString('base64url');

/** New secrets, and the hashes of them that are kept. */
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
 * The cookies of a session, as values of Set-Cookie headers.
 * @param secrets null takes them away
 * @param secure whether browsers reach us over TLS
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
