import type { Browser, Page } from '@playwright/test';
import type { Staff } from '../../apps/server/test/factories.ts';
import type { Random } from '../../apps/server/test/random.ts';
import { startTcpProxy, type TcpProxy } from '../../apps/server/test/servers/tcp-proxy.ts';
import { type Desk, type OpenOptions, openPage, storedSession } from './journey.ts';

/** The duration of a failure, in milliseconds. */
const SPELL = { shortest: 200, longest: 1_500 };

/** The failures that can happen between browsers and the server. */
export const WEATHER = {
  cut: (way) => way.cut(),
  'half-open': (way) => way.freeze(),
  'replies that never come': (way) => way.swallowReplies(),
  'a reply lost after the commit': (way) => way.loseReplies(),
  reset: (way) => way.reset(),
  'reset half-way': (way) => way.dropAfter(700),
  slow: (way) => way.slow({ latency: 300, jitter: 200, bytesPerSecond: 40_000 }),
} as const satisfies Record<string, (way: TcpProxy) => void>;

export type Weather = keyof typeof WEATHER;

/** A proxied connection to the server, and pages that use it. */
export interface StormyNetwork {
  readonly way: TcpProxy;
  /** Opens a tab in the admin's browser; call it for the first tab too. */
  tab(path: string): Promise<Page>;
  close(): Promise<void>;
}

/** Opens a staff member's browser behind the proxy. */
export async function openThroughStorm(
  browser: Browser,
  desk: Desk,
  staff: Staff,
  options: OpenOptions & { readonly seed?: number } = {},
): Promise<StormyNetwork> {
  const { hostname, port } = new URL(desk.url);
  const way = await startTcpProxy(
    { host: hostname, port: Number(port) },
    options.seed === undefined ? {} : { seed: options.seed },
  );
  const url = `http://127.0.0.1:${way.port}`;
  const first = await openPage(browser, url, { ...options, path: '/login' }, storedSession(staff));
  const context = first.context();
  await first.goto('about:blank');
  return {
    way,
    async tab(path) {
      const page = await context.newPage();
      await page.goto(path);
      return page;
    },
    async close() {
      way.restore();
      await context.close();
      await way.close();
    },
  };
}

/** Causes a failure for a while, then ends it. `meanwhile` runs during it. */
export async function spell(
  way: TcpProxy,
  weather: Weather,
  random: Random,
  meanwhile: () => Promise<unknown>,
): Promise<void> {
  WEATHER[weather](way);
  const lasts = SPELL.shortest + random.below(SPELL.longest - SPELL.shortest);
  // The failure lasts a fixed time, so there is no condition to wait for.
  await Promise.all([meanwhile(), new Promise((resolve) => setTimeout(resolve, lasts))]);
  way.restore();
}
