import { statfs } from 'node:fs/promises';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Database } from '../db/database.ts';
import type { Broker } from '../realtime/broker.ts';
import { inTime } from './in-time.ts';

/** The server's Prometheus metrics. */
export type Metrics = ReturnType<typeof createMetrics>;

/** The parts whose state is read on every scrape. */
export interface Watched {
  readonly db: Database;
  /** Null if one process serves alone. */
  readonly broker: Pick<Broker, 'isUp'> | null;
  readonly sockets: { connected(): number; underway(): number };
  readonly fanSockets: { connected(): number };
  /** Counts webhook events that are waiting, and those that were given up. */
  readonly countDeliveries: () => Promise<Record<'waiting' | 'failed', number>>;
  /** The directory with the files and the embedded database. */
  readonly dataDir: string;
}

/** How long to wait for the database before its figures are left out. Milliseconds. */
export const PATIENCE_MS = 2_000;

/** Creates the counters and histograms that the server updates. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    requests: new Histogram({
      name: 'stagedoor_http_request_seconds',
      help: 'Response time by route',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
      registers,
    }),
    messages: new Counter({
      name: 'stagedoor_messages_total',
      help: 'Messages stored and confirmed, excluding duplicates',
      labelNames: ['from'],
      registers,
    }),
    outboxExpired: new Counter({
      name: 'stagedoor_outbox_expired_total',
      help: 'Events that could not be emitted within an hour and were dropped',
      registers,
    }),
    mailFailures: new Counter({
      name: 'stagedoor_mail_failures_total',
      help: 'Failed attempts to pass an email to the mail server',
      registers,
    }),
  };
}

type Reading = readonly [name: string, help: string, read: () => number];

/** Adds gauges, read on every scrape, to the counters. */
export function watch({ registry }: Metrics, watched: Watched): void {
  const { db, broker, sockets, fanSockets } = watched;
  const readings: Reading[] = [
    ['stagedoor_sockets', 'Open staff sockets', sockets.connected],
    ['stagedoor_fan_sockets', 'Open fan sockets', fanSockets.connected],
    ['stagedoor_socket_events_underway', 'Socket events being handled', sockets.underway],
    ['stagedoor_db_connections', 'Connections in the pool', () => db.poolState().total],
    ['stagedoor_db_idle', 'Idle connections in the pool', () => db.poolState().idle],
    ['stagedoor_db_waiting', 'Callers waiting for a connection', () => db.poolState().waiting],
  ];
  if (broker !== null) {
    readings.push(['stagedoor_broker_up', 'Whether Redis responds', () => Number(broker.isUp())]);
  }
  for (const [name, help, read] of readings) {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  }
  for (const figures of figuresOf(watched)) addGauge(registry, figures);
}

interface Figures {
  readonly name: string;
  readonly help: string;
  readonly label?: string;
  /** Returns a figure for each value of the label; the key is '' if there is no label. */
  readonly read: () => Promise<Readonly<Record<string, number>>>;
  /** The value to report if there is no answer; by default the figure is left out. */
  readonly otherwise?: number;
}

const figuresOf = ({ db, countDeliveries, dataDir }: Watched): Figures[] => [
  {
    name: 'stagedoor_db_up',
    help: 'Whether the database responds',
    read: () => figure(db, 'db', 'select 1'),
    otherwise: 0,
  },
  {
    name: 'stagedoor_outbox_events',
    help: 'Committed events not yet emitted',
    read: () =>
      figure(db, 'outbox_size', 'select count(*)::float8 from (select from outbox limit 100000) o'),
  },
  {
    name: 'stagedoor_outbox_oldest_seconds',
    help: 'Age of the oldest event not yet emitted',
    read: () => figure(db, 'outbox_age', `select ${secondsSince('min(created_at)')} from outbox`),
  },
  {
    name: 'stagedoor_webhook_events',
    help: 'Webhook events waiting for delivery, and events given up on but not yet purged',
    label: 'state',
    read: countDeliveries,
  },
  {
    name: 'stagedoor_webhook_oldest_seconds',
    help: 'Age of the oldest waiting webhook event',
    read: () =>
      figure(
        db,
        'webhooks_age',
        `select ${secondsSince('min(queued_at)')} from webhook_events where state = 'waiting'`,
      ),
  },
  {
    name: 'stagedoor_jobs_ready',
    help: 'Jobs that are due but not started, by queue, as last counted',
    label: 'queue',
    async read() {
      const rows = await db.run<{ name: string; ready: number }>(
        { name: 'jobs_ready', text: 'select name, ready_count as ready from jobs.queue' },
        [],
      );
      return Object.fromEntries(rows.map(({ name, ready }) => [name, ready]));
    },
  },
  {
    name: 'stagedoor_disk_free_bytes',
    help: 'Free space on the disk with DATA_DIR',
    read: async () => {
      const { bavail, bsize } = await statfs(dataDir);
      return { '': bavail * bsize };
    },
  },
  {
    name: 'stagedoor_disk_size_bytes',
    help: 'Size of the disk with DATA_DIR',
    read: async () => {
      const { blocks, bsize } = await statfs(dataDir);
      return { '': blocks * bsize };
    },
  },
];

const secondsSince = (instant: string) =>
  `coalesce(extract(epoch from clock_timestamp() - ${instant}), 0)::float8`;

async function figure(db: Database, name: string, text: string): Promise<{ '': number }> {
  const [row] = await db.run<Record<string, number>>({ name: `metrics_${name}`, text }, []);
  return { '': Object.values(row ?? {})[0] ?? 0 };
}

function addGauge(registry: Registry, { name, help, label, read, otherwise }: Figures): void {
  new Gauge({
    name,
    help,
    labelNames: label === undefined ? [] : [label],
    registers: [registry],
    async collect() {
      // If the database is down, its figures are left out; all others are still reported.
      this.reset();
      const values = await inTime(read(), PATIENCE_MS).catch(() => null);
      if (values === null && otherwise !== undefined) this.set(otherwise);
      else if (values === null) this.remove();
      for (const [key, value] of Object.entries(values ?? {})) {
        this.set(label === undefined ? {} : { [label]: key }, value);
      }
    },
  });
}
