import { createHash, timingSafeEqual } from 'node:crypto';
import { isIPv4 } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Database } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { notFound } from './error-reply.ts';
import { inTime, type Metrics, type Watched, watch } from './metrics.ts';

interface Operations extends Watched {
  readonly metrics: Metrics;
  /** Who shows it may read the metrics from anywhere; null: only the machine itself may. */
  readonly metricsToken: string | null;
}

/** What those who run the installation look at: `/api/health` and `/metrics`. */
export function serveOperations(app: FastifyInstance, operations: Operations): void {
  const { db, broker, metrics, metricsToken } = operations;
  watch(metrics, operations);

  app.addHook('onResponse', async (request, reply) => {
    metrics.requests.observe(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'unknown',
        status: reply.statusCode,
      },
      reply.elapsedTime / 1000,
    );
  });

  app.get('/api/health', { schema: { hide: true }, logLevel: 'warn' }, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const answered = await answers(db).catch((error: unknown) => {
      request.log.warn({ err: error }, 'the database does not answer');
      return false;
    });
    // Without its broker a node still serves: others hear of it a second later.
    const nodes = broker && { broker: broker.isUp() ? 'ok' : 'away' };
    if (answered) return reply.send({ data: { status: 'ok', ...nodes } });
    return reply.status(503).send({ error: 'The database does not answer', code: 'unavailable' });
  });

  app.get('/metrics', { schema: { hide: true }, logLevel: 'warn' }, async (request, reply) => {
    if (metricsToken === null) {
      if (!isOfThisMachine(request)) return notFound(request, reply);
    } else if (!shows(request, metricsToken)) {
      throw new AppError('unauthorized');
    }
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
}

const answers = async (db: Database): Promise<boolean> =>
  (await inTime(db.run({ name: 'health', text: 'select 1' }, []))) !== null;

/** What a proxy on this machine passes on comes from here too, but is somebody else's: it says so in one of these. */
const PASSED_ON = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via'];

function isOfThisMachine({ raw }: FastifyRequest): boolean {
  const address = (raw.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  const isLoopback = address === '::1' || (isIPv4(address) && address.startsWith('127.'));
  return isLoopback && PASSED_ON.every((name) => raw.headers[name] === undefined);
}

const sha256 = (value: string) => createHash('sha256').update(value).digest();

/** In the same time whatever is shown. */
const shows = ({ headers }: FastifyRequest, token: string): boolean =>
  timingSafeEqual(sha256(headers.authorization ?? ''), sha256(`Bearer ${token}`));
