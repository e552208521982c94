import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';

const axeSource = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Returns serious problems for people with a screen reader or low vision, in the light and the dark theme.
 * @param within a selector; by default the whole page
 */
export async function accessibilityIssues(page: Page, within = 'html'): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(await axeSource);
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  const [shown, other] = isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const);
  const found = await violations(page, within, {});
  await turn(page, other);
  // The other theme only changes colors, so only the color rules run for it.
  const runOnly = ['color-contrast', 'link-in-text-block'];
  found.push(...(await violations(page, within, { runOnly })));
  await turn(page, shown);
  return found;
}

/** Switches the theme, and waits for the color transitions to end. */
async function turn(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
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

type Axe = { run(within: NodeList, options: RunOptions): Promise<AxeResults> };

async function violations(page: Page, within: string, options: RunOptions): Promise<string[]> {
  const results = await page.evaluate(
    ([selector, chosen]) =>
      (window as unknown as { axe: Axe }).axe.run(document.querySelectorAll(selector), {
        ...chosen,
        resultTypes: ['violations'],
      }),
    [within, options] as const,
  );
  return results.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.html.slice(0, 200)} ${node.failureSummary ?? ''}`),
    );
}
