import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Database } from '../db/database.ts';
import type { Broker } from '../realtime/broker.ts';

interface Operations {
  readonly db: Database;
  /** Null where one process serves alone. */
  readonly broker: Pick<Broker, 'isUp'> | null;
  readonly sockets: { connected(): number; underway(): number };
  readonly fanSockets: { connected(): number };
  /** Webhook events that wait, and that were given up. */
  readonly countDeliveries: () => Promise<Record<'waiting' | 'failed', number>>;
}

/** Milliseconds within which the database must answer for the installation to count as healthy. */
const HEALTH_TIMEOUT_MS = 2_000;

/** What those who run the installation look at: `/api/health` and `/metrics`. */
export function serveOperations(app: FastifyInstance, operations: Operations): void {
  const { db, broker } = operations;
  const metrics = createMetrics(operations);

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

  app.get('/metrics', { schema: { hide: true }, logLevel: 'warn' }, async (_request, reply) =>
    reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  );
}

const answers = async (db: Database): Promise<boolean> =>
  (await inTime(db.run({ name: 'health', text: 'select 1' }, []))) !== null;

/** What the database answers; null when that takes too long. */
async function inTime<T>(asked: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), HEALTH_TIMEOUT_MS);
  });
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
}

type Gauges = [name: string, help: string, read: () => number][];

function createMetrics({ db, broker, sockets, fanSockets, countDeliveries }: Operations) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'stagedoor_http_request_seconds',
    help: 'Time to answer a request, by route',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [registry],
  });
  const gauges: Gauges = [
    ['stagedoor_sockets', 'Open staff sockets', sockets.connected],
    ['stagedoor_fan_sockets', 'Open sockets of fans', fanSockets.connected],
    ['stagedoor_socket_events_underway', 'Socket events being handled', sockets.underway],
    ['stagedoor_db_connections', 'Connections of the pool', () => db.poolState().total],
    ['stagedoor_db_waiting', 'Callers waiting for a connection', () => db.poolState().waiting],
    ...(broker === null
      ? []
      : ([
          ['stagedoor_broker_up', 'Whether Redis answers', () => Number(broker.isUp())],
        ] as Gauges)),
  ];
  for (const [name, help, read] of gauges) {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  }
  new Gauge({
    name: 'stagedoor_webhook_events',
    help: 'Webhook events that wait to be delivered, and that were given up within the last days',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      // What a database that is away does not answer is left out; all else is told.
      this.reset();
      const counts = await inTime(countDeliveries()).catch(() => null);
      for (const [state, count] of Object.entries(counts ?? {})) this.set({ state }, count);
    },
  });
  return { registry, requests };
}
