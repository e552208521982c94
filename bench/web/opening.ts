import type { Side, Slowness } from './sides.ts';
import type { Watched } from './watch-page.ts';

/** Milliseconds until everything after the messages has loaded. */
const SETTLE_MS = 2_500;

/** The figures of a conversation whose address is opened first. Milliseconds; an interaction within one frame counts as 16. */
export interface Opened {
  readonly blockingMs: number;
  /** The first click and the first key press, as soon as the page shows the conversation. */
  readonly clickMs: number;
  readonly keyMs: number;
}

/** Opens a conversation's address, and immediately clicks and types into its reply. For the floor, uses its only page. */
export async function openConversation(side: Side, slowness: Slowness): Promise<Opened> {
  const page = await side.open(slowness);
  try {
    await page.goto(side.conversationUrl);
    await page
      .locator(side.name === 'floor' ? '[data-row]' : '[role="log"] article')
      .first()
      .waitFor();
    // Playwright's own checks would wait until the page has become still.
    await page.locator('textarea').click({ force: true });
    await page.keyboard.press('h');
    await page.waitForTimeout(SETTLE_MS * Math.sqrt(slowness.cpu));
    const { blocking, events } = await page.evaluate(() => (globalThis as Watched).benchWatch);
    const longest = (kind: RegExp) =>
      Math.max(16, ...events.filter(({ type }) => kind.test(type)).map(({ ms }) => ms));
    return { blockingMs: blocking, clickMs: longest(/pointer|click/), keyMs: longest(/key|input/) };
  } finally {
    await page.context().close();
  }
}
