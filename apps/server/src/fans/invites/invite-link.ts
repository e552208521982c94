import type { FastifyInstance } from 'fastify';

const PATH = '/invite';

/** Returns the link in an invitation's email. @param base the server's public address, without a trailing slash */
export const inviteUrl = (base: string, token: string): string => `${base}${PATH}/${token}`;

/**
 * Redirects the link in an invitation's email to the welcome page, with the token in the fragment, which browsers don't send.
 * Email scanners follow links, so the redirect changes no data.
 * @param welcomePath the path of the welcome page
 */
export function serveInviteLink(http: FastifyInstance, welcomePath: string): void {
  http.get<{ Params: { token: string } }>(
    `${PATH}/:token`,
    { schema: { hide: true } },
    async ({ params }, reply) =>
      reply
        .header('cache-control', 'no-store')
        .header('x-robots-tag', 'noindex, nofollow')
        .redirect(`${welcomePath}#invite=${encodeURIComponent(params.token)}`, 302),
  );
}
