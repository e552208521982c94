import { subscribeToPush, unsubscribeFromPush } from '@stagedoor/contract/team/notifications';
import type { QueryClient } from '@tanstack/react-query';
import { call } from '../../lib/server/api.ts';
import { keepServiceWorker } from '../../lib/server/service-worker.ts';
import { createStored } from '../../lib/server/stored.ts';
import { notificationOptions } from './queries.ts';

/** The notification settings of this device for the signed-in admin. */
export interface DeviceNotices {
  sound: boolean;
  /** Off; only while a tab is open; or also through the browser's push service. */
  shown: 'off' | 'tab' | 'push';
}

const OFF: DeviceNotices = { sound: false, shown: 'off' };

export const deviceNotices = createStored<DeviceNotices>({
  name: 'notices',
  empty: OFF,
  parse: (text) => {
    const { sound, shown } = JSON.parse(text) as Partial<DeviceNotices>;
    return { sound: sound === true, shown: shown === 'tab' || shown === 'push' ? shown : 'off' };
  },
});

/** Returns whether this browser supports notifications and whether they are allowed. */
export function permissionNow(): NotificationPermission | 'unsupported' {
  return 'Notification' in window ? Notification.permission : 'unsupported';
}

/**
 * Asks for the permission and subscribes to push. Without a push service, notifications are shown while a tab is open.
 * @param pushKey the server's public key
 * @returns how notifications are shown from now on; null if the user denied the permission
 */
export async function turnOn(client: QueryClient, pushKey: string): Promise<'tab' | 'push' | null> {
  if ((await Notification.requestPermission()) !== 'granted') return null;
  const subscription = await subscribe(pushKey);
  if (subscription === null) return 'tab';
  const { endpoint, keys } = subscription.toJSON();
  const body = {
    endpoint: endpoint ?? '',
    keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' },
  };
  await call(subscribeToPush, { body });
  const { queryKey } = notificationOptions;
  client.setQueryData(queryKey, (held) => held && { ...held, is_subscribed: true });
  return 'push';
}

/** Subscribes this device to push again if its subscription ended, for example with an earlier session. */
export async function renewPush(client: QueryClient): Promise<void> {
  if (deviceNotices.get().shown !== 'push' || permissionNow() !== 'granted') return;
  const { is_subscribed, push_key } = await client.fetchQuery(notificationOptions);
  if (!is_subscribed) await turnOn(client, push_key);
}

async function subscribe(pushKey: string): Promise<PushSubscription | null> {
  try {
    const registration = await keepServiceWorker();
    if (!registration || !('pushManager' in registration)) return null;
    await navigator.serviceWorker.ready;
    const { pushManager } = registration;
    const options = { userVisibleOnly: true, applicationServerKey: bytesOf(pushKey) };
    return await pushManager.subscribe(options).catch(async (error: unknown) => {
      if (!(error instanceof DOMException) || error.name !== 'InvalidStateError') throw error;
      // The browser is still subscribed with another key of the server.
      await (await pushManager.getSubscription())?.unsubscribe();
      return pushManager.subscribe(options);
    });
  } catch (error) {
    console.info('This browser’s push service is not available', error);
    return null;
  }
}

/** Unsubscribes this device from push notifications. */
export async function turnOff(): Promise<void> {
  await call(unsubscribeFromPush);
  const registration = await keepServiceWorker();
  await (await registration?.pushManager?.getSubscription())?.unsubscribe();
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
