import { serviceWorkerUrl } from '@stagedoor/browser/service-worker-url';

const PATH = '/sw.js';

let registered: Promise<ServiceWorkerRegistration | null> | null = null;

async function register(): Promise<ServiceWorkerRegistration | null> {
  // In development every file is as new as the next look at it.
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return null;
  try {
    return await navigator.serviceWorker.register(serviceWorkerUrl(PATH));
  } catch (error) {
    console.info('The console can’t be kept for times without a network', error);
    return null;
  }
}

/** Has the browser keep the console and take what is pushed; null where it can't. */
export function keepServiceWorker(): Promise<ServiceWorkerRegistration | null> {
  registered ??= register();
  return registered;
}
