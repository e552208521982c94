import type { FastifyInstance } from 'fastify';
import type { Database } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { notFound } from './error-reply.ts';
import { inTime } from './in-time.ts';
import { type Metrics, PATIENCE_MS, type Watched, watch } from './metrics.ts';
import { isLoopbackUrl, isSameMachine } from './same-machine.ts';
import { isSameSecret } from './same-secret.ts';

interface Operations extends Watched {
  readonly metrics: Metrics;
  /** The bearer token for the metrics; null: readable on this machine unless proxied. */
  readonly metricsToken: string | null;
  /** Null if not configured: browsers can use any address. */
  readonly publicUrl: string | null;
}

/** Serves the operators' endpoints: `/api/health` and `/metrics`. */
export function serveOperations(app: FastifyInstance, operations: Operations): void {
  const { db, broker, metrics, metricsToken, publicUrl } = operations;
  // With a public URL, remote requests come through a proxy, and not every proxy adds headers that reveal it.
  const isProxied = publicUrl !== null && !isLoopbackUrl(publicUrl);
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
    const answered = await answers(db).catch((error: unknown) => {
      request.log.warn({ err: error }, 'the database does not respond');
      return false;
    });
    // Without its broker a node still serves: events reach the other nodes a second later.
    const nodes = broker && { broker: broker.isUp() ? 'ok' : 'away' };
    if (answered) return reply.send({ data: { status: 'ok', ...nodes } });
    return reply.status(503).send({ error: 'The database does not respond', code: 'unavailable' });
  });

  app.get('/metrics', { schema: { hide: true }, logLevel: 'warn' }, async (request, reply) => {
    if (metricsToken === null) {
      if (isProxied || !isSameMachine(request)) return notFound(request, reply);
    } else if (!isSameSecret(request.headers.authorization ?? '', `Bearer ${metricsToken}`)) {
      throw new AppError('unauthorized');
    }
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
}

const answers = async (db: Database): Promise<boolean> =>
  (await inTime(db.run({ name: 'health', text: 'select 1' }, []), PATIENCE_MS)) !== null;
