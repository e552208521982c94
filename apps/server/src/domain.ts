import type { FastifyInstance } from 'fastify';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import type { ConversationsChanged } from './db/outbox-events.ts';
import type { Metrics } from './http/metrics.ts';
import type { Router } from './http/route.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { Logger } from './log.ts';
import type { Mailer } from './mail/mailer.ts';
import type { MediaLinks } from './media/media-links.ts';
import type { Pictures } from './media/pictures.ts';
import type { Outbox, Reemitters } from './realtime/outbox.ts';
import type { Publisher } from './realtime/publish.ts';
import type { ChangeShared, EmitShared } from './realtime/shared-updates.ts';
import type { ObjectStorage } from './storage/storage.ts';

/** The settings and services that every domain uses. */
export interface Base {
  readonly config: Pick<Config, 'dataDir' | 'retention'>;
  /** The `PUBLIC_URL` setting, without a trailing slash; null if it isn't set. */
  readonly publicUrl: string | null;
  readonly db: Database;
  readonly storage: ObjectStorage;
  readonly jobs: Jobs;
  readonly mailer: Mailer;
  readonly metrics: Metrics;
  readonly http: FastifyInstance;
  readonly publish: Publisher;
  readonly outbox: Outbox;
  readonly emitShared: EmitShared;
  readonly changeShared: ChangeShared;
  readonly links: MediaLinks;
  readonly pictures: Pictures;
  /** Delivers the webhooks that transactions have queued. */
  readonly webhooks: { wake(): void };
  /** Returns the server's address as browsers reach it, without a trailing slash. */
  readonly base: () => string;
  /** Whether browsers reach the server over TLS. */
  readonly secure: boolean;
  readonly log: Logger;
  readonly logError: (error: unknown) => void;
}

/** {@link Base} and the inbox's conversations, which every domain except the inbox uses. */
export interface Core extends Base {
  readonly conversationChanged: ConversationsChanged;
  /** @throws AppError 404 `conversation_not_found` */
  readonly requireConversation: (id: string) => Promise<unknown>;
}

/** A domain as the app runs it: its endpoints, events and jobs. */
export interface Domain {
  /** Binds the domain's endpoints. */
  bind(router: Router): void;
  /** Functions, keyed by the domain's event names, that emit events that were committed but not emitted. */
  readonly reemitters: Reemitters;
  /** Housekeeping, such as removing expired rows. Each runs every ten minutes, even if the others fail. */
  readonly sweeps: readonly (() => Promise<unknown>)[];
  /** Ends the domain's background jobs. */
  stop(): Promise<unknown>;
}
