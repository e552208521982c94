import type { FastifyInstance } from 'fastify';

const PATH = '/invite';

/** What an invitation's mail leads to. @param base the server's address as people reach it, without a trailing slash */
export const inviteUrl = (base: string, token: string): string => `${base}${PATH}/${token}`;

/**
 * Leads from the link of an invitation's mail to the welcome page. From there on the token stands behind the `#`, which
 * browsers send to nobody. Programs that look into mail follow its links, which changes nothing.
 * @param welcomePath the welcome page's
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
