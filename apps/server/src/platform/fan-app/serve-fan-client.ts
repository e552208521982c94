import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { FAN_CLIENT_PATH, type FanClientUrls } from '../../fans/fan-sessions/fan-client-url.ts';
import { notFound } from '../../http/error-reply.ts';

interface FanClientOptions {
  /** The built client's folder; null leaves it out. */
  readonly fanRoot: string | null;
  readonly urls: Pick<FanClientUrls, 'embedOrigin'>;
  /** Where pictures of ours may be besides the page's own origin. */
  readonly publicOrigin: string | null;
}

/** Where an invitation is accepted. */
export const FAN_WELCOME_PATH = `${FAN_CLIENT_PATH}welcome`;
/** What the platform's pages load: their half of the embedding. */
const EMBED_SCRIPT = `${FAN_CLIENT_PATH}embed.js`;

/**
 * The fan client below `/fan/`: its files, and its page for every path that is none. Pages of others may embed it only where
 * the URL carries the server's own signature for exactly their origin.
 * @returns whether there is a client to serve
 */
export async function serveFanClient(
  app: FastifyInstance,
  { fanRoot, urls, publicOrigin }: FanClientOptions,
): Promise<boolean> {
  const pageFile = fanRoot === null ? null : path.join(fanRoot, 'index.html');
  if (fanRoot === null || pageFile === null || !existsSync(pageFile)) return false;
  // Read once: it names the files that lay beside it when the server started, which are those that are served.
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
      // The build lays compressed copies beside its files.
      preCompressed: true,
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
    // Every path that is no file is the client's to route; what was built under another name is gone.
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

/** @param embedder the origin of the page that may embed the client; null: none may */
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
  // It knows no single origin that may: the policy says which.
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
    // 'blob:' is what the fan picked and has not sent yet.
    "media-src 'self' blob:",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${embedder ?? "'none'"}`,
    // The address of the service worker is the one thing that the page has to vouch for.
    "require-trusted-types-for 'script'",
    'trusted-types service-worker',
  ].join(';');
