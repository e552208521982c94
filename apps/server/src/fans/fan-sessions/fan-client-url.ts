import { createHmac, timingSafeEqual } from 'node:crypto';

export const FAN_CLIENT_PATH = '/fan/';

export type FanClientUrls = ReturnType<typeof fanClientUrls>;

/**
 * Builds the fan client's URLs, and verifies the embed origin in them. The trusted platform decides which page may embed the
 * client, not the page itself, so the URL contains the origin with a signature.
 * @param key kept outside the database
 */
export function fanClientUrls(key: Buffer) {
  const signatureOf = (origin: string) =>
    createHmac('sha256', key).update(`embed\n${origin}`).digest('base64url');
  return {
    /**
     * Returns the URL of a session link. The secret is in the fragment, which browsers neither send nor put in a Referer.
     * @param base the server's public address, without a trailing slash
     * @param embedOrigin the origin of the page that may embed the client; null if none may
     */
    forLink(base: string, link: string, embedOrigin: string | null): string {
      const embed =
        embedOrigin === null
          ? ''
          : `?embed=${encodeURIComponent(`${embedOrigin} ${signatureOf(embedOrigin)}`)}`;
      return `${base}${FAN_CLIENT_PATH}${embed}#link=${link}`;
    },
    /** Returns the origin that an `embed` parameter allows; null if its signature is invalid. */
    embedOrigin(parameter: string): string | null {
      const [origin = '', signature = '', ...more] = parameter.split(' ');
      const given = Buffer.from(signature);
      const expected = Buffer.from(signatureOf(origin));
      const intact =
        more.length === 0 && given.length === expected.length && timingSafeEqual(given, expected);
      return intact ? origin : null;
    },
  };
}
