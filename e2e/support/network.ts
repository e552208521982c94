import type { BrowserContext, Page, WebSocketRoute } from '@playwright/test';
import { until } from '../../apps/server/test/until.ts';

/** The HTTP endpoint that sends a message. */
export const SEND = /\/api\/messages\/admin\/send$/;

/** The calls from which a page can learn that a message is stored: the send, and the refetch of messages after connecting. */
export const SEND_AND_MESSAGES = /\/api\/messages\/admin\/(send$|conversation\/[^/]+\/messages\b)/;

/** The live connection, which a journey can cut. */
export interface LiveConnection {
  /** Ends the connection and blocks new ones on every transport: they hang or, with `refuses`, fail at once. */
  cut(how?: { refuses: boolean }): Promise<void>;
  restore(): void;
  /** Waits until the page knows that the server accepted the connection. Before that, it sends over HTTP. */
  untilLive(page: Page): Promise<void>;
  /** Messages from the server that match are dropped; null drops none. */
  lost: RegExp | null;
  /**
   * Delays messages from the server.
   * @returns a function that delivers all of them in order
   */
  hold(): () => void;
  /** Returns how many sent messages contain this text. */
  sent(text: string): number;
}

/** Intercepts a browser's live connection. Call it before the page is opened. */
export async function interceptLive(context: BrowserContext): Promise<LiveConnection> {
  const open = new Set<WebSocketRoute>();
  const messages: string[] = [];
  let isCut = false;
  let isRefusing = false;
  let isLive = false;
  let restored = Promise.resolve();
  let restore = () => {};
  let waiting: (() => void)[] | null = null;
  await context.routeWebSocket(/\/socket\.io\//, async (ws) => {
    if (isRefusing) return ws.close();
    await restored;
    open.add(ws);
    const server = ws.connectToServer();
    ws.onMessage((message) => {
      messages.push(String(message));
      server.send(message);
    });
    server.onMessage((message) => {
      // The protocol's reply to an accepted handshake.
      if (String(message).startsWith('40')) isLive = true;
      if (way.lost?.test(String(message))) return;
      if (waiting) waiting.push(() => ws.send(message));
      else ws.send(message);
    });
  });
  await context.route(/\/socket\.io\//, (route) => (isCut ? route.abort() : route.continue()));
  const way: LiveConnection = {
    async untilLive(page) {
      await until('the page is live', () => isLive);
      // This runs in the page only after the page has handled the reply.
      await page.evaluate(() => undefined);
    },
    async cut({ refuses } = { refuses: false }) {
      isCut = true;
      isRefusing = refuses;
      isLive = false;
      restored = new Promise((resolve) => {
        restore = resolve;
      });
      for (const ws of open) await ws.close();
      open.clear();
    },
    restore() {
      isCut = false;
      isRefusing = false;
      restore();
    },
    lost: null,
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

/** Blocks a page's live connection, which would refresh its content. Call it before the page is opened. */
export async function withoutLiveWay(page: Page): Promise<void> {
  await (await interceptLive(page.context())).cut();
}

/** Returns a `prepare` function that makes calls to a path fail and leaves the page without a live connection. */
export const failing = (path: string | RegExp, status: number) => async (page: Page) => {
  await withoutLiveWay(page);
  await page.route(path, (route) => route.fulfill({ status, json: {} }));
};

/** Collects the queries of all calls to a path from now on. */
export function callsTo(page: Page, path: string): URLSearchParams[] {
  const calls: URLSearchParams[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.pathname === path) calls.push(url.searchParams);
  });
  return calls;
}

/** Returns a promise, and the function that fulfills it. */
export function gate(): { held: Promise<void>; letGo: () => void } {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  return { held, letGo };
}

/**
 * Delays calls to a path.
 * @param status if set, the calls don't reach the server, but fail with this status
 * @returns a function that lets them continue
 */
export async function holdCalls(page: Page, path: RegExp, status?: number): Promise<() => void> {
  const { held, letGo } = gate();
  await page.route(path, async (route) => {
    await held;
    await (status === undefined ? route.continue() : route.fulfill({ status, json: {} }));
  });
  return letGo;
}

/**
 * Delays the API's answers that contain a text.
 * @returns a function that delivers them
 */
export async function holdAnswers(page: Page, text: string): Promise<() => void> {
  const { held, letGo } = gate();
  await page.route(/\/api\//, async (route) => {
    const response = await route.fetch();
    if ((await response.text()).includes(text)) await held;
    await route.fulfill({ response });
  });
  return letGo;
}
