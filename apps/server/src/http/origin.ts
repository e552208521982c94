/**
 * Whether a request's Origin is the console's own.
 * @param host the request's Host
 * @param publicOrigin the console's own origin where it is configured
 */
export const isOwnOrigin = (
  origin: string,
  host: string | undefined,
  publicOrigin: string | null,
): boolean => origin === publicOrigin || (URL.canParse(origin) && new URL(origin).host === host);

/**
 * Whether a request that a cookie speaks for may come from where it comes from: a browser says where that is, and another
 * site's page, or a sibling's, is refused.
 */
export function isSameOrigin(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  publicOrigin: string | null,
): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (site !== undefined && site !== 'same-origin') return false;
  if (origin === undefined) return true;
  return typeof origin === 'string' && isOwnOrigin(origin, String(host), publicOrigin);
}
