import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type axe from 'axe-core';

const axeSource = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Returns serious accessibility problems in the light and the dark theme, and whether the page scrolls sideways. */
export async function accessibilityIssues(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(await axeSource);
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  const [shown, other] = isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const);
  const found = await violations(page, {});
  await switchTheme(page, other);
  // The other theme only changes colors, so only the color rules run for it.
  found.push(...(await violations(page, { runOnly: ['color-contrast', 'link-in-text-block'] })));
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  if (width > (page.viewportSize()?.width ?? 0)) found.push(`scrolls sideways: ${width} px`);
  await switchTheme(page, shown);
  return found;
}

/** Switches the theme, and waits for the color transitions to end. */
export async function switchTheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter((animation) => animation instanceof CSSTransition)
        .map(({ finished }) => finished),
    ),
  );
}

/** Runs axe and formats the issues inside the page, because its full results are large and mostly list passed checks. */
function violations(page: Page, options: axe.RunOptions): Promise<string[]> {
  return page.evaluate(
    async (chosen) => {
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(chosen);
      return violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .flatMap(({ id, nodes }) =>
          nodes.map((node) => `${id}: ${node.html.slice(0, 200)} ${node.failureSummary ?? ''}`),
        );
    },
    { ...options, resultTypes: ['violations' as const], selectors: false },
  );
}
