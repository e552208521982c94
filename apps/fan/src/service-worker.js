// Caches the client's built files, so that it opens quickly and offline. Fans' data and messages are never cached, because their
// requests are not intercepted.
const VERSION = '__VERSION__';
/** Paths relative to /fan/. */
const FILES = '__FILES__';

const CACHE = `fan-${VERSION}`;
/** Number of versions whose files are kept: this one, and the previous one for tabs that were opened with it. */
const KEPT_VERSIONS = 2;
const SHELL = '/fan/';
/** The statuses with which a proxy replies while the server doesn't. */
const AWAY = [502, 503, 504];
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
      // Cache names are listed in order of creation.
      const names = (await caches.keys()).filter((name) => name.startsWith('fan-'));
      const others = names.filter((name) => name !== CACHE);
      for (const name of others.slice(0, 1 - KEPT_VERSIONS)) {
        await caches.delete(name);
      }
      await self.clients.claim();
    })(),
  );
});

/** Fetches the current page; falls back to the cached one while the server can't be reached. */
async function page(request) {
  const reply = await fetch(request).catch(() => Response.error());
  const isAway = reply.type === 'error' || AWAY.includes(reply.status);
  return (isAway && (await (await caches.open(CACHE)).match(SHELL))) || reply;
}

/** Returns a built file from any cache, because a file never changes under its name. */
async function file(request) {
  return (await caches.match(request)) ?? fetch(request);
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== self.location.origin) return;
  if (request.mode === 'navigate') {
    // The response for an embedded page depends on the embedding page, which the server must allow.
    if (!url.searchParams.has('embed')) event.respondWith(page(request));
  } else if (BUILT.test(url.pathname)) {
    event.respondWith(file(request));
  }
});
