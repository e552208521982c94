import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from '@playwright/test';
import {
  claimConversation,
  inbox,
  releaseConversation,
  setStatus,
} from '@stagedoor/contract/inbox/conversations';
import { listMessages } from '@stagedoor/contract/messaging/messages';
import { buildConversation, buildFanMessage, type Staff } from '../apps/server/test/factories.ts';
import { seededRandom } from '../apps/server/test/random.ts';
import { type Desk, expect, test } from './support/journey.ts';
import { composer, tab } from './support/screens.ts';
import { type Shown, shownBy, timesIn } from './support/shown.ts';
import { openThroughStorm, spell, WEATHER, type Weather } from './support/storm.ts';
import { reconnected, say, sendRest } from './support/storm-pages.ts';

/** The number of storms. `npm run storms` sets a higher number. */
const ROUNDS = Number(process.env.STORM_ROUNDS ?? 1);
/** The first storm's seed. Playwright's configuration sets a default. */
const SEED = Number(process.env.STORM_SEED);
const SPELLS = 5;
const KINDS = Object.keys(WEATHER) as Weather[];

/** Returns the state of the inbox from the API, limited to what a row shows. */
async function truth(staff: Staff): Promise<{ id: string; unread: number; last: string }[]> {
  const { body } = await staff.client.call(inbox, {
    query: { filter: 'all', sort: 'newest', limit: 200 },
  });
  return body.data.map(({ id, unread_count, last_message_content }) => ({
    id,
    unread: unread_count,
    last: last_message_content ?? '',
  }));
}

const asTruth = ({ rows }: Shown) =>
  rows.map(({ id, says }) => ({
    id,
    unread: Number(/(\d+) unread/.exec(says.join(', '))?.[1] ?? 0),
    // For messages from staff, the row begins with the sender's name.
    last: says.map((said) => /^(?:[^:]+: )?((?:Fan|Tab) .*)$/.exec(said)?.[1]).find(Boolean) ?? '',
  }));

async function teammateActs(desk: Desk, staff: Staff, id: string, what: number): Promise<void> {
  const params = { id };
  const calls = [
    () => staff.client.call(claimConversation, { params }),
    () => staff.client.call(releaseConversation, { params }),
    () => staff.client.call(setStatus, { params, body: { status: 'flagged' } }),
    () => staff.client.call(setStatus, { params, body: { status: 'active' } }),
  ];
  // The action may not fit the conversation's current state, so errors are ignored.
  await calls[what % calls.length]?.().catch(() => undefined);
  expect(desk.server.output()).not.toContain('uncaught');
}

for (let round = 0; round < ROUNDS; round += 1) {
  const seed = SEED + round;
  test(`after a storm (seed ${seed}) both tabs and a teammate’s page match a fresh load, each reply once`, async ({
    desk,
    browser,
  }) => {
    const random = seededRandom(seed);
    const [me, teammate] = [await desk.hire(), await desk.hire()];
    const built: Awaited<ReturnType<typeof buildConversation>>[] = [];
    for (const name of ['Ana', 'Ben', 'Cleo', 'Dora', 'Eli']) {
      built.push(
        await buildConversation(desk, {
          fan: { first_name: name },
          messages: [`Fan ${name} begins`],
        }),
      );
    }
    const [here, there] = built as [(typeof built)[0], (typeof built)[0]];
    const mine = await openThroughStorm(browser, desk, me, { seed });
    const theirs = await openThroughStorm(browser, desk, teammate, { seed: seed + 1 });
    const pages = [
      await mine.tab(`/inbox/${here.id}`),
      await mine.tab(`/inbox/${there.id}`),
      await theirs.tab(`/inbox/${here.id}`),
    ];
    for (const page of pages) {
      await tab(page, 'All').click();
      await expect(page.getByRole('log').getByRole('article').first()).toBeVisible();
    }

    const befell: string[] = [];
    const texts: { text: string; page: Page; id: string }[] = [];
    for (let number = 0; number < SPELLS; number += 1) {
      const [weather, other] = [random.pick(KINDS), random.pick(KINDS)];
      befell.push(weather);
      const meanwhile = async () => {
        for (const [at, page] of pages.slice(0, 2).entries()) {
          const text = `Tab ${at} says ${number}`;
          if ((await composer(page).inputValue()) === '')
            texts.push({ text, page, id: at === 0 ? here.id : there.id });
          await say(page, text);
        }
        for (let said = 0; said < 3; said += 1) {
          const { fan } = random.pick(built);
          await buildFanMessage(desk, fan, { content: `Fan ${fan.first_name} ${number}.${said}` });
        }
        await teammateActs(desk, teammate, random.pick(built).id, random.below(4));
      };
      await Promise.all([
        spell(mine.way, weather, random, meanwhile),
        spell(theirs.way, other, random, async () => undefined),
      ]);
      if (number === 2) {
        befell.push('kill -9');
        await desk.server.kill();
        await desk.server.start();
      }
    }

    for (const page of pages) await reconnected(page);
    for (const page of pages.slice(0, 2)) await sendRest(page);
    for (const [index, page] of pages.entries()) {
      const fresh = await (index < 2 ? mine : theirs).tab(new URL(page.url()).pathname);
      await tab(fresh, 'All').click();
      await expect(async () => {
        const expected = await shownBy(fresh);
        expect(expected.rows).toHaveLength(built.length);
        expect(expected.messages.length).toBeGreaterThan(0);
        expect(await shownBy(page)).toEqual(expected);
        expect(asTruth(expected)).toEqual(await truth(me));
      }).toPass();
      await fresh.close();
    }
    for (const { text, page, id } of texts) {
      const { body } = await me.client.call(listMessages, {
        params: { id },
        query: { limit: 200 },
      });
      expect(
        body.data.filter(({ content }) => content === text),
        text,
      ).toHaveLength(1);
      expect(timesIn(await shownBy(page), text), text).toBe(1);
    }
    const { broken, refused, swallowed } = mine.way.counts;
    const summary = { seed, befell, sent: texts.length, broken, refused, swallowed };
    console.log('after the storm:', JSON.stringify(summary));
    if (process.env.STORM_REPORTS)
      await writeFile(
        path.join(process.env.STORM_REPORTS, `${seed}.json`),
        JSON.stringify(summary),
      );
    await mine.close();
    await theirs.close();
  });
}
