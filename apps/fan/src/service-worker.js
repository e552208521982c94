// Keeps the client's built files, so that it opens at once and also without a network. Nothing that the server says of a
// fan, and nothing that fans sent each other, is ever kept here: those requests are not even looked at.
const VERSION = '__VERSION__';
/** Paths below /fan/. */
const FILES = '__FILES__';

const CACHE = `fan-${VERSION}`;
const SHELL = '/fan/';
const BUILT = /^\/fan\/(assets\/|icon|manifest\.webmanifest$)/;

self.addEventListener('install', (event) => {
  event.waitUntil(
    (async () => {
      const cache = await caches.open(CACHE);
      await cache.addAll([SHELL, ...FILES.map((file) => SHELL + file)]);
      await self.skipWaiting();
    })(),
  );
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) {
        if (name.startsWith('fan-') && name !== CACHE) await caches.delete(name);
      }
      await self.clients.claim();
    })(),
  );
});

/** The page as the server has it now; as it was kept, only where there is no network. */
async function page(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await caches.match(SHELL);
    if (kept) return kept;
    throw error;
  }
}

/** A built file never changes under its name. */
async function file(request) {
  return (await caches.match(request)) ?? fetch(request);
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== self.location.origin) return;
  if (request.mode === 'navigate') {
    // What is embedded depends on the page around it, which the server has to allow.
    if (!url.searchParams.has('embed')) event.respondWith(page(request));
  } else if (BUILT.test(url.pathname)) {
    event.respondWith(file(request));
  }
});
