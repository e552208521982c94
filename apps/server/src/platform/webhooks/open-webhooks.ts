import type { Database } from '../../db/database.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { MediaLinks } from '../../media/media-links.ts';
import { createBodies, type WebhookSource } from './bodies.ts';
import { defineDeliveries, WEBHOOK_TIMING, type WebhookTiming } from './deliver-webhooks.ts';
import { withoutCredentials } from './post-webhook.ts';
import { signer } from './signature.ts';
import { setEndpoint } from './webhooks.store.ts';

/** The receiver of webhooks, from the server's settings. */
export interface WebhookSettings {
  readonly url: string;
  /** In the format that `signer` takes. */
  readonly secret: string;
  /** Retries for days by default. */
  readonly timing?: WebhookTiming;
}

interface WebhooksDependencies {
  readonly db: Database;
  readonly jobs: Jobs;
  /** Null: nothing is queued or sent, and events that are already waiting are given up after three days. */
  readonly settings: WebhookSettings | null;
  readonly links: MediaLinks;
  /** Returns the base of the URLs in a body. */
  readonly base: () => string;
  readonly log: (error: unknown) => void;
}

/** The delivery of events to the platform. */
export interface Webhooks {
  /** The receiver's address without credentials, or null. */
  readonly address: string | null;
  /** Returns the body that a try would send now; null if there is nothing left to send. */
  bodyOf(event: WebhookSource): Promise<string | null>;
  /** Delivers new events immediately. Call it after the commit. */
  wake(): void;
  start(): void;
  stop(): Promise<void>;
}

/** Stores the endpoint, which decides whether events are queued. Nothing is sent before `start`. */
export async function openWebhooks(dependencies: WebhooksDependencies): Promise<Webhooks> {
  const { db, jobs, settings, links, base, log } = dependencies;
  const address = settings === null ? null : withoutCredentials(settings.url);
  await setEndpoint(db, address);
  const bodyOf = createBodies({ db, links, base });
  if (settings === null) {
    return { address, bodyOf, wake: () => undefined, start: () => undefined, stop: async () => {} };
  }
  const timing = settings.timing ?? WEBHOOK_TIMING;
  const receiver = {
    url: settings.url,
    sign: signer(settings.secret),
    timeoutMs: timing.timeout * 1_000,
  };
  const deliveries = await defineDeliveries({ db, jobs, receiver, timing, bodyOf, log });
  return { address, bodyOf, ...deliveries };
}
