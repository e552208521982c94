import type { Database } from '../../db/database.ts';
import { createVapid, type VapidKeys, vapidKeyFrom } from '../../push/vapid.ts';
import { createNotifier, type Notifier } from './notifier.ts';
import { BROWSERS_ONLY, type PushRules } from './post-push.ts';
import { createPusher } from './pusher.ts';

/** How notifications are pushed, where it is not as usual. */
export interface PushSettings {
  /** The settings' own pair; one is made of the installation's keys unless given. */
  readonly keys?: VapidKeys;
  /** Whom push services can reach about this server; the console's address unless given. */
  readonly subject?: string;
  readonly rules?: PushRules;
  /** Milliseconds before each further try. */
  readonly retries?: readonly number[];
  /** Milliseconds in which a message may be read before anyone is notified. */
  readonly readFirstMs?: number;
}

interface NotificationDependencies {
  readonly db: Database;
  readonly settings: PushSettings;
  /** One of the keys that all nodes have. */
  readonly secret: Buffer;
  readonly publicUrl: string | null;
  readonly log: (error: unknown) => void;
}

export interface Notifications {
  readonly notifier: Notifier;
  readonly pushKey: string;
  readonly rules: PushRules;
}

export function openNotifications(dependencies: NotificationDependencies): Notifications {
  const { db, settings, secret, publicUrl, log } = dependencies;
  const { keys, rules = BROWSERS_ONLY, retries, readFirstMs } = settings;
  const key = keys ? Buffer.from(keys.privateKey, 'base64url') : vapidKeyFrom(secret);
  const ownAddress = publicUrl?.startsWith('https:') ? publicUrl : 'mailto:admin@localhost';
  const vapid = createVapid(key, settings.subject ?? ownAddress);
  const pusher = createPusher({ vapid, rules, log, ...(retries && { retries }) });
  const notifier = createNotifier({
    db,
    pusher,
    log,
    ...(readFirstMs !== undefined && { readFirstMs }),
  });
  return { notifier, pushKey: vapid.publicKey, rules };
}
