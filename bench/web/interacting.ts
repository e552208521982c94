import type { Page } from '@playwright/test';
import type { Side, Slowness } from './sides.ts';
import type { Watched } from './watch-page.ts';

/** Milliseconds of idle time after each interaction. */
const PAUSE_MS = 120;
/** Milliseconds until prefetched code has loaded. */
const AHEAD_MS = 2_000;
const TEXT = 'Thank you so much for waiting';
const ROWS_OPENED = 6;
const STEPS = 10;

/** For each kind of interaction, the longest time until the next paint, in milliseconds. */
export type Worst = Readonly<Record<string, number>>;

/** Runs the staff's everyday interactions one after the other. An interaction within one frame counts as 16 ms. */
export async function worstOfConsole(side: Side, slowness: Slowness): Promise<Worst> {
  const page = await side.open(slowness);
  try {
    await page.goto(side.url);
    await page.locator('[data-row]').first().waitFor();
    await page.waitForTimeout(AHEAD_MS * slowness.cpu);
    const step = stepper(page);
    for (const name of [/^All/, /^Mine/, /^Archived/, /^Unread/, /^All/]) {
      await step('switch tabs', () => page.getByRole('tab', { name }).click());
    }
    await page.locator('[data-row]').first().waitFor();
    for (let count = 0; count < STEPS; count++) await step('J', () => page.keyboard.press('j'));
    for (let count = 0; count < STEPS; count++) await step('K', () => page.keyboard.press('k'));
    for (let place = 0; place < ROWS_OPENED; place++) {
      const row = page.locator('[data-row]').nth(place);
      await step('open a conversation', () => row.click());
      await page.locator('[role="log"] article').first().waitFor();
      await page.waitForTimeout(PAUSE_MS);
    }
    const field = page.getByPlaceholder('Reply as creator...');
    await step('click into the reply', () => field.click());
    for (const key of TEXT) await step('type a reply', () => page.keyboard.type(key));
    await step('leave the reply', () => page.keyboard.press('Escape'));
    await step('go to the search', () => page.keyboard.press('/'));
    for (const key of 'maria') await step('type a search', () => page.keyboard.type(key));
    await page.waitForTimeout(AHEAD_MS);
    for (let count = 0; count < 5; count++)
      await step('shorten a search', () => page.keyboard.press('Backspace'));
    for (const name of ['Tags', 'Invite Users']) {
      for (let count = 0; count < 2; count++) {
        await step('open a dialog', () => page.getByRole('button', { name, exact: true }).click());
        await page.getByRole('dialog').waitFor();
        await page.waitForTimeout(PAUSE_MS);
        await step('close a dialog', () => page.keyboard.press('Escape'));
      }
    }
    return await worst(page);
  } finally {
    await page.context().close();
  }
}

/** Runs the interactions that the floor page supports. */
export async function worstOfFloor(side: Side, slowness: Slowness): Promise<Worst> {
  const page = await side.open(slowness);
  try {
    await page.goto(side.url);
    await page.locator('[data-row]').first().waitFor();
    const step = stepper(page);
    await step('click into the reply', () => page.locator('textarea').click());
    for (const key of TEXT) await step('type a reply', () => page.keyboard.type(key));
    await step('send', () => page.keyboard.press('Enter'));
    await page.evaluate(addDialog);
    for (let count = 0; count < 2; count++) {
      await step('open a dialog', () => page.getByRole('button', { name: 'Open' }).click());
      await step('close a dialog', () => page.keyboard.press('Escape'));
    }
    return await worst(page);
  } finally {
    await page.context().close();
  }
}

/** Runs in the page: adds a minimal modal dialog, one line of text in the browser's default style. */
function addDialog(): void {
  const dialog = document.createElement('dialog');
  dialog.textContent = 'A line of text';
  const button = document.createElement('button');
  button.textContent = 'Open';
  button.style.cssText = 'position: fixed; inset: 0 0 auto auto';
  button.addEventListener('click', () => dialog.showModal());
  document.body.append(button, dialog);
}

function stepper(page: Page) {
  return async (name: string, act: () => Promise<unknown>) => {
    await page.evaluate((said) => {
      const { steps } = (globalThis as Watched).benchWatch;
      steps.push({ name: said, from: performance.now() });
    }, name);
    await act();
    await page.waitForTimeout(PAUSE_MS);
  };
}

async function worst(page: Page): Promise<Worst> {
  await page.waitForTimeout(PAUSE_MS);
  return page.evaluate(() => {
    const { steps, events } = (globalThis as Watched).benchWatch;
    const longest: Record<string, number> = {};
    for (const { name } of steps) longest[name] = 16;
    for (const { from, ms } of events) {
      const name = steps.findLast((step) => step.from <= from)?.name;
      if (name !== undefined) longest[name] = Math.max(longest[name] ?? 0, ms);
    }
    return longest;
  });
}
