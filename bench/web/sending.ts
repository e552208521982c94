import type { Page } from '@playwright/test';
import type { Side } from './sides.ts';

const SENDS = 8;
/** The first sends only warm up the code. */
const WARM_UP = 2;

/**
 * Opens a page and sends messages with Enter. Returns the milliseconds from each key press to the paint that shows the message.
 */
export async function enterToBubble(side: Side): Promise<number[]> {
  const page = await side.open();
  try {
    await page.goto(side.url);
    await page.locator('[data-row]').first().waitFor();
    if (side.name === 'console') {
      await page.locator('[data-row]').first().click();
      await page.locator('[role="log"] article').first().waitFor();
    }
    const times: number[] = [];
    for (let send = 0; send < SENDS; send++) {
      const took = await sendOne(page, `Message ${crypto.randomUUID()}`);
      if (send >= WARM_UP) times.push(took);
    }
    return times;
  } finally {
    await page.context().close();
  }
}

async function sendOne(page: Page, text: string): Promise<number> {
  const field = page.locator('textarea');
  await field.click();
  await page.keyboard.type(text);
  // Only one message can be pending at a time.
  await page
    .locator(
      'textarea:not(form *), form:has(textarea) button[type="submit"][aria-disabled="false"]',
    )
    .waitFor();
  // Start watching before the key is pressed.
  const painted = await page.evaluateHandle(watchFor, text);
  await page.keyboard.press('Enter');
  return painted.evaluate(({ paint }) => paint);
}

/** Runs in the page. Resolves to the milliseconds from the next key press until a message with the sought text is painted. */
function watchFor(sought: string): { readonly paint: Promise<number> } {
  const paint = new Promise<number>((resolve) => {
    let pressed = 0;
    const onKey = ({ timeStamp }: KeyboardEvent) => {
      pressed = timeStamp;
    };
    document.addEventListener('keydown', onKey, { capture: true, once: true });
    const look = () => {
      const log = document.querySelector('[role="log"]');
      if (!log?.textContent.includes(sought)) return requestAnimationFrame(look);
      const channel = new MessageChannel();
      channel.port1.onmessage = () => resolve(performance.now() - pressed);
      channel.port2.postMessage(null);
      return 0;
    };
    requestAnimationFrame(look);
  });
  return { paint };
}
