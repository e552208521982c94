// Caches the console's built files, so that it opens quickly and offline, and shows push notifications. API requests are never
// intercepted or cached.
const VERSION = '__VERSION__';
/** Paths relative to the root. */
const FILES = '__FILES__';

const CACHE = `console-${VERSION}`;
/** How many versions' files are cached: this version's, and the previous version's for tabs that still use it. */
const KEPT_VERSIONS = 2;
const SHELL = '/inbox';
const BUILT = /^\/(assets\/|icon|early\.js$|theme\.js$|manifest\.webmanifest$)/;
/** The statuses with which a proxy replies while the server doesn't. */
const AWAY = [502, 503, 504];
/** Paths on the same origin that don't belong to the console. */
const OTHERS = /^\/(api|socket\.io|dev|fan|invite)(\/|$)/;

self.addEventListener('install', (event) => {
  event.waitUntil(
    (async () => {
      const cache = await caches.open(CACHE);
      const named = ['early.js', 'theme.js', 'icon.svg', 'manifest.webmanifest', ...FILES];
      await cache.addAll([SHELL, ...named.map((file) => `/${file}`)]);
      await self.skipWaiting();
    })(),
  );
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      // Cache names are listed in order of creation.
      const names = (await caches.keys()).filter((name) => name.startsWith('console-'));
      const others = names.filter((name) => name !== CACHE);
      for (const name of others.slice(0, Math.max(0, others.length - KEPT_VERSIONS + 1))) {
        await caches.delete(name);
      }
      await self.clients.claim();
    })(),
  );
});

/** Fetches the current version; falls back to the cached one while the server can't be reached. */
async function current(request, kept) {
  const reply = await fetch(request).catch(() => Response.error());
  const isAway = reply.type === 'error' || AWAY.includes(reply.status);
  return (isAway && (await (await caches.open(CACHE)).match(kept))) || reply;
}

/** Returns a built file. Files in `assets` have hashed names and never change; others are fetched like the page. */
async function file(request, isHashed) {
  if (!isHashed) return current(request, request);
  return (await caches.match(request)) ?? fetch(request);
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== self.location.origin) return;
  if (OTHERS.test(url.pathname)) return;
  if (request.mode === 'navigate') event.respondWith(current(request, SHELL));
  else if (BUILT.test(url.pathname)) {
    event.respondWith(file(request, url.pathname.startsWith('/assets/')));
  }
});

const conversationOf = (url) => /^\/(?:inbox|messages)\/([^/]+)$/.exec(new URL(url).pathname)?.[1];

self.addEventListener('push', (event) => {
  event.waitUntil(
    (async () => {
      const { kind, conversation_id: id, note_id: noteId, title, body } = event.data.json();
      const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
      const isSeen =
        id !== undefined &&
        windows.some(({ focused, url }) => focused && conversationOf(url) === id);
      if (isSeen) return;
      const page = kind === 'earning' ? '/earnings' : '/shifts';
      const subject = id ?? `${title} ${body}`;
      const note = noteId === undefined ? '' : `?note=${encodeURIComponent(noteId)}`;
      await self.registration.showNotification(title, {
        body,
        tag: `${kind} ${subject}`,
        renotify: true,
        icon: '/icon-192.png',
        badge: '/icon-192.png',
        data: {
          path: id === undefined ? page : `/inbox/${encodeURIComponent(id)}${note}`,
        },
      });
    })(),
  );
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const { path } = event.notification.data;
  event.waitUntil(
    (async () => {
      const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
      const open = windows.find(({ url }) => !OTHERS.test(new URL(url).pathname));
      if (!open) return self.clients.openWindow(path);
      await open.focus();
      // The page navigates itself: a reload would lose typed text.
      open.postMessage({ kind: 'open', path });
    })(),
  );
});
