import type { Page, Route } from '@playwright/test';

/** Pixels per wheel event. */
const STEP_PX = 240;
const FRAME_MS = 1000 / 60;
/** The most that rounding to device pixels can add up to. */
const TOLERANCE_PX = 2;
/** Milliseconds without anything new after which loading counts as finished. */
const QUIET_MS = 500;

const row = (page: Page, id: string) => page.locator(`a[href="/inbox/${id}"]`);

/** Opens a conversation from its row. Returns the milliseconds from the click to the paint that shows its newest message. */
export async function openTime(page: Page, id: string): Promise<number> {
  await row(page, id).scrollIntoViewIfNeeded();
  await page.evaluate(() => {
    const state = window as unknown as { clickedAt: number };
    document.addEventListener(
      'click',
      ({ timeStamp }) => {
        state.clickedAt = timeStamp;
      },
      { capture: true, once: true },
    );
  });
  const before = await page
    .getByRole('log')
    .getAttribute('aria-label')
    .catch(() => null);
  const painted = page.evaluate(
    (label) =>
      new Promise<number>((resolve) => {
        const look = () => {
          const log = document.querySelector('[role="log"]');
          const scroller = log?.parentElement;
          const last = [...(log?.querySelectorAll('article') ?? [])].at(-1);
          const isThere =
            log &&
            scroller &&
            last &&
            log.getAttribute('aria-label') !== label &&
            Math.abs(scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop) < 2 &&
            last.getBoundingClientRect().bottom <= scroller.getBoundingClientRect().bottom + 1;
          if (!isThere) return requestAnimationFrame(look);
          // The next task runs after this frame is painted.
          const channel = new MessageChannel();
          channel.port1.onmessage = () =>
            resolve(performance.now() - (window as unknown as { clickedAt: number }).clickedAt);
          channel.port2.postMessage(null);
        };
        requestAnimationFrame(look);
      }),
    before,
  );
  await row(page, id).click();
  return painted;
}

/** Opens the thread with its pictures held back, then releases them and measures what they move. */
export async function shiftsOfPictures(
  page: Page,
  id: string,
  otherId: string,
): Promise<{ openedMs: number; shift: number; moved: number }> {
  await openTime(page, otherId);
  const held: Route[] = [];
  let isHeld = true;
  await page.route(/\/api\/media\//, (route) =>
    isHeld ? void held.push(route) : route.continue(),
  );
  const openedMs = await openTime(page, id);
  await page.waitForTimeout(QUIET_MS);
  const places = () =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('[role="log"] article')].map(
        (article) => [article.dataset.row, article.getBoundingClientRect().top] as const,
      ),
    );
  const before = new Map(await places());
  await page.evaluate(() => {
    const state = window as unknown as { shift: number };
    state.shift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        state.shift += (entry as PerformanceEntry & { value: number }).value;
    }).observe({ type: 'layout-shift' });
  });
  isHeld = false;
  for (const route of held) await route.continue();
  await page.waitForFunction(() =>
    [...document.querySelectorAll<HTMLImageElement>('[role="log"] img')].every(
      ({ complete, naturalWidth }) => complete && naturalWidth > 0,
    ),
  );
  await page.waitForTimeout(QUIET_MS);
  await page.unroute(/\/api\/media\//);
  const after = await places();
  const moved = after.filter(([key, top]) => {
    const was = before.get(key);
    return was !== undefined && Math.abs(top - was) > 0.5;
  }).length;
  const shift = await page.evaluate(() => (window as unknown as { shift: number }).shift);
  return { openedMs, shift, moved };
}

export interface Scrolled {
  readonly messages: number;
  readonly ms: number;
  readonly frames: number;
  readonly dropped: number;
  readonly longestMs: number;
  /** Frames in which the visible messages moved by anything other than wheel events. */
  readonly jumps: number;
  readonly largestPx: number;
  readonly mostArticles: number;
}

/** Scrolls up with the wheel past this many messages and watches each frame. */
export async function scrollUp(page: Page, messages: number): Promise<Scrolled> {
  const box = await page.getByRole('log').locator('..').boundingBox();
  if (!box) throw new Error('there is no thread');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.evaluate(watchFrames, { step: STEP_PX, frame: FRAME_MS, tolerance: TOLERANCE_PX });
  const started = Date.now();
  const passed = () => page.evaluate(() => (window as unknown as Watched).passed.size);
  let count = 0;
  let stuck = 0;
  while (count < messages && stuck < 20) {
    for (let turn = 0; turn < 10; turn++) await page.mouse.wheel(0, -STEP_PX);
    const now = await passed();
    stuck = now === count ? stuck + 1 : 0;
    if (stuck > 0) await page.waitForTimeout(100);
    count = now;
  }
  const ms = Date.now() - started;
  const figures = await page.evaluate(() => {
    const { stop, frames, dropped, longestMs, jumps, largestPx, mostArticles } =
      window as unknown as Watched;
    stop();
    return { frames, dropped, longestMs, jumps, largestPx, mostArticles };
  });
  return { messages: count, ms, ...figures };
}

interface Watched extends Omit<Scrolled, 'messages' | 'ms'> {
  passed: Set<string | undefined>;
  stop: () => void;
}

/** Runs in the page. */
function watchFrames({
  step,
  frame,
  tolerance,
}: {
  step: number;
  frame: number;
  tolerance: number;
}): void {
  const log = document.querySelector('[role="log"]');
  const scroller = log?.parentElement;
  if (!log || !scroller) throw new Error('there is no thread');
  let isOn = true;
  let last = performance.now();
  let anchor: { element: Element; top: number; scrollTop: number } | null = null;
  const watched = Object.assign(
    window as unknown as { -readonly [K in keyof Watched]: Watched[K] },
    {
      passed: new Set<string | undefined>(),
      frames: 0,
      dropped: 0,
      longestMs: 0,
      jumps: 0,
      largestPx: 0,
      mostArticles: 0,
      stop: () => {
        isOn = false;
      },
    },
  );
  const onFrame = (now: number) => {
    if (!isOn) return;
    const took = now - last;
    last = now;
    watched.frames += 1;
    watched.dropped += Math.max(0, Math.round(took / frame) - 1);
    watched.longestMs = Math.max(watched.longestMs, took);
    const { top, bottom } = scroller.getBoundingClientRect();
    const articles = [...log.querySelectorAll<HTMLElement>('article')];
    watched.mostArticles = Math.max(watched.mostArticles, articles.length);
    // A wheel event near an edge scrolls less than a full step.
    const wasFree = anchor !== null && anchor.scrollTop > step && scroller.scrollTop > step;
    if (anchor?.element.isConnected && wasFree) {
      const moved = anchor.element.getBoundingClientRect().top - anchor.top;
      const off = Math.abs(moved - Math.round(moved / step) * step);
      if (off > tolerance) {
        watched.jumps += 1;
        watched.largestPx = Math.max(watched.largestPx, Math.round(off));
      }
    }
    const inView = articles.filter((article) => {
      const at = article.getBoundingClientRect();
      if (at.bottom < top || at.top > bottom) return false;
      watched.passed.add(article.dataset.row);
      return true;
    });
    // Skip messages that cross the upper edge: they may still be measured and moved before the paint.
    const first = inView.find((article) => article.getBoundingClientRect().top >= top);
    anchor = first
      ? { element: first, top: first.getBoundingClientRect().top, scrollTop: scroller.scrollTop }
      : null;
    requestAnimationFrame(onFrame);
  };
  requestAnimationFrame(onFrame);
}
