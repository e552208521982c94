import { createHmac, timingSafeEqual } from 'node:crypto';

/** Where the fan client is served. */
export const FAN_CLIENT_PATH = '/fan/';

/** Makes the URLs of the fan client, and reads what they grant. */
export interface FanClientUrls {
  /**
   * Where a session link leads. What it carries stands behind the `#`, which browsers neither send nor pass on.
   * @param base the server's address as people reach it, without a trailing slash
   * @param embedOrigin the origin of the page that may embed the client; null: none may
   */
  forLink(base: string, link: string, embedOrigin: string | null): string;
  /** @returns the origin that an `embed` parameter of ours allows, or null */
  embedOrigin(parameter: string): string | null;
}

/**
 * Which page may embed the client is said by the platform, which is trusted, and not by the page that does it: so it is
 * signed into the URL.
 * @param key kept outside the database
 */
export function fanClientUrls(key: Buffer): FanClientUrls {
  const signatureOf = (origin: string) =>
    createHmac('sha256', key).update(`embed\n${origin}`).digest('base64url');
  return {
    forLink(base, link, embedOrigin) {
      const embed =
        embedOrigin === null
          ? ''
          : `?embed=${encodeURIComponent(`${embedOrigin} ${signatureOf(embedOrigin)}`)}`;
      return `${base}${FAN_CLIENT_PATH}${embed}#link=${link}`;
    },
    embedOrigin(parameter) {
      const [origin = '', signature = '', ...more] = parameter.split(' ');
      const given = Buffer.from(signature);
      const expected = Buffer.from(signatureOf(origin));
      const intact =
        more.length === 0 && given.length === expected.length && timingSafeEqual(given, expected);
      return intact ? origin : null;
    },
  };
}
