import type { Page } from '@playwright/test';

/** As browsers tell of it; the types of the DOM don't know it yet. */
interface LayoutShift extends PerformanceEntry {
  value: number;
  sources: readonly { node: Node | null }[];
}

/**
 * Watches from now on whether anything within a part of the page shifts, also in answer to input.
 * @param within a selector
 * @returns what shifted so far
 */
export async function watchShifts(page: Page, within: string): Promise<() => Promise<string[]>> {
  const shifts = await page.evaluateHandle((selector) => {
    const seen: string[] = [];
    const note = (entries: PerformanceEntryList) => {
      for (const { value, sources } of entries as LayoutShift[]) {
        for (const { node } of sources) {
          const element = node instanceof Element ? node : node?.parentElement;
          if (element?.closest(selector)) seen.push(`${value}: ${element.outerHTML.slice(0, 200)}`);
        }
      }
    };
    const observer = new PerformanceObserver((list) => note(list.getEntries()));
    observer.observe({ type: 'layout-shift' });
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    return async () => {
      // What was laid out just now is told of after it is painted.
      for (let frames = 0; frames < 3; frames++) await frame();
      note(observer.takeRecords());
      return seen;
    };
  }, within);
  return () => shifts.evaluate((seen) => seen());
}
