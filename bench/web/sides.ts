import { type Browser, chromium, type Page } from '@playwright/test';
import { CHROMIUM_FLAGS, findChromium } from '../../scripts/chromium.mjs';
import type { FloorPage } from '../floor/web-server.ts';
import type { Session } from '../lib/session.ts';
import { watchPage } from './watch-page.ts';

/** How a visitor's device and line are slowed down. */
export interface Slowness {
  /** Times as slow a processor. */
  readonly cpu: number;
  /** Lighthouse's 'slow 4G': 150 ms there and back, 1.6 Mbit/s down, 0.75 up. */
  readonly slowLine?: boolean;
}

/** One of the two that are compared. */
export interface Side {
  readonly name: 'console' | 'floor';
  /** Its page with a first page of rows. */
  readonly url: string;
  /** A page of its own, with nothing cached, at nothing yet. */
  open(slowness?: Slowness): Promise<Page>;
}

export interface Sides {
  readonly console: Side;
  readonly floor: Side;
  close(): Promise<void>;
}

const KILOBIT = 1024 / 8;

/** A browser in which both are opened, the console as someone who is signed in. */
export async function openSides(session: Session, floor: FloorPage): Promise<Sides> {
  const { data: admin } = (await session.get('/api/auth/admin/me')) as { data: unknown };
  const browser = await chromium.launch({
    executablePath: await findChromium(),
    // The size of the heap is otherwise told in rough steps.
    args: [...CHROMIUM_FLAGS, '--enable-precise-memory-info'],
  });
  const stored = { admin_token: session.token, admin_data: JSON.stringify(admin) };
  return {
    console: {
      name: 'console',
      url: `${session.address}/inbox`,
      open: (slowness) => openPage(browser, stored, slowness),
    },
    floor: {
      name: 'floor',
      url: `${floor.address}/`,
      open: (slowness) => openPage(browser, {}, slowness),
    },
    close: () => browser.close(),
  };
}

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
