import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isUuid } from '../db/database.ts';
import { AppError, linkExpired, unauthorized } from '../errors.ts';
import { parseRange } from '../http/byte-range.ts';
import { cleanFilename } from './filenames.ts';
import { type Grant, type LinkedFile, MEDIA_PATH, type MediaLinks } from './media-links.ts';
import type { FileStores } from './new-objects.ts';
import { findForFan } from './uploads.store.ts';

/** Checks staff's access. */
export interface StaffGate {
  sessionIsLive(sessionId: string): Promise<boolean>;
  /** Checks whether a request carries the bearer token or the media cookie of a live session. */
  opensMedia(headers: {
    authorization?: string | undefined;
    cookie?: string | undefined;
  }): Promise<boolean>;
}

interface MediaDependencies extends FileStores {
  readonly links: MediaLinks;
  readonly gate: StaffGate;
}

/** Requests per link and minute: seeking in a video makes dozens. */
const CALLS = {
  max: 600,
  timeWindow: 60_000,
  isPerNode: true,
  keyGenerator: (request: FastifyRequest) => request.url,
};

/** Types that browsers may display inline; all others are downloads. */
const SHOWN =
  /^(image\/(jpeg|png|webp|gif)|video\/(mp4|webm|quicktime)|audio\/(mpeg|mp4|wav|ogg|webm))$/;

/**
 * Serves `GET /api/media/{link}`: a file's bytes, if the link's recipient still has access. Nothing in a file is ever executed:
 * we set its type, and if a browser opens it as a page, that page is a sandbox without rights.
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
        // The platform's pages may embed fans' files.
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
 * Returns the object that a link leads to, after checking access.
 * @throws AppError 401 for staff who are no longer signed in, 403 for a fan who no longer has access
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
  const { product } = attachment;
  if (variant === 'preview') {
    if (product === null) throw linkExpired();
    return { key: product.preview_key, mime_type: 'image/webp', filename: null };
  }
  const file = product?.media?.find(({ id }) => id === target.fileId);
  if (target.fileId !== undefined && file === undefined) throw linkExpired();
  if (product !== null && !bought && !file?.free) throw linkExpired();
  const { thumbnail_key } = file ?? attachment;
  if (variant === 'file') return file ?? attachment;
  if (thumbnail_key === null) throw linkExpired();
  return { key: thumbnail_key, mime_type: 'image/webp', filename: null };
}

/** Objects never change, so the key identifies the content; it is hashed to keep it secret. */
const etagOf = (key: string) =>
  `"${createHash('sha256').update(key).digest('base64url').slice(0, 27)}"`;

/** Checks whether an If-None-Match header contains the object's tag. Compressing proxies turn it into a weak tag. */
function holds(header: string | undefined, etag: string): boolean {
  const held = (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return held.includes(etag) || held.includes('*');
}

/** Returns the Content-Disposition header, with the name in plain ASCII and in RFC 5987 encoding. */
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

/** Removes the file's headers, which don't apply to the error that is sent instead. */
function forgetHeaders(reply: FastifyReply): void {
  for (const name of ['cache-control', 'content-disposition', 'content-type', 'etag']) {
    reply.removeHeader(name);
  }
}
