import type { FastifyInstance } from 'fastify';
import { AppError } from '../../errors.ts';
import type { ObjectStorage } from '../../storage/storage.ts';

/** The storage folder that contains only the creator's pictures. */
const FOLDER = 'avatars/';
const PATH = '/api/avatars/';
/** Cache lifetime in seconds. A picture never changes, because a new one gets a new name. */
const YEAR_SECONDS = 31_536_000;
/** Calls per minute from one IP address. Browsers cache the picture, so each person behind the address requests it about once. */
const CALLS = { max: 1_200, timeWindow: 60_000, isPerNode: true };

/** Returns the URL path of a stored creator picture. */
export const avatarPath = (key: string): string => PATH + key.slice(FOLDER.length);

/** Serves `GET /api/avatars/{name}`: the creator's picture, for everyone who knows its unguessable name. */
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
          // Fans see the picture on the platform's pages.
          'cross-origin-resource-policy': 'cross-origin',
          'content-disposition': 'inline',
          'content-length': picture.size,
        })
        .type('image/webp')
        .send(picture.body);
    },
  });
}
