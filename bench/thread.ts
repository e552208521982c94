import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { chromium, type Page } from '@playwright/test';
import { CHROMIUM_FLAGS, findChromium } from '../scripts/chromium.mjs';
import { generate, MEASURING_ADMIN } from './generate.ts';
import { fillThread, type LongThread } from './lib/long-thread.ts';
import { embeddedServer } from './lib/servers.ts';
import { type Session, startSession } from './lib/session.ts';
import { openTime, scrollUp, shiftsOfPictures } from './lib/thread-page.ts';

/** The most milliseconds from the click until the newest message is painted, when the conversation was open before. */
const WARM_MAX_MS = 300;

const USAGE = `Opens a long conversation in Chromium, and scrolls up through it.

  npm run bench:thread -- [--messages 10000] [--through 4000] [--rounds 7] [--slowdown 1]

A fifth of the messages carry pictures. Fails where something moves that should stay, or opening takes ${WARM_MAX_MS} ms or more.
`;

/** Runs the benchmark and returns the exit code. */
export async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      messages: { type: 'string', default: '10000' },
      through: { type: 'string', default: '4000' },
      rounds: { type: 'string', default: '7' },
      slowdown: { type: 'string', default: '1' },
      help: { type: 'boolean', default: false },
    },
  });
  const [messages, through, rounds, slowdown] = [
    values.messages,
    values.through,
    values.rounds,
    values.slowdown,
  ].map(Number);
  if (values.help || !messages || !through || !rounds || !slowdown) {
    console.log(USAGE);
    return values.help ? 0 : 2;
  }
  const folder = await mkdtemp(path.join(tmpdir(), 'stagedoor-thread-'));
  const database = await embeddedServer(path.join(folder, 'database'));
  try {
    const url = await database.database('stagedoor');
    await generate({ url, conversations: 100, messages: 1000, log: () => undefined });
    const session = await startSession(url, MEASURING_ADMIN);
    try {
      const thread = await fillThread(url, session, messages);
      const page = await openConsole(session, slowdown);
      try {
        return await measure(page, thread, { through, rounds });
      } finally {
        await page.context().browser()?.close();
      }
    } finally {
      await session.stop();
    }
  } finally {
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function openConsole(
  { address, token }: Pick<Session, 'address' | 'token'>,
  slowdown: number,
): Promise<Page> {
  const response = await fetch(`${address}/api/auth/admin/me`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { data } = (await response.json()) as { data: unknown };
  const browser = await chromium.launch({
    executablePath: await findChromium(),
    // Makes each wheel event a single step, so that jumps are visible.
    args: [...CHROMIUM_FLAGS, '--disable-smooth-scrolling'],
  });
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.addInitScript(
    ([held, admin]) => {
      localStorage.setItem('admin_token', held ?? '');
      localStorage.setItem('admin_data', admin ?? '');
    },
    [token, JSON.stringify(data)],
  );
  if (slowdown > 1) {
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  }
  await page.goto(`${address}/inbox`);
  await page.getByRole('tab', { name: /^All/ }).click();
  return page;
}

async function measure(
  page: Page,
  { conversationId, otherId }: LongThread,
  { through, rounds }: { through: number; rounds: number },
): Promise<number> {
  const shown = (name: string, value: string) => console.log(`${name.padEnd(44)}${value}`);
  const pictures = await shiftsOfPictures(page, conversationId, otherId);
  shown('first opening, without its pictures', `${pictures.openedMs.toFixed(0)} ms`);
  shown('layout shift while pictures load', pictures.shift.toFixed(4));
  shown('messages that they moved', String(pictures.moved));

  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await openTime(page, otherId);
    times.push(await openTime(page, conversationId));
  }
  times.sort((a, b) => a - b);
  const median = times[Math.floor(times.length / 2)] ?? 0;
  const worst = times.at(-1) ?? 0;
  shown('warm opening, median and worst', `${median.toFixed(0)} ms, ${worst.toFixed(0)} ms`);

  const scroll = await scrollUp(page, through);
  const share = (100 * scroll.dropped) / Math.max(1, scroll.frames + scroll.dropped);
  shown('messages scrolled through', `${scroll.messages} in ${(scroll.ms / 1000).toFixed(1)} s`);
  shown('frames dropped', `${scroll.dropped} of ${scroll.frames} (${share.toFixed(1)} %)`);
  shown('longest frame', `${scroll.longestMs.toFixed(0)} ms`);
  shown('jumps', `${scroll.jumps}${scroll.jumps ? ` (largest ${scroll.largestPx} px)` : ''}`);
  shown('most messages in the page at once', String(scroll.mostArticles));
  const isGood =
    median < WARM_MAX_MS && pictures.shift === 0 && pictures.moved === 0 && scroll.jumps === 0;
  return isGood ? 0 : 1;
}
