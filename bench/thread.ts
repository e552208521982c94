import type { Page } from '@playwright/test';
import { generate, MEASURING_ADMIN } from './generate.ts';
import { fillThread, type LongThread } from './lib/long-thread.ts';
import { program } from './lib/program.ts';
import { temporaryServer } from './lib/servers.ts';
import { startSession } from './lib/session.ts';
import { median, round } from './lib/statistics.ts';
import { openTime, scrollUp, shiftsOfPictures } from './lib/thread-page.ts';
import { openBrowser, openPage, signedIn } from './web/sides.ts';

/** The most milliseconds from the click until the newest message is painted, when the conversation was open before. */
const WARM_MAX_MS = 300;

const USAGE = `Opens a long conversation in Chromium and scrolls up through it. A fifth of its messages have pictures.

  npm run bench:thread -- [--messages 10000] [--through 4000] [--rounds 7] [--slowdown 1]

Fails if anything moves that should stay, or if opening takes ${WARM_MAX_MS} ms or more.
`;

const OPTIONS = { messages: 10_000, through: 4_000, rounds: 7, slowdown: 1 };

export const main = program(USAGE, OPTIONS, async ({ messages, slowdown, ...plan }) => {
  const database = await temporaryServer();
  try {
    const url = await database.database('stagedoor');
    await generate({ url, conversations: 100, messages: 1000 });
    const session = await startSession(url, MEASURING_ADMIN);
    try {
      const thread = await fillThread(url, session, messages);
      const browser = await openBrowser('--disable-smooth-scrolling');
      try {
        const page = await openPage(browser, await signedIn(session), { cpu: slowdown });
        await page.goto(`${session.address}/inbox`);
        await page.getByRole('tab', { name: /^All/ }).click();
        return await measure(page, thread, plan);
      } finally {
        await browser.close();
      }
    } finally {
      await session.stop();
    }
  } finally {
    await database.stop();
  }
});

async function measure(
  page: Page,
  { conversationId, otherId }: LongThread,
  { through, rounds }: { through: number; rounds: number },
): Promise<boolean> {
  const pictures = await shiftsOfPictures(page, conversationId, otherId);
  const times: number[] = [];
  for (let turn = 0; turn < rounds; turn++) {
    await openTime(page, otherId);
    times.push(await openTime(page, conversationId));
  }
  const opened = median(times);
  const scroll = await scrollUp(page, through);
  console.table({
    'first opening, without its pictures, ms': round(pictures.openedMs, 0),
    'layout shift while pictures load': round(pictures.shift, 4),
    'messages moved by pictures': pictures.moved,
    'warm opening, median, ms': round(opened, 0),
    'warm opening, worst, ms': round(Math.max(...times), 0),
    'messages scrolled through': scroll.messages,
    'seconds of scrolling': round(scroll.ms / 1000, 1),
    'frames drawn': scroll.frames,
    'frames dropped': scroll.dropped,
    'frames dropped, %': round(
      (100 * scroll.dropped) / Math.max(1, scroll.frames + scroll.dropped),
      1,
    ),
    'longest frame, ms': round(scroll.longestMs, 0),
    jumps: scroll.jumps,
    'largest jump, px': scroll.largestPx,
    'most messages in the page at once': scroll.mostArticles,
  });
  return opened < WARM_MAX_MS && pictures.shift === 0 && pictures.moved === 0 && scroll.jumps === 0;
}
