import type { FastifyInstance } from 'fastify';
import { AppError } from '../../errors.ts';
import type { ObjectStorage } from '../../storage/storage.ts';

/** The folder of the storage that the creator's pictures lie in, and nothing else. */
const FOLDER = 'avatars/';
const PATH = '/api/avatars/';
/** A picture never changes: another one has another name. Seconds. */
const YEAR_SECONDS = 31_536_000;
/** Browsers keep it, so that an address asks for it once a person. */
const CALLS = { max: 1_200, timeWindow: 60_000, isPerNode: true };

/** Where a stored picture of the creator's is served. */
export const avatarPath = (key: string): string => PATH + key.slice(FOLDER.length);

/** `GET /api/avatars/{name}`: the creator's picture, for everyone who was given its name, which can't be guessed. */
export function serveAvatars(app: FastifyInstance, storage: ObjectStorage): void {
  async function find(method: string, key: string) {
    if (method !== 'HEAD') return storage.get(key);
    const size = await storage.size(key);
    return size === null ? null : { size, body: undefined };
  }

  app.route<{ Params: { name: string } }>({
    method: ['GET', 'HEAD'],
    url: `${PATH}:name`,
    schema: { hide: true },
    config: { rateLimit: CALLS },
    handler: async (request, reply) => {
      const { name } = request.params;
      if (!/^[A-Za-z0-9_-]{43}$/.test(name)) throw new AppError('not_found');
      const picture = await find(request.method, FOLDER + name);
      if (picture === null) throw new AppError('not_found');
      return reply
        .headers({
          'cache-control': `public, max-age=${YEAR_SECONDS}, immutable`,
          'content-security-policy': "default-src 'none'; sandbox",
          // Fans see it on the platform's own pages.
          'cross-origin-resource-policy': 'cross-origin',
          'content-disposition': 'inline',
          'content-length': picture.size,
        })
        .type('image/webp')
        .send(picture.body);
    },
  });
}
