import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createFanSession } from '@stagedoor/contract/platform/platform';
import type { Desk } from './journey.ts';

/** A page on a platform's own site that embeds the fan client as the guide describes. */
export interface PlatformPage {
  readonly origin: string;
  /**
   * Sets the page's content.
   * @param embedOrigin the origin that the session allows to embed the client; defaults to the page's own
   */
  show(fan: { external_id: string }, embedOrigin?: string): Promise<void>;
  close(): Promise<void>;
}

/** Returns the URL of a new fan session. */
export async function sessionUrl(
  desk: Desk,
  fan: { external_id: string },
  embed_origin: string,
): Promise<string> {
  const params = { fan: fan.external_id };
  const { body } = await desk.platform.call(createFanSession, { params, body: { embed_origin } });
  return body.data.url;
}

/** Returns a page that stores events in the list `received`, newest last. */
const pageWith = (server: string, url: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Platform</title>
<script>
  window.received = [];
  for (const type of ['ready', 'unread', 'purchase-requested', 'session-expired', 'navigate'])
    addEventListener('stagedoor:' + type, ({ detail }) => received.push({ type, ...detail }));
  window.dispatch = (type, detail) =>
    document.querySelector('#chat').dispatchEvent(new CustomEvent('stagedoor:' + type, { detail }));
</script>
<script src="${server}/fan/embed.js" data-session-url="${url}" data-target="#chat" data-title="Your messages" async></script>
</head><body><h1>Platform</h1><div id="chat" style="height: 80vh">Loading…</div></body></html>`;

export async function openPlatform(desk: Desk): Promise<PlatformPage> {
  let page = '';
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8').end(page);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A different host name than the server under test, so that it is another site and not only another origin.
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    async show(fan, embedOrigin = origin) {
      page = pageWith(desk.server.url, await sessionUrl(desk, fan, embedOrigin));
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
