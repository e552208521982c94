/**
 * Checks whether a request's Origin is the console's own.
 * @param host the request's Host
 * @param publicOrigin the console's origin, if configured
 */
export const isOwnOrigin = (
  origin: string,
  host: string | undefined,
  publicOrigin: string | null,
): boolean => origin === publicOrigin || (URL.canParse(origin) && new URL(origin).host === host);

/**
 * Checks whether a request that a cookie authenticates comes from the console's own pages. Pages of other sites and of sibling
 * subdomains are rejected.
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
