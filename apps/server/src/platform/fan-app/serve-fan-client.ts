import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { FAN_CLIENT_PATH, type FanClientUrls } from '../../fans/fan-sessions/fan-client-url.ts';
import { notFound } from '../../http/error-reply.ts';

interface FanClientOptions {
  /** The built client's folder; null: don't serve the client. */
  readonly fanRoot: string | null;
  readonly urls: Pick<FanClientUrls, 'embedOrigin'>;
  /** An additional origin from which the client may load pictures; null: none. */
  readonly publicOrigin: string | null;
}

/** The page on which invitations are accepted. */
export const FAN_WELCOME_PATH = `${FAN_CLIENT_PATH}welcome`;
/** The script that the platform's pages load to embed the client. */
const EMBED_SCRIPT = `${FAN_CLIENT_PATH}embed.js`;

/**
 * Serves the fan client under `/fan/`: its files, and its page for every other path. Another site can embed it only if the URL
 * carries the server's signature for exactly that origin.
 * @returns whether there is a client to serve
 */
export async function serveFanClient(
  app: FastifyInstance,
  { fanRoot, urls, publicOrigin }: FanClientOptions,
): Promise<boolean> {
  const pageFile = fanRoot === null ? null : path.join(fanRoot, 'index.html');
  if (fanRoot === null || pageFile === null || !existsSync(pageFile)) return false;
  // Read only once: the page refers to the files that existed when the server started, and only those are served.
  const page = await readFile(pageFile);

  await app.register(async (scope) => {
    scope.addHook('onRequest', async (request, reply) => {
      setHeaders(reply, embedderOf(request, urls), publicOrigin);
    });
    await scope.register(fastifyStatic, {
      root: fanRoot,
      prefix: FAN_CLIENT_PATH,
      wildcard: false,
      index: false,
      // The build writes compressed copies next to its files.
      preCompressed: true,
      // Otherwise each compressed copy would get a route, too.
      globIgnore: ['**/*.{br,gz}'],
      decorateReply: false,
      setHeaders(reply, file) {
        const relative = path.relative(fanRoot, file).split(path.sep).join('/');
        const hashed = relative.startsWith('assets/');
        reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
        if (FAN_CLIENT_PATH + relative === EMBED_SCRIPT) {
          reply.header('cross-origin-resource-policy', 'cross-origin');
        }
      },
    });
    const options = { schema: { hide: true } };
    scope.get(FAN_CLIENT_PATH.slice(0, -1), options, async (request, reply) =>
      reply.redirect(FAN_CLIENT_PATH + new URL(request.url, 'http://localhost').search, 302),
    );
    // The client routes every path that isn't a file. Assets of an older build get a 404.
    scope.get(`${FAN_CLIENT_PATH}*`, options, async (request, reply) =>
      request.url.startsWith(`${FAN_CLIENT_PATH}assets/`)
        ? notFound(request, reply)
        : reply
            .type('text/html; charset=utf-8')
            .header('cache-control', 'no-cache')
            .header('x-robots-tag', 'noindex')
            .send(page),
    );
  });
  return true;
}

function embedderOf(request: FastifyRequest, urls: FanClientOptions['urls']): string | null {
  const { embed } = request.query as Readonly<Record<string, unknown>>;
  return typeof embed === 'string' ? urls.embedOrigin(embed) : null;
}

/** @param embedder the origin that may embed the client; null: none */
function setHeaders(
  reply: FastifyReply,
  embedder: string | null,
  publicOrigin: string | null,
): void {
  reply.header('content-security-policy', policy(embedder, publicOrigin));
  if (embedder === null) {
    reply.header('x-frame-options', 'DENY');
    return;
  }
  // X-Frame-Options can't allow a single origin; the policy does.
  reply.removeHeader('x-frame-options');
  reply.header('cross-origin-resource-policy', 'cross-origin');
}

const policy = (embedder: string | null, publicOrigin: string | null): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    `img-src 'self' data: blob:${publicOrigin === null ? '' : ` ${publicOrigin}`}`,
    // `blob:` is for files that the fan has picked but not sent.
    "media-src 'self' blob:",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${embedder ?? "'none'"}`,
    // The service worker's URL is the only trusted type the page creates.
    "require-trusted-types-for 'script'",
    'trusted-types service-worker',
  ].join(';');
