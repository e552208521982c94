import type { Database } from '../../db/database.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { MediaLinks } from '../../media/media-links.ts';
import { createBodies, type ToldEvent } from './bodies.ts';
import { defineDeliveries, WEBHOOK_TIMING, type WebhookTiming } from './deliver-webhooks.ts';
import { withoutCredentials } from './post-webhook.ts';
import { signer } from './signature.ts';
import { setEndpoint } from './webhooks.store.ts';

/** Where the platform wants to be told, as the settings have it. */
export interface WebhookSettings {
  readonly url: string;
  /** As `signer` takes it. */
  readonly secret: string;
  /** As it is made for days of failures, unless told. */
  readonly timing?: WebhookTiming;
}

interface WebhooksDependencies {
  readonly db: Database;
  readonly jobs: Jobs;
  /** Null: nothing is queued or sent; what waits goes on waiting for a time. */
  readonly settings: WebhookSettings | null;
  readonly links: MediaLinks;
  /** What the URLs in a body begin with. */
  readonly base: () => string;
  readonly log: (error: unknown) => void;
}

/** What the platform is told. */
export interface Webhooks {
  /** For people; null where nothing is told. */
  readonly address: string | null;
  /** The body that a try now would send; null where there is nothing to tell any more. */
  bodyOf(event: ToldEvent): Promise<string | null>;
  /** Has new events seen at once. To be called after the commit. */
  wake(): void;
  start(): void;
  stop(): Promise<void>;
}

/** From here on, whoever queues an event sees whether there is anyone to tell. Nothing is sent before `start`. */
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
