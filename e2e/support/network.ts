import type { BrowserContext, Page, WebSocketRoute } from '@playwright/test';
import { until } from '../../apps/server/test/until.ts';

/** The call by which a message goes over HTTP. */
export const SEND = /\/api\/messages\/admin\/send$/;

/** The live connection's way, which a journey can cut. */
export interface LiveWay {
  /** Ends the connection; no new one comes about, by whichever transport: attempts wait, or are refused at once. */
  cut(how?: { refuses: boolean }): Promise<void>;
  mend(): void;
  /** Waits until the server has let the page in and the page knows it: what it sends before goes over HTTP. */
  untilLive(page: Page): Promise<void>;
  /** While true, what the server says over the connection does not arrive; what is said to it does. */
  deaf: boolean;
  /** From now on what the server says waits. @returns what lets all of it arrive, in its order */
  hold(): () => void;
  /** How many messages the browser sent whose text contains this. */
  sent(text: string): number;
}

/** Stands between a browser and the server's live connection. To be called before its page is opened. */
export async function standBetween(context: BrowserContext): Promise<LiveWay> {
  const open = new Set<WebSocketRoute>();
  const messages: string[] = [];
  let isCut = false;
  let isRefusing = false;
  let isLive = false;
  let mended = Promise.resolve();
  let mend = () => {};
  let waiting: (() => void)[] | null = null;
  await context.routeWebSocket(/\/socket\.io\//, async (ws) => {
    if (isRefusing) return ws.close();
    await mended;
    open.add(ws);
    const server = ws.connectToServer();
    ws.onMessage((message) => {
      messages.push(String(message));
      server.send(message);
    });
    server.onMessage((message) => {
      // The protocol's answer to a handshake that was accepted.
      if (String(message).startsWith('40')) isLive = true;
      if (way.deaf) return;
      if (waiting) waiting.push(() => ws.send(message));
      else ws.send(message);
    });
  });
  await context.route(/\/socket\.io\//, (route) => (isCut ? route.abort() : route.continue()));
  const way: LiveWay = {
    async untilLive(page) {
      await until('the page is live', () => isLive, 20_000);
      // Comes to the page after the answer that let it in.
      await page.evaluate(() => undefined);
    },
    async cut({ refuses } = { refuses: false }) {
      isCut = true;
      isRefusing = refuses;
      isLive = false;
      mended = new Promise((resolve) => {
        mend = resolve;
      });
      for (const ws of open) await ws.close();
      open.clear();
    },
    mend() {
      isCut = false;
      isRefusing = false;
      mend();
    },
    deaf: false,
    hold() {
      waiting = [];
      return () => {
        for (const arrive of waiting ?? []) arrive();
        waiting = null;
      };
    },
    sent: (text) => messages.filter((message) => message.includes(text)).length,
  };
  return way;
}

/** Keeps a page without the live connection, which would refresh what it shows. To be called before it is opened. */
export async function withoutLiveWay(page: Page): Promise<void> {
  await (await standBetween(page.context())).cut();
}

/** Counts the calls to a path from now on, by their query. */
export function callsTo(page: Page, path: string): URLSearchParams[] {
  const calls: URLSearchParams[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.pathname === path) calls.push(url.searchParams);
  });
  return calls;
}

/** Holds calls to a path back until they are let go. */
export async function holdCalls(page: Page, path: RegExp): Promise<() => void> {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route(path, async (route) => {
    await held;
    await route.continue();
  });
  return letGo;
}
