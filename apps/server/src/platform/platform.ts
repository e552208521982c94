import type { PaymentProvider } from '@stagedoor/contract/platform/fan-app';
import type { Core, Domain } from '../domain.ts';
import { sweepFiles } from '../media/new-objects.ts';
import type { Messaging } from '../messaging/messaging.ts';
import { bindFanAppRoutes } from './fan-app/fan-app.routes.ts';
import { bindPlatformRoutes } from './platform-api/platform-api.routes.ts';
import { bindPlatformKeyRoutes } from './platform-keys/platform-keys.routes.ts';
import {
  createPlatformKeys,
  type PlatformKeysService,
} from './platform-keys/platform-keys.service.ts';
import type { Webhooks } from './webhooks/open-webhooks.ts';
import { bindWebhookRoutes } from './webhooks/webhooks.routes.ts';
import { createWebhooksService } from './webhooks/webhooks.service.ts';
import { pruneDeliveries } from './webhooks/webhooks.store.ts';

/** The maximum time that the reply to erasing a fan waits for files to be deleted. Milliseconds. */
const SWEEP_SOON_MS = 5_000;

interface PlatformParts {
  readonly webhooks: Webhooks;
  readonly messages: Messaging['messages'];
  readonly paymentProvider: PaymentProvider;
  /** The key in the settings; null: only the keys that managers create are valid. */
  readonly platformKey: string | null;
}

export interface Platform extends Domain {
  readonly authenticate: PlatformKeysService['authenticate'];
}

/** Wires the platform API, its keys and webhooks, and the fan client's API. */
export function openPlatform(core: Core, parts: PlatformParts): Platform {
  const { db, config, logError } = core;
  const { webhooks, messages, paymentProvider: payment, platformKey } = parts;
  const sweepSoon = () => sweepFiles(core, SWEEP_SOON_MS).catch(logError);
  const keys = createPlatformKeys(core, platformKey);
  return {
    authenticate: keys.authenticate,
    bind(router) {
      bindPlatformRoutes(router, { ...core, messages, sweepSoon });
      bindPlatformKeyRoutes(router, keys);
      bindWebhookRoutes(router, createWebhooksService({ db, webhooks }));
      bindFanAppRoutes(router, { ...core, messages, payment });
    },
    reemitters: {},
    sweeps: [() => pruneDeliveries(db, config.retention.deliveries)],
    stop: webhooks.stop,
  };
}
