import { serviceWorkerUrl } from '@stagedoor/browser/service-worker-url';

const PATH = '/sw.js';

let registered: Promise<ServiceWorkerRegistration | null> | null = null;

async function register(): Promise<ServiceWorkerRegistration | null> {
  // Development always loads the latest files.
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return null;
  try {
    return await navigator.serviceWorker.register(serviceWorkerUrl(PATH));
  } catch (error) {
    console.info('Failed to register the service worker', error);
    return null;
  }
}

/** Registers the service worker for offline use and push notifications. Returns null if the browser can't. */
export function keepServiceWorker(): Promise<ServiceWorkerRegistration | null> {
  registered ??= register();
  return registered;
}
