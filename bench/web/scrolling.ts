import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import type { Side } from './sides.ts';

const FRAME_MS = 1000 / 60;
const LOAD_PATIENCE_MS = 300_000;
/** The height of a row in CSS pixels. */
const ROW_PX = 76;

/** Frame counts of a watched period. */
export interface Frames {
  /** How many different rows were in the DOM during the period. */
  readonly rows: number;
  readonly frames: number;
  readonly dropped: number;
  /** The share of dropped frames, in percent. */
  readonly droppedShare: number;
  readonly longestMs: number;
}

export interface Scrolled extends Frames {
  readonly seconds: number;
  /** JavaScript heap after scrolling, in MB. */
  readonly heapMb: number;
  readonly nodes: number;
}

const SCROLLERS = { console: 'div:has(> [role="tabpanel"])', floor: '.list' };

/**
 * Opens the list of all conversations and loads at least `rows` rows, or all rows if there are fewer.
 * @param log receives the progress
 */
export async function openRows(
  side: Side,
  rows: number,
  log: (text: string) => void,
): Promise<Page> {
  const page = await side.open();
  await page.goto(side.name === 'floor' ? `${side.url}?limit=${rows}` : side.url);
  if (side.name === 'console') await page.getByRole('tab', { name: /^All/ }).click();
  await page.locator('[data-row]').first().waitFor();
  if (side.name === 'floor') return page;
  const deadline = Date.now() + LOAD_PATIENCE_MS;
  const last = page.getByText('All conversations loaded');
  let height = 0;
  while (height < rows * ROW_PX && !(await last.isVisible())) {
    if (Date.now() > deadline) throw new Error('not all rows were loaded');
    height = await page.evaluate(async (selector) => {
      const scroller = document.querySelector(selector);
      const until = performance.now() + 1000;
      while (scroller && performance.now() < until) {
        scroller.scrollTop = scroller.scrollHeight;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      return scroller?.scrollHeight ?? 0;
    }, SCROLLERS.console);
    log(`rows are loaded: ${Math.round(height / ROW_PX)} or so of ${rows}`);
  }
  await page.evaluate((selector) => {
    const scroller = document.querySelector(selector);
    if (scroller) scroller.scrollTop = 0;
  }, SCROLLERS.console);
  await page.waitForTimeout(1_000);
  return page;
}

/** Scrolls from the first row to the last, one wheel event of `stepPx` pixels per frame, and watches the frames. */
export async function scrollThrough(page: Page, side: Side, stepPx: number): Promise<Scrolled> {
  const selector = SCROLLERS[side.name];
  const box = await page.locator(selector).boundingBox();
  if (!box) throw new Error('there is no list');
  await page.evaluate((within) => {
    const scroller = document.querySelector(within);
    if (scroller) scroller.scrollTop = 0;
  }, selector);
  const cdp = await page.context().newCDPSession(page);
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  await page.mouse.move(at.x, at.y);
  await page.waitForTimeout(300);
  await page.evaluate(watchFrames, { selector, frame: FRAME_MS });
  const started = performance.now();
  for (let turn = 1; ; turn++) {
    const wheel = { type: 'mouseWheel', ...at, deltaX: 0, deltaY: stepPx } as const;
    const done = cdp.send('Input.dispatchMouseEvent', wheel);
    const due = started + turn * FRAME_MS - performance.now();
    if (due > 0) await sleep(due);
    await done;
    if (turn % 30 === 0 && (await page.evaluate(() => (globalThis as Framed).benchFrames.atEnd)))
      break;
  }
  const seconds = (performance.now() - started) / 1000;
  const watched = await framesOf(page);
  await cdp.send('HeapProfiler.collectGarbage');
  await cdp.send('Performance.enable');
  const { metrics } = await cdp.send('Performance.getMetrics');
  const metric = (name: string) => metrics.find((entry) => entry.name === name)?.value ?? 0;
  await cdp.detach();
  return {
    ...watched,
    seconds,
    heapMb: metric('JSHeapUsedSize') / 1_000_000,
    nodes: metric('Nodes'),
  };
}

/** Watches the frames of the console's list while `work` runs. The list stays at its top. */
export async function restDuring(page: Page, work: () => Promise<unknown>): Promise<Frames> {
  await page.evaluate(watchFrames, { selector: SCROLLERS.console, frame: FRAME_MS });
  await work();
  return framesOf(page);
}

/** Stops watching, and returns the frames since {@link watchFrames}. */
async function framesOf(page: Page): Promise<Frames> {
  const watched = await page.evaluate(() => {
    const { benchFrames } = globalThis as Framed;
    benchFrames.stop();
    const { frames, dropped, longestMs, rows } = benchFrames;
    return { frames, dropped, longestMs, rows };
  });
  const droppedShare = (100 * watched.dropped) / Math.max(1, watched.frames + watched.dropped);
  return { ...watched, droppedShare };
}

interface Watched {
  frames: number;
  dropped: number;
  longestMs: number;
  rows: number;
  atEnd: boolean;
  stop: () => void;
}

type Framed = typeof globalThis & { benchFrames: Watched };

/** Runs in the page. */
function watchFrames({ selector, frame }: { selector: string; frame: number }): void {
  const scroller = document.querySelector(selector);
  if (!scroller) throw new Error('there is no list');
  const seen = new Set<string | undefined>();
  let isOn = true;
  let last = performance.now();
  const watched: Watched = {
    frames: 0,
    dropped: 0,
    longestMs: 0,
    rows: 0,
    atEnd: false,
    stop: () => {
      isOn = false;
      watched.rows = seen.size;
    },
  };
  (globalThis as Framed).benchFrames = watched;
  const onFrame = (now: number) => {
    if (!isOn) return;
    const took = now - last;
    last = now;
    if (!watched.atEnd) {
      watched.frames += 1;
      watched.dropped += Math.max(0, Math.round(took / frame) - 1);
      watched.longestMs = Math.max(watched.longestMs, took);
      for (const row of scroller.querySelectorAll<HTMLElement>('[data-row]'))
        seen.add(row.dataset.row);
    }
    watched.atEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 2;
    requestAnimationFrame(onFrame);
  };
  requestAnimationFrame(onFrame);
}
