import type { Core } from '../../domain.ts';
import { createVapid, type VapidKeys, vapidKeyFrom } from '../../push/vapid.ts';
import { createNotifier, type Notifier } from './notifier.ts';
import { BROWSERS_ONLY, type PushRules } from './post-push.ts';
import { createPusher } from './pusher.ts';

export interface PushSettings {
  /** A key pair from the settings. Default: derived from the installation's keys. */
  readonly keys?: VapidKeys;
  /** The contact that push services get for this server. Default: the console's address if it is `https:`. */
  readonly subject?: string;
  readonly rules?: PushRules;
  /** Milliseconds before each retry. */
  readonly retries?: readonly number[];
  /** Milliseconds to wait for a message to be read before anyone is notified. */
  readonly readFirstMs?: number;
}

interface NotificationDependencies extends Core {
  readonly settings: PushSettings;
  /** A key shared by all nodes. */
  readonly secret: Buffer;
}

export interface Notifications {
  readonly notifier: Notifier;
  readonly pushKey: string;
  readonly rules: PushRules;
}

export function openNotifications(dependencies: NotificationDependencies): Notifications {
  const { settings, secret, publicUrl, logError: log } = dependencies;
  const { keys, rules = BROWSERS_ONLY, retries, readFirstMs } = settings;
  const key = keys ? Buffer.from(keys.privateKey, 'base64url') : vapidKeyFrom(secret);
  const ownAddress = publicUrl?.startsWith('https:') ? publicUrl : 'mailto:admin@localhost';
  const vapid = createVapid(key, settings.subject ?? ownAddress);
  const pusher = createPusher({ vapid, rules, log, ...(retries && { retries }) });
  const notifier = createNotifier(dependencies, pusher, readFirstMs);
  return { notifier, pushKey: vapid.publicKey, rules };
}
