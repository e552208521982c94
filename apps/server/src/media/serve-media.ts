import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isUuid } from '../db/database.ts';
import { AppError, linkExpired, unauthorized } from '../errors.ts';
import { parseRange } from '../http/byte-range.ts';
import { cleanFilename } from './filenames.ts';
import { type Grant, type LinkedFile, MEDIA_PATH, type MediaLinks } from './media-links.ts';
import type { FileStores } from './new-objects.ts';
import { findForFan } from './uploads.store.ts';

/** Who of the staff is asking. */
export interface StaffGate {
  sessionIsLive(sessionId: string): Promise<boolean>;
  /** Whether a request carries the bearer token or the media cookie of a live session. */
  opensMedia(headers: {
    authorization?: string | undefined;
    cookie?: string | undefined;
  }): Promise<boolean>;
}

interface MediaDependencies extends FileStores {
  readonly links: MediaLinks;
  readonly gate: StaffGate;
}

/** Calls of one link a minute: a player that jumps about in a video makes dozens. */
const CALLS = {
  max: 600,
  timeWindow: 60_000,
  isPerNode: true,
  keyGenerator: (request: FastifyRequest) => request.url,
};

/** What browsers may show in place; all else is a download. */
const SHOWN =
  /^(image\/(jpeg|png|webp|gif)|video\/(mp4|webm|quicktime)|audio\/(mpeg|mp4|wav|ogg|webm))$/;

/**
 * `GET /api/media/{link}`: the bytes of a file, for whom its link was made and who still may have it. Nothing that a file
 * contains is ever run: its type is ours, and should a browser open it as a page, that page is a sandbox without rights.
 */
export function serveMedia(app: FastifyInstance, deps: MediaDependencies): void {
  app.route<{ Params: { '*': string } }>({
    method: ['GET', 'HEAD'],
    url: `${MEDIA_PATH}/*`,
    schema: { hide: true },
    config: { rateLimit: CALLS },
    handler: async (request, reply) => {
      const { grant, secondsLeft } = deps.links.read(request.params['*']);
      const file = await fileFor(grant, request, deps);
      reply.headers({
        'cache-control': `private, max-age=${secondsLeft}`,
        'content-security-policy': "default-src 'none'; sandbox",
        // Fans see theirs on the platform's own pages.
        'cross-origin-resource-policy': grant.to === 'fan' ? 'cross-origin' : 'same-origin',
        'content-disposition': disposition(file),
        'accept-ranges': 'bytes',
        etag: etagOf(file.key),
      });
      return send(request, reply, file, deps);
    },
  });
}

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  file: LinkedFile,
  { storage }: MediaDependencies,
): Promise<FastifyReply> {
  const etag = etagOf(file.key);
  if (holds(request.headers['if-none-match'], etag)) return reply.status(304).send();
  reply.type(file.mime_type);
  const head = request.method === 'HEAD';
  const condition = request.headers['if-range'];
  const asked = condition === undefined || condition === etag ? request.headers.range : undefined;
  if (head || asked !== undefined) {
    const size = await storage.size(file.key);
    if (size === null) throw missing(reply);
    const range = parseRange(asked, size);
    if (range === 'unsatisfiable') {
      forgetHeaders(reply);
      return reply.status(416).header('content-range', `bytes */${size}`).send();
    }
    if (head) return reply.header('content-length', size).send();
    if (range !== null) {
      const part = await storage.get(file.key, range);
      if (part === null) throw missing(reply);
      return reply
        .status(206)
        .header('content-range', `bytes ${range.start}-${range.end}/${size}`)
        .header('content-length', part.size)
        .send(part.body);
    }
  }
  const whole = await storage.get(file.key);
  if (whole === null) throw missing(reply);
  return reply.header('content-length', whole.size).send(whole.body);
}

/**
 * The object that a link leads to, for who follows it now.
 * @throws AppError 401 for staff who are not signed in any more, 403 for a fan who may not have it any more
 */
async function fileFor(
  grant: Grant,
  request: FastifyRequest,
  deps: MediaDependencies,
): Promise<LinkedFile> {
  if (grant.to === 'staff') {
    const allowed =
      grant.audience === 'staff'
        ? await deps.gate.opensMedia(request.headers)
        : await deps.gate.sessionIsLive(grant.audience.sessionId);
    if (!allowed) throw unauthorized();
    return grant.file;
  }
  const { target, variant } = grant;
  const found = isUuid(target.attachmentId) ? await findForFan(deps.db, target) : null;
  if (found === null) throw linkExpired();
  const { attachment, bought } = found;
  const { product, thumbnail_key } = attachment;
  if (variant === 'preview') {
    if (product === null) throw linkExpired();
    return { key: product.preview_key, mime_type: 'image/webp', filename: null };
  }
  if (product !== null && !bought) throw linkExpired();
  if (variant === 'file') return attachment;
  if (thumbnail_key === null) throw linkExpired();
  return { key: thumbnail_key, mime_type: 'image/webp', filename: null };
}

/** Objects never change, so that their key is all there is to compare; the key itself stays here. */
const etagOf = (key: string) =>
  `"${createHash('sha256').update(key).digest('base64url').slice(0, 27)}"`;

/** Whether an If-None-Match names the object. Proxies that compress weaken what they pass on. */
function holds(header: string | undefined, etag: string): boolean {
  const held = (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return held.includes(etag) || held.includes('*');
}

/** With the name in plain ASCII, and as RFC 5987 writes it. */
function disposition({ mime_type, filename }: LinkedFile): string {
  const kind = SHOWN.test(mime_type) ? 'inline' : 'attachment';
  if (filename === null) return kind;
  const name = cleanFilename(filename);
  const ascii = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

function missing(reply: FastifyReply): AppError {
  forgetHeaders(reply);
  return new AppError('not_found');
}

/** What was said of a file does not hold for the refusal that is sent instead. */
function forgetHeaders(reply: FastifyReply): void {
  for (const name of ['cache-control', 'content-disposition', 'content-type', 'etag']) {
    reply.removeHeader(name);
  }
}
