import { type Browser, chromium, type Page } from '@playwright/test';
import type { ConversationPage } from '@stagedoor/contract/inbox/conversations';
import { CHROMIUM_FLAGS, findChromium } from '../../scripts/chromium.mjs';
import type { FloorPage } from '../floor/web-server.ts';
import type { Session } from '../lib/session.ts';
import { watchPage } from './watch-page.ts';

/** Throttling of the visitor's device and connection. */
export interface Slowness {
  /** Slowdown factor of the processor. */
  readonly cpu: number;
  /** Lighthouse's 'slow 4G': 150 ms round trip, 1.6 Mbit/s down, 0.75 Mbit/s up. */
  readonly slowLine?: boolean;
}

/** One of the two compared pages. */
export interface Side {
  readonly name: 'console' | 'floor';
  /** The address that shows the first page of rows. */
  readonly url: string;
  /** The address that shows a conversation as well. */
  readonly conversationUrl: string;
  /** Opens a blank page with an empty cache. */
  open(slowness?: Slowness): Promise<Page>;
}

export interface Sides {
  readonly console: Side;
  readonly floor: Side;
  close(): Promise<void>;
}

const KILOBIT = 1024 / 8;

/** Opens a browser for both sides; the console is signed in. */
export async function openSides(session: Session, floor: FloorPage): Promise<Sides> {
  const url = `${floor.address}/`;
  const { browser, side } = await openConsole(session);
  return {
    console: side,
    floor: {
      name: 'floor',
      url,
      conversationUrl: url,
      open: (slowness) => openPage(browser, {}, slowness),
    },
    close: () => browser.close(),
  };
}

/** Opens a browser for the console, signed in. */
export async function openConsole(session: Session): Promise<{ browser: Browser; side: Side }> {
  const stored = await signedIn(session);
  const inbox = (await session.get('/api/messages/admin/inbox?filter=all')) as ConversationPage;
  // Chromium otherwise reports the heap size in coarse steps.
  const browser = await chromium.launch({
    executablePath: await findChromium(),
    args: [...CHROMIUM_FLAGS, '--enable-precise-memory-info'],
  });
  return {
    browser,
    side: {
      name: 'console',
      url: `${session.address}/inbox`,
      conversationUrl: `${session.address}/inbox/${inbox.data[0]?.id ?? ''}`,
      open: (slowness) => openPage(browser, stored, slowness),
    },
  };
}

/** Returns the browser storage of a console in which the session's admin is signed in. */
async function signedIn({ token, get }: Session): Promise<Record<string, string>> {
  const { data } = (await get('/api/auth/admin/me')) as { data: unknown };
  return { admin_token: token, admin_data: JSON.stringify(data) };
}

/** Opens a blank page, throttled as requested. @param stored the contents of the browser's storage */
async function openPage(
  browser: Browser,
  stored: Readonly<Record<string, string>>,
  slowness: Slowness = { cpu: 1 },
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript(watchPage, stored);
  const cdp = await context.newCDPSession(page);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowness.cpu });
  if (slowness.slowLine) {
    await cdp.send('Network.enable');
    await cdp.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 150,
      downloadThroughput: 1638.4 * KILOBIT,
      uploadThroughput: 750 * KILOBIT,
    });
  }
  return page;
}
