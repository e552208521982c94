import type { Page } from '@playwright/test';

/** A performance entry that TypeScript's DOM types don't include yet. */
interface LayoutShift extends PerformanceEntry {
  value: number;
  sources: readonly { node: Node | null }[];
}

/**
 * Records layout shifts within a part of the page, including those caused by input.
 * @param within a selector
 * @returns a function that returns the shifts so far
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
      // Shifts are reported after they are painted.
      for (let frames = 0; frames < 3; frames++) await frame();
      note(observer.takeRecords());
      return seen;
    };
  }, within);
  return () => shifts.evaluate((seen) => seen());
}
